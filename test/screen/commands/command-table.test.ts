import { expect, it } from "vitest";
import type { CommandRecord } from "../../../src/background/command.ts";
import { commandTable } from "../../../src/screen/commands/command-table.ts";
import { createStyle } from "../../../src/screen/style.ts";

const record: CommandRecord = {
  id: "bash-1",
  agent: "s:tool",
  command: "npm start",
  state: "stopped",
  startedAt: "2026-01-02T03:04:05.000Z",
  endedAt: "2026-01-02T03:04:06.000Z",
  told: true,
};

it("names the session of each command only if there are several", () => {
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  const firstCells = (sessions: (string | undefined)[]) =>
    commandTable(
      sessions.map((session) => ({ record, lastLine: "", ...(session !== undefined && { session }) })),
      style,
      { nowMs: 0 },
    )
      .split("\n")
      .map((line) => line.split(/ {2,}/).slice(0, 2));
  expect(firstCells(["35232c9b-aaaa", "77f1e0aa-bbbb"])).toEqual([
    ["command", "session"],
    ["bash-1", "35232c9b"],
    ["bash-1", "77f1e0aa"],
  ]);
  expect(firstCells([undefined])).toEqual([
    ["command", "agent"],
    ["bash-1", "tool"],
  ]);
});

it("shows what runs within 40 columns, and drops other columns for it", () => {
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  const shown = { record, lastLine: "listening on port 5173 of this machine", session: "35232c9b-aaaa" };
  const lines = commandTable([shown], style, { nowMs: 0, columns: 40 }).split("\n");
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(lines[0]).toBe("command  what       state      last line");
});
