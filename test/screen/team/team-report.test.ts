import { describe, expect, it } from "vitest";
import type { TeamEvent } from "../../../src/board/event.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { byGit, byId, completedText, settledLines, teamReportText } from "../../../src/screen/team/team-report.ts";
import { teamReport } from "../../../src/team/report/report.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const member = (name: string, tokens: number): MemberStatus => ({
  name,
  pid: 1,
  start: "1",
  nonce: "",
  session: "",
  state: "idle",
  task: null,
  doing: "",
  since: at(0),
  turns: 1,
  tokens,
  cached_tokens: tokens / 2,
  cost_usd: 0.1,
});

const report = teamReport({
  team: "atlas",
  tasks: [
    {
      id: "task-1",
      title: "One",
      description: "",
      status: "completed",
      assigned_to: "ada",
      dependencies: [],
      created_at: at(0),
      summary: "Done one, all tests pass",
      evidence: { kind: "test", command: "npm test", result: "failed", summary: "1 of 12 failed: keeps the currency", at: at(40) },
    },
    {
      id: "task-2",
      title: "Two",
      description: "",
      status: "blocked",
      assigned_to: "bo",
      dependencies: ["task-1"],
      created_at: at(0),
      blocked_reason: "no key",
    },
  ],
  events: [
    { kind: "task_blocked", at: at(10), by: "ada", revision: 3, task: "task-1", title: "One", assigned_to: "ada", reason: "which format?" },
    { kind: "message_sent", at: at(12), by: "lead", message: "m", mail: "message", to: "ada", text: "ISO" },
    { kind: "task_resumed", at: at(15), by: "ada", revision: 4, task: "task-1", title: "One", assigned_to: "ada" },
    { kind: "member_ended", at: at(20), by: "lead", member: "cy", how: "its pane was closed" },
    { kind: "task_blocked", at: at(50), by: "bo", revision: 6, task: "task-2", title: "Two", assigned_to: "bo", reason: "no key" },
  ] satisfies TeamEvent[],
  members: [member("lead", 1000), member("ada", 3000), member("bo", 4000)],
  incidents: [
    ...[1, 2].map(() => ({
      kind: "denied" as const,
      agent: "ada",
      tool: "Bash",
      subject: "npm publish\u001b[2J",
      reason: "It would be allowed by --allow 'Bash(npm publish)'.",
    })),
    { kind: "max_turns", agent: "bo", item: "the session", reason: "The limit of 9 turns was reached." },
    { kind: "failed", agent: "bo/probe", item: "look\u001b[2J", reason: "It crashed.\nTwice." },
  ],
  changes: (name, task) => (name === "ada" && task === "task-1" ? [{ path: "src/a.js", added: 41, removed: 12 }, { path: "big.csv" }] : []),
  startedAt: new Date(0),
  endedAt: new Date(60_000),
});

