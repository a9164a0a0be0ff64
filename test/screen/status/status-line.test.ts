import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { memberStatusLine, paneTitle, teamStatusLine } from "../../../src/screen/status/status-line.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { MemberState, MemberStatus } from "../../../src/team/report/status.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const nowMs = Date.parse("2026-01-01T00:01:00Z");

const task = (id: number, status: Task["status"], assigned_to: string | null = null) =>
  ({ id: `task-${id}`, title: "Format amounts", status, assigned_to }) as Task;
const member = (name: string, state: MemberState, more: Partial<MemberStatus> = {}): MemberStatus => ({
  name,
  pid: 1,
  start: "1",
  nonce: "",
  session: "",
  state,
  task: null,
  doing: "",
  since: "2026-01-01T00:00:48Z",
  turns: 3,
  tokens: 8_100,
  cached_tokens: 0,
  context_tokens: 48_200,
  window_tokens: 200_000,
  cost_usd: 0.07,
  ...more,
});

const tasks = [
  task(1, "completed"),
  task(2, "completed"),
  task(6, "completed"),
  task(3, "blocked", "cy"),
  task(4, "in_progress", "ada"),
  task(5, "in_progress", "bo"),
  task(7, "open"),
  task(8, "open"),
];
const lead = member("lead", "idle", { cost_usd: 0 });
const ada = member("ada", "working", { task: "task-4", doing: "Edit src/fmt.ts" });
const bo = member("bo", "working", { task: "task-5", doing: "Bash npm test" });
const cy = member("cy", "idle");
const widths = [40, 60, 80, 120, 200];

describe("teamStatusLine()", () => {
  const at = (view: Omit<Parameters<typeof teamStatusLine>[0], "nowMs" | "tasks">) =>
    widths.map((width) => teamStatusLine({ ...view, tasks, nowMs }, style, width));

  it("drops words before states", () => {
    expect(at({ members: [lead, ada, bo, cy], costUsd: 0.21, hint: { text: "Ctrl-O: show ada", urgent: false } })).toEqual([
      "3✓ 2▶ 1! 2· ada ▶4 bo ▶5 cy !3",
      "3✓ 2▶ 1! 2 waiting │ ada ▶4 │ bo ▶5 │ cy !3 │ $0.21",
      "3✓ 2▶ 1! 2 waiting │ ada ▶4 │ bo ▶5 │ cy !3 │ $0.21",
      "3 ✓  2 ▶  1 !  2 waiting │ ada ▶ task-4 Edit src/fmt.ts 12s │ bo ▶ task-5 Bash npm test 12s │ cy ! task-3 │ $0.21",
      "3 ✓  2 ▶  1 !  2 waiting │ ada ▶ task-4 Edit src/fmt.ts 12s │ bo ▶ task-5 Bash npm test 12s │ cy ! task-3 │ $0.21 │ Ctrl-O: show ada",
    ]);
  });

  it("begins with the member that needs the person and the key to press", () => {
    const waiting = member("ada", "waiting_permission", { task: "task-4", doing: "Bash npm publish" });
    expect(at({ members: [lead, waiting, bo, cy], costUsd: 0.21, hint: { text: "ada needs you: Ctrl-O", urgent: true } })).toEqual([
      "! ada needs you: Ctrl-O │ 3✓ 2▶ 1! 2·",
      "! ada needs you: Ctrl-O │ 3✓ 2▶ 1! 2· ada !4 bo ▶5 cy !3",
      "! ada needs you: Ctrl-O │ 3✓ 2▶ 1! 2 waiting │ ada !4 │ bo ▶5 │ cy !3 │ $0.21",
      "! ada needs you: Ctrl-O │ 3 ✓  2 ▶  1 !  2 waiting │ ada ! needs you task-4 │ bo ▶ task-5 12s │ cy ! task-3 │ $0.21",
      "! ada needs you: Ctrl-O │ 3 ✓  2 ▶  1 !  2 waiting │ ada ! needs you task-4 Bash npm publish │ bo ▶ task-5 Bash npm test 12s │ cy ! task-3 │ $0.21",
    ]);
  });

  it("says in words what a symbol alone would not: nothing to do yet, idle, between two tasks", () => {
    const idle = { tasks: [], nowMs, costUsd: 0.07, members: [lead, member("cy", "idle")] };
    expect([200, 24, 16].map((width) => teamStatusLine(idle, style, width))).toEqual([
      "no tasks yet │ cy · idle │ $0.07",
      "no tasks │ cy · │ $0.07",
      "no tasks cy ·",
    ]);
    const done = { tasks: [task(1, "completed")], nowMs, costUsd: 0.07, members: [lead, member("ada", "working")] };
    expect(teamStatusLine(done, style, 200)).toBe("1 ✓ │ ada ▶ working 12s │ $0.07");
  });

  it("never wraps, whatever names, texts and widths there are", () => {
    const state = fc.constantFrom<MemberState>("starting", "working", "waiting_permission", "idle", "stopping");
    const anyone = fc.record({
      name: fc.string({ unit: "grapheme", maxLength: 30 }),
      state,
      doing: fc.string({ unit: "binary", maxLength: 60 }),
    });
    fc.assert(
      fc.property(fc.array(anyone, { maxLength: 8 }), fc.integer({ min: 1, max: 200 }), (people, width) => {
        const members = people.map((person) => member(person.name, person.state, person));
        const line = teamStatusLine({ tasks, members, costUsd: 1, nowMs, hint: { text: "someone needs you", urgent: true } }, style, width);
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/\n|\r/);
      }),
      { numRuns: 20 },
    );
  });
});

