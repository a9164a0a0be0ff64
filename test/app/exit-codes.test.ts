import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitMeanings, refusalExit } from "../../src/app/exit-codes.ts";

describe("exitMeanings", () => {
  it("is the table of docs/scripting.md", () => {
    const page = readFileSync(new URL("../../docs/scripting.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, code, means]) => [code, means]);
    expect(rows).toEqual(Object.entries(exitMeanings));
  });
});

describe("refusalExit()", () => {
  it.each([
    ["not_found", 2],
    ["unknown_agent", 2],
    ["bad_request", 2],
    ["already_claimed", 1],
    ["already_answered", 1],
    ["dependency_incomplete", 1],
    ["list_damaged", 1],
  ] as const)("of %s is %d: 2 if the request is wrong in itself, 1 if it may succeed later", (code, exit) => {
    expect(refusalExit(code)).toBe(exit);
  });
});
