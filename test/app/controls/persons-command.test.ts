import { expect, it } from "vitest";
import { whyNotRun } from "../../../src/app/controls/persons-command.ts";

it("runs no empty command, and no editor that would wait for a terminal", () => {
  expect(["vim a.ts", "/usr/bin/nvim", "vi", ""].map((command) => whyNotRun(command) !== undefined)).toEqual([true, true, true, true]);
  expect(["vim --version", "vim -es a.ts", "less a.ts", "git log", "view-logs x"].map(whyNotRun)).toEqual(Array(5).fill(undefined));
});