describe("memberStatusLine()", () => {
  it("keeps the state and the way back longest", () => {
    const lines = widths.map((width) => memberStatusLine(ada, { style, nowMs, mode: "plan", wayBack: "Ctrl-O: back to the lead", width }));
    expect(lines).toEqual([
      "ada ▶ │ Ctrl-O: back to the lead",
      "ada ▶ │ task-4 │ Ctrl-O: back to the lead",
      "ada ▶ │ task-4 Edit src/fmt.ts 12s │ plan │ Ctrl-O: back to the lead",
      "ada ▶ │ task-4 Edit src/fmt.ts 12s │ plan (Shift-Tab) │ 3 turns  48k of 200k  $0.07 │ Ctrl-O: back to the lead",
      "ada ▶ │ task-4 Edit src/fmt.ts 12s │ plan (Shift-Tab) │ 3 turns  48k of 200k  $0.07 │ Ctrl-O: back to the lead",
    ]);
  });
});

describe("memberStatusLine() before the first turn", () => {
  it("says only the state", () => {
    const line = (status: MemberStatus) => memberStatusLine(status, { style, nowMs, mode: "default", wayBack: "", width: 80 });
    expect(line(member("cy", "idle", { turns: 0 }))).toBe("cy · idle │ default (Shift-Tab)");
    expect(line(member("cy", "idle"))).toBe("cy · idle │ default (Shift-Tab) │ 3 turns  48k of 200k  $0.07");
  });
});

describe("memberStatusLine() with a long command", () => {
  it("cuts the command before it drops figures", () => {
    const status = member("bo", "working", { task: "task-9", doing: "Bash node bin/report.js samples/shop.log --objectives all.json" });
    expect(memberStatusLine(status, { style, nowMs, mode: "default", wayBack: "", width: 90 })).toBe(
      "bo ▶ │ task-9 Bash node bin/report.js sampl… 12s │ 3 turns  48k of 200k  $0.07",
    );
  });
});

describe("memberStatusLine() while the person's own command runs", () => {
  it("shows it with the key that ends it, unless the teammate is working", () => {
    const of = (status: MemberStatus) =>
      memberStatusLine(status, { style, nowMs, mode: "default", wayBack: "", command: "npm run a-long-script --watch", width: 80 });
    expect(of(member("bo", "idle"))).toContain("!npm run a-long-script -…: Esc interrupts");
    expect(of(ada)).not.toContain("Esc interrupts");
  });
});

describe("paneTitle()", () => {
  it("shows the state, and says in words that the person is needed", () => {
    const states: MemberStatus[] = [ada, member("ada", "waiting_permission", { task: "task-4" }), member("ada", "waiting_permission"), cy];
    expect(states.map((status) => paneTitle(status, tasks, style))).toEqual([
      "ada ▶ task-4 Format amounts",
      "ada ! needs you task-4 Format amounts",
      "ada ! needs you",
      "cy ! task-3 Format amounts: blocked",
    ]);
  });
});