describe("teamReport()", () => {
  it("says what was done, by whom, at what cost, and what prevented the rest", () => {
    expect(teamReportText(report, createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" }))).toBe(
      [
        "Team atlas ended: 1 of 2 tasks in 1m00s by 2 teammates, 8.0k tokens (50 % from cache), $0.30",
        "",
        "task-1   ! ada    Done one, all tests pass · last test ✗ 1 of 12 failed: keeps the currency  src/a.js +41 −12 big.csv",
        "task-2   ! bo     Two (blocked: no key)",
        "",
        "Was blocked: task-1 for 5.0s (which format?; answered by lead).",
        "Was blocked: task-2 for 10s (no key).",
        "Meanwhile: cy ended: its pane was closed.",
        "Denied: ada Bash npm publish\\x1b[2J. It would be allowed by --allow 'Bash(npm publish)'. (2 times)",
        "Failed: bo: The limit of 9 turns was reached.",
        "Failed: bo/probe: look\\x1b[2J: It crashed.",
        "Timeline: tool team report --team atlas",
      ].join("\n"),
    );
  });

  it("says what to do next when the team is done", () => {
    const done = {
      ...report,
      completed: 2,
      tasks: report.tasks.map((task) => ({ ...task, status: "completed" as const, summary: "Done", evidence: null })),
    };
    const linesOf = (checked?: string) => completedText(done, createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" }), checked)?.split("\n") ?? [];
    const lines = linesOf();
    expect([lines[0], lines.at(-1)]).toEqual([
      "Team atlas so far: 2 of 2 tasks in 1m00s by 2 teammates, 8.0k tokens (50 % from cache), $0.30",
      "2 of 2 tasks are completed. Type to continue, Ctrl-C twice to end.",
    ]);
    expect(linesOf("There npm test fails:\nno \x1b[2J").slice(3, -1)).toEqual(["", "There npm test fails:", "no \\x1b[2J", ""]);
    expect(lines.slice(1, 3)).toEqual([
      "task-1   ✓ ada    Done · tests unknown  src/a.js +41 −12 big.csv",
      "task-2   ✓ bo     Done · tests unknown",
    ]);
  });

  it("says nothing about an end while the lead has new tasks", () => {
    expect([report.completed, completedText(report, createStyle({ NO_COLOR: "1" }))]).toEqual([1, undefined]);
  });

  it("names the location of the work and every remaining worktree, with a command that can be pasted", () => {
    const branch = "tool/team-1/merged";
    const bo = {
      name: "bo",
      folder: "/repo 🌳-team-1/bo",
      branch: "tool/team-1/bo",
      why: "it has files that are not committed: a.ts",
      isThere: true,
    };
    const ada = { ...bo, name: "ada", branch: "tool/team-1/ada", why: "its folder is removed. git is busy", isThere: false };
    expect(settledLines({ branch, commits: 0, how: byGit("/repo 🌳", branch) }, [ada, bo])).toEqual([
      "Kept: the worktree /repo 🌳-team-1/bo, branch tool/team-1/ada: its folder is removed. git is busy",
      "Kept: the worktree /repo 🌳-team-1/bo, branch tool/team-1/bo: it has files that are not committed: a.ts",
      "To remove one: git -C '/repo 🌳' worktree remove --force '/repo 🌳-team-1/bo' && git -C '/repo 🌳' branch -D tool/team-1/bo",
    ]);
    expect(settledLines({ branch, commits: 1, isTaken: true, how: byGit("/repo", branch) }, [])).toEqual([
      "The team's work is on the branch tool/team-1/merged (1 commit).",
      "Your branch has it. To remove the team's: git -C /repo branch -D tool/team-1/merged",
    ]);
    expect(settledLines({ branch, commits: 1, tested: "npm test passes there", how: byId("tool", "atlas") }, [bo])).toEqual([
      "The team's work is on the branch tool/team-1/merged (1 commit); npm test passes there.",
      "To look at it: tool changes atlas. To take it into your branch: tool take atlas",
      "Kept: the worktree /repo 🌳-team-1/bo, branch tool/team-1/bo: it has files that are not committed: a.ts",
      "To remove one: tool drop atlas/bo",
    ]);
  });

  it("names the branch and the worktrees of the team last", () => {
    const worktrees = ["The team's work is on the branch tool/team-1/merged", "Kept: the worktree /repo-team-1/\x1b[2J"];
    const text = teamReportText(report, createStyle({ NO_COLOR: "1" }), { timeline: [], resumable: true, worktrees });
    expect(text.split("\n").slice(-3)).toEqual([
      "Resume: tool team --resume atlas",
      "The team's work is on the branch tool/team-1/merged",
      "Kept: the worktree /repo-team-1/\\x1b[2J",
    ]);
  });

  it("says how to continue while work is left", () => {
    const style = createStyle({ NO_COLOR: "1" });
    const last = (of: typeof report) => teamReportText(of, style, { resumable: true }).split("\n").at(-1);
    const done = { ...report, completed: 2 };
    expect([last(report), last(done)]).toEqual(["Resume: tool team --resume atlas", "Timeline: tool team report --team atlas"]);
  });

  it("shows an unknown price as unknown", () => {
    const text = teamReportText({ ...report, cost_usd: null }, createStyle({ NO_COLOR: "1" }));
    expect(text.split("\n")[0]).toBe("Team atlas ended: 1 of 2 tasks in 1m00s by 2 teammates, 8.0k tokens (50 % from cache), cost unknown");
  });
});
