import { describe, expect, it } from "vitest";
import { createStyle } from "../../../src/screen/style.ts";
import { ordered, type Snapshot, type WatchRow } from "../../../src/screen/watch/row.ts";
import { watchLines } from "../../../src/screen/watch/watch-lines.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const at = "2026-01-01T10:00:00.000Z";
const nowMs = Date.parse(at) + 65_000;

function row(id: string, more: Partial<WatchRow> = {}): WatchRow {
  const facts = { since: at, now: "", waitsFor: [], folder: "/home/me/app", turns: 1, tokens: 100, costUsd: 0.5, pid: 1 };
  return { id, kind: "session", name: id, fullName: id, state: "working", words: "working", ...facts, ...more };
}

const member = (name: string, more: Partial<WatchRow> = {}) =>
  row(`atlas/${name}`, { kind: "member", name, fullName: `atlas/${name}`, root: "team atlas", ...more });

const asking = member("ada", {
  state: "needs_you",
  words: "needs you",
  now: "Bash npm publish",
  waitsFor: ["you"],
  question: { in: { team: "atlas" }, request: "ada-1" },
  transcript: "/t",
});
const rows = [
  row("session 1", { now: "Edit a.js", transcript: "/t" }),
  row("team atlas", { kind: "team", now: "1 of 3 tasks completed" }),
  asking,
  member("bo", { state: "waiting", words: "idle", waitsFor: ["ada"] }),
];
const snapshotOf = (all: WatchRow[]): Snapshot => ({ at, rows: all, today: { costUsd: 1.2, isPartial: false } });
const drawn = (all: WatchRow[], width: number, { marked, height = 12 }: { marked?: string; height?: number } = {}) =>
  watchLines(snapshotOf(all), { marked, told: "" }, { style, width, height, nowMs });

describe("ordered()", () => {
  it("has who needs the person first, the longest waiting one on top, and everybody once", () => {
    const later = row("session 2", { state: "needs_you", since: "2026-01-01T10:00:09.000Z" });
    expect(ordered([later, ...rows]).map(({ id }) => id)).toEqual(["atlas/ada", "session 2", "session 1", "team atlas", "atlas/bo"]);
  });

  it("keeps the members of a team that needs the person itself", () => {
    const stuck = rows.map((one) => (one.kind === "team" ? { ...one, state: "needs_you" as const } : one));
    expect(ordered(stuck).map(({ id }) => id)).toEqual(["team atlas", "atlas/ada", "atlas/bo", "session 1"]);
  });
});

describe("watchLines()", () => {
  it("counts once a question that an agent and its session both show", () => {
    const question = { in: { session: "s", folder: "/q" }, request: "q-1" };
    const both = ["session 1", "session 1/bo"].map((id) => row(id, { state: "needs_you", words: "needs you", question }));
    expect(drawn(both, 80)[0]).toBe("2 sessions  ·  ! 1 needs you  ·  $1.20 today");
  });

  it("shows who waits for whom, and what the keys do for the marked row", () => {
    expect(drawn(rows, 80)).toEqual([
      "1 session, 1 team  ·  ! 1 needs you  ·  $1.20 today",
      "",
      "❯ atlas/ada   ! needs you  1m05s  $0.50  Bash npm publish",
      "  session 1   ▶ working    1m05s  $0.50  Edit a.js",
      "  team atlas  ▶ working    1m05s  $0.50  1 of 3 tasks completed",
      "    bo        · idle       1m05s  $0.50  waits for ada",
      "",
      "  Enter answers   t transcript   q leaves",
    ]);
  });

  it("drops columns before what a row does at 40 columns", () => {
    expect(drawn(rows, 40, { marked: "session 1" }).slice(2)).toEqual([
      "  ! atlas/ada   Bash npm publish",
      "❯ ▶ session 1   Edit a.js",
      "  ▶ team atlas  1 of 3 tasks completed",
      "  ·   bo        waits for ada",
      "",
      "  Enter shows its transcript   q leaves",
    ]);
  });

  it("leads to who needs the person in a place of its own, and not to a transcript", () => {
    const needing = member("lead", { state: "needs_you", now: "whether to trust", transcript: "/t" });
    const keys = (more: Partial<WatchRow>) => drawn([{ ...needing, ...more }], 80).at(-1);
    const pane = { kind: "tmux" as const, socket: "/s", serverPid: 1, serverStart: "1", pane: "%1", panePid: 2, owner: "" };
    expect([keys({}), keys({ pane })]).toEqual([
      "  Enter says where it is   t transcript   q leaves",
      "  Enter goes to its pane   t transcript   q leaves",
    ]);
  });

  it("says that nothing runs", () => {
    expect(drawn([], 80)).toEqual(["nothing runs  ·  $1.20 today", "", "  Nothing runs on this machine.", "", "  q leaves"]);
  });

  it("shows of a hundred rows those around the marked one, within the height", () => {
    const many = Array.from({ length: 100 }, (_, index) => row(`session ${index}`));
    const lines = drawn(many, 80, { marked: "session 57", height: 24 });
    expect([lines.length, lines[0], lines.filter((line) => line.startsWith("❯")).length]).toEqual([
      24,
      "100 sessions  ·  $1.20 today  58 of 100",
      1,
    ]);
  });

  it("escapes what others wrote, and fits every line", () => {
    const lines = drawn([row("session 1", { now: "\x1b[2J\x1b]0;taken\x07".repeat(20), folder: "/\x07" })], 120);
    expect(lines.filter((line) => line.includes("\x1b") || line.includes("\x07") || line.length > 120)).toEqual([]);
  });
});
