import { describe, expect, it } from "vitest";
import { createStyle } from "../../../src/screen/style.ts";
import { leadGoneText } from "../../../src/screen/team/lead-gone-text.ts";
import { placeText, statusChanges, teamStatusText } from "../../../src/screen/team/team-status.ts";
import type { MemberView, TeamStatus } from "../../../src/team/report/team-status.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const at = (seconds: number) => new Date(seconds * 1000).toISOString();

const member = (name: string, facts: Partial<MemberView> = {}): MemberView => ({
  name,
  role: name === "lead" ? "lead" : "teammate",
  definition: null,
  state: "idle",
  pid: 100,
  how: "",
  task: null,
  blocked: [],
  doing: "",
  since: at(0),
  turns: 0,
  tokens: 0,
  context_tokens: null,
  window_tokens: null,
  cost_usd: 0,
  hands: null,
  evidence: null,
  ...facts,
});

const status: TeamStatus = {
  team: "atlas",
  cwd: "/repo",
  created_at: at(0),
  state: "running",
  place: { kind: "tmux", where: "private", panes: [] },
  members: [
    member("lead", { turns: 4, tokens: 12_100, cost_usd: 0.1 }),
    member("ada", {
      state: "working",
      task: "task-4",
      doing: "Edit src/fmt.js",
      turns: 7,
      tokens: 12_400,
      context_tokens: 8_200,
      window_tokens: 200_000,
      cost_usd: 0.03,
      since: at(50),
    }),
    member("bo", { state: "waiting_permission", task: "task-5", doing: "Bash npm test", since: at(59) }),
    member("cy", { blocked: ["task-3"] }),
    member("di", { state: "died", pid: null, since: null }),
    member("ed", { state: "suspended", since: null }),
  ],
  tasks: { open: 2, in_progress: 2, blocked: 1, completed: 3 },
  untold: [],
  failed_tests: [],
  stalled: [],
  tokens: 24_500,
  cost_usd: 0.13,
};

describe("teamStatusText()", () => {
  it("says how far the team is, where it is shown, and what each member does", () => {
    expect(teamStatusText(status, { style, now: new Date(60_000), command: "tool" })).toBe(
      `Team atlas is running: 3 of 8 tasks completed, 2 in progress, 1 blocked, 2 open; $0.13
Shown in tmux, on a server of its own. See it: tool team attach --team atlas

member  state        for    task              turns  window      cost   now
lead    · idle       1m00s                    4                  $0.10
ada     ▶ working    10s    task-4            7      8k of 200k  $0.03  Edit src/fmt.js
bo      ! needs you  1s     task-5            0                  $0.00  asks: Bash npm test
cy      · idle       1m00s  task-3 (blocked)  0                  $0.00
di      ✗ died                                0                  $0.00
ed      ! suspended                           0                  $0.00  resume it with kill -CONT 100`,
    );
  });

  it("fits a terminal with hands at places: what is of least use is shortened or left out first", () => {
    const hands = (place: string) =>
      ({ place, state: "working", restarts: 1, round_trip_ms: 41.3, sent_bytes: 1_250_000, received_bytes: 340_100 }) as const;
    const members = status.members.map((one) => (one.role === "lead" ? one : { ...one, hands: hands("gpu"), definition: "reviewer" }));
    const at = (columns: number) =>
      teamStatusText({ ...status, members }, { style, now: new Date(60_000), command: "tool", columns })
        .split("\n")
        .slice(3);
    expect(at(200)[2]).toContain("at gpu, 41ms, 1 restart, 1.3 MB out, 340 kB in");
    expect(at(80)).toEqual([
      "member  role      state        for    task              hands  now",
      "lead              · idle       1m00s",
      "ada     reviewer  ▶ working    10s    task-4            gpu    Edit src/fmt.js",
      "bo      reviewer  ! needs you  1s     task-5            gpu    asks: Bash npm t…",
      "cy      reviewer  · idle       1m00s  task-3 (blocked)  gpu",
      "di      reviewer  ✗ died                                gpu",
      "ed      reviewer  ! suspended                           gpu    resume it with k…",
    ]);
    expect(at(40)).toEqual([
      "member  state        now",
      "lead    · idle",
      "ada     ▶ working    Edit src/fmt.js",
      "bo      ! needs you  asks: Bash npm test",
      "cy      · idle",
      "di      ✗ died",
      "ed      ! suspended  resume it with kil…",
    ]);
    expect(
      at(20)
        .map((line) => line.length)
        .filter((width) => width > 20),
    ).toEqual([]);
  });

  it("has a column for roles where a teammate has one", () => {
    const members = [member("lead"), member("ada", { definition: "reviewer" }), member("bo", { definition: "x\x1b[2J" })];
    const lines = teamStatusText({ ...status, members }, { style, now: new Date(60_000), command: "tool" }).split("\n");
    expect(lines.slice(3)).toEqual([
      "member  role      state   for    task  turns  window  cost   now",
      "lead              · idle  1m00s        0              $0.00",
      "ada     reviewer  · idle  1m00s        0              $0.00",
      "bo      x\\x1b[2J  · idle  1m00s        0              $0.00",
    ]);
  });

  it("names what blocks the team, and how to resume or stop one without a lead", () => {
    const stalled = ["task-3 is blocked, held by cy: needs the date format"];
    const lines = teamStatusText(
      { ...status, state: "lead_gone", stalled, members: [] },
      { style, now: new Date(60_000), command: "tool", resumable: true },
    ).split("\n");
    expect([lines.slice(0, 4), lines.slice(-4)]).toEqual([
      [
        "Team atlas has lost its lead: 3 of 8 tasks completed, 2 in progress, 1 blocked, 2 open; $0.13",
        "Shown in tmux, on a server of its own. See it: tool team attach --team atlas",
        "Resume: tool team --resume atlas",
        "Stop: tool team stop --team atlas",
      ],
      [
        "",
        "The team is stuck:",
        "  task-3 is blocked, held by cy: needs the date format",
        '    tool team send cy "your answer" --team atlas',
      ],
    ]);
  });

  it("mentions no display after the team has ended", () => {
    const tasks = { open: 0, in_progress: 0, blocked: 0, completed: 0 };
    expect(
      teamStatusText({ ...status, state: "ended", tasks, cost_usd: null, members: [] }, { style, now: new Date(0), command: "tool" })
        .split("\n")
        .slice(0, 2),
    ).toEqual(["Team atlas has ended: no tasks yet; cost unknown", "Report: tool team report --team atlas"]);
  });

  it("says how to continue an ended team while work is left", () => {
    const last = (tasks: TeamStatus["tasks"]) =>
      teamStatusText({ ...status, state: "ended", tasks, members: [] }, { style, now: new Date(0), command: "tool", resumable: true })
        .split("\n")
        .slice(1, 3);
    const all = { open: 0, in_progress: 0, blocked: 0, completed: 2 };
    expect([last(all)[1], last({ ...all, blocked: 1 })[1]]).toEqual([
      expect.not.stringContaining("Resume:"),
      "Resume: tool team --resume atlas",
    ]);
  });

  it("names blocks that the lead could not be told about yet", () => {
    const said = "The lead has not been told yet that task-3, task-9 are blocked: the message could not be written, and is retried.";
    const untold = { ...status, untold: ["task-3", "task-9"] };
    expect(
      teamStatusText(untold, { style, now: new Date(0), command: "tool" })
        .split("\n")
        .slice(-2),
    ).toEqual(["", said]);
    expect(statusChanges(status, untold)).toEqual([said]);
  });

  it("shows an agent's words only as plain text", () => {
    const doing = "\x1b]0;x\x07Bash\nrm";
    const text = teamStatusText(
      { ...status, members: [member("ada", { state: "working", doing })] },
      { style, now: new Date(0), command: "tool" },
    );
    expect(text.split("\n").at(-1)).toBe("ada     ▶ working  0s         0              $0.00  \\x1b]0;x\\x07Bash rm");
  });
});

