import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { damagedSessions, listSessions, type SessionsDisk } from "../../../src/agent/session/sessions.ts";

const at = "2026-01-01T00:00:00Z";
type Beginning = Extract<TranscriptEvent, { type: "session" }>;

const transcript = (prompt: string, more: Partial<Beginning> = {}): string =>
  [
    { type: "session", session: "s", agent: "tool", cwd: "/repo", model: "m", version: "0", at, ...more },
    { type: "input", inputs: [{ source: { kind: "user" }, text: prompt }], at },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");

/** The transcripts are modified one minute apart, in this order. */
function diskOf(transcripts: Record<string, string>): SessionsDisk {
  const names = Object.keys(transcripts);
  const nameOf = (path: string) => path.slice("/sessions/".length);
  return {
    list: () => names,
    read: (path) => Buffer.from(transcripts[nameOf(path)] ?? ""),
    changedAt: (path) => new Date(names.indexOf(nameOf(path)) * 60_000),
  };
}

it("lists a person's sessions of this folder, the newest first: none of a team, of another folder, or that the harness began", () => {
  const disk = diskOf({
    "old.jsonl": transcript("first"),
    "member.jsonl": transcript("task-1", { team: "atlas" }),
    "planner.jsonl": transcript("Plan a change", { purpose: "batch_plan" }),
    "elsewhere.jsonl": transcript("there", { cwd: "/other" }),
    "new.jsonl": transcript("second"),
    "notes.txt": "",
  });
  const listed = listSessions(disk, { folders: ["/sessions"], cwd: "/repo", atMost: 10 });
  expect(listed.map(({ id, prompt }) => [id, prompt])).toEqual([
    ["new", "second"],
    ["old", "first"],
  ]);
  expect(listSessions(disk, { folders: ["/sessions"], cwd: "/repo", atMost: 1 })).toHaveLength(1);
});

it("finds transcripts whose first line cannot be read, the newest first, and none that a kill cut in its first line", () => {
  const disk = diskOf({
    "other.jsonl": `{"type":"sess\n${transcript("lost").split("\n")[1]}\n`,
    "whole.jsonl": transcript("first"),
    "cut.jsonl": '{"type":"session","session":"s","ag',
    "begun.jsonl": '{"ty',
    "empty.jsonl": "",
    "garbage.jsonl": "garbage",
    "later.jsonl": `${transcript("second")}garbage\n`,
  });
  expect(damagedSessions(disk, ["/sessions"]).map(({ id }) => id)).toEqual(["garbage", "other"]);
});
