import { expect, it } from "vitest";
import { createStyle } from "../../../src/screen/style.ts";
import { plainScreen } from "../../../src/screen/terminal/plain-screen.ts";

it("writes texts and the lines of events, and has nobody to ask", async () => {
  const written: string[] = [];
  const screen = plainScreen((text) => written.push(text), createStyle({ NO_COLOR: "1" }));
  const at = "2026-01-01T00:00:00.000Z";

  screen.print("Team atlas: tmux");
  screen.show({ type: "request", turn: 1, retryCount: 0, at });
  screen.replay([{ type: "notice", level: "warning", text: "the disk is full", at }]);
  screen.showRunning("npm test").end();

  expect(written).toEqual(["Team atlas: tmux\n", "  the disk is full\n"]);
  expect(await screen.pick([{ label: "a" }], { title: "Mode" })).toBeUndefined();
  expect(await screen.lend(async () => "ran")).toBe("ran");
});