describe("statusChanges()", () => {
  it("reports everything at first", () => {
    expect(statusChanges(undefined, { ...status, members: status.members.slice(0, 2) })).toEqual([
      "team atlas is running",
      "lead idle",
      "ada working: task-4 Edit src/fmt.js",
      "3 of 8 tasks completed, 2 in progress, 1 blocked, 2 open",
    ]);
  });

  it("then reports only differences, without counters", () => {
    const [lead, ada, ...rest] = status.members;
    const members = [
      { ...lead!, turns: 5, tokens: 13_000 },
      { ...ada!, state: "ended" as const, task: null, doing: "", how: "stopped" },
      ...rest,
    ];
    const after: TeamStatus = { ...status, members, stalled: ["task-4 is in progress with ada, who does not work in this team now."] };
    expect(statusChanges(status, status)).toEqual([]);
    expect(statusChanges(status, after)).toEqual([
      "ada ended: stopped",
      "the team is stuck: task-4 is in progress with ada, who does not work in this team now.",
    ]);
  });
});

describe("placeText()", () => {
  it("says where each kind of display is shown", () => {
    const text = (place: TeamStatus["place"], leadPid: number | null = 42) => placeText(place, { team: "atlas", leadPid, command: "tool" });
    expect([
      text({ kind: "tmux", where: "beside", panes: [] }),
      text({ kind: "tmux", where: "detached", panes: [] }),
      text({ kind: "tabs" }),
      text({ kind: "lead", panes: [] }),
      text({ kind: "lead", panes: [] }, null),
      text({ kind: "logs", files: ["/a.log", "/b.log"] }),
      text({ kind: "nowhere" }),
    ]).toEqual([
      "Shown in tmux, in its lead's session. See it: tool team attach --team atlas",
      "Shown in tmux, on a server of its own, detached. See it: tool team attach --team atlas",
      "Shown in tabs of iTerm2, beside the lead's.",
      "Shown in the terminal of the lead, process 42.",
      "Shown in the lead's terminal.",
      "Not shown anywhere. Logs: /a.log /b.log",
      "Its members are other programs.",
    ]);
  });
});

it("leadGoneText() says what happens to the teammate and which command resumes the team", () => {
  const team = { team: "atlas", command: "tool" };
  expect([leadGoneText("ada", 120_000, team), leadGoneText("ada", 0, team)]).toEqual([
    "The lead is gone. ada waits 2m00s for it, then ends; its work is kept. To resume the team: tool team --resume atlas",
    "The lead is gone. ada ends; its work is kept. To resume the team: tool team --resume atlas",
  ]);
});
