// The commands with which a person manages a team from another terminal: the built program, real teams, real processes, real tmux.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownerOf } from "../../src/edge/processes/linux.ts";
import { call, gate, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually, type Program, start } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";
import { type PersonsShell, personsShell } from "./persons-shell.ts";
import { isAlive } from "./persons-tmux.ts";

/** The lead creates one task and starts ada, who works on it until the gate opens. */
function oneAtWork(rest: Part = []) {
  const open = gate(call("TaskUpdate", { id: "task-1", status: "completed", summary: "did it" }));
  const cast: Record<string, Part> = {
    lead: [[call("TaskCreate", { title: "First", description: "do it" }), call("SpawnTeammate", { name: "ada" })], text("Started.")],
    ada: [...rest, open.answer, text("done")],
  };
  return { cast, open: open.open };
}

type Running = { place: Place; run: Program; ran: (...args: string[]) => Promise<Ran> };
type Ran = { code: number | null; output: string };

type RunningOptions = { display?: string; env?: Record<string, string>; settings?: object };

/** Disabled, because no process outlives its command in the sandbox. */
const unshielded = { settings: { sandbox: { enabled: false } } };

/** A team without a terminal, while it works. */
async function runningTeam(cast: Record<string, Part>, options: RunningOptions = {}): Promise<Running> {
  const place = teamPlace();
  if (options.settings) place.write("config/settings.json", JSON.stringify(options.settings));
  const api = await provider(cast);
  const args = ["team", "--print", "--display", options.display ?? "tmux", "--allow", "Bash", "--allow", "Edit", "Do the work."];
  const run = place.tool(args, { env: { ...api.env, ...options.env } });
  const { tasks, status, events } = place.team();
  await eventually(() => tasks()[0]?.status === "in_progress" && status("lead")?.state === "idle");
  // Each process writes its own files, in no fixed order.
  await eventually(() => status("ada")?.task === "task-1" && events().some(({ kind }) => kind === "member_started"));
  return { place, run, ran: (...command) => finished(place.warm(command)) };
}

async function finished(program: Pick<Program, "output"> & { ended: Promise<{ code: number | null }> }): Promise<Ran> {
  const { code } = await program.ended;
  return { code, output: program.output() };
}

/** Without process ids, times and the path of the built program, which vary. */
function plain(output: string): string[] {
  return output
    .trimEnd()
    .split("\n")
    .map((line) =>
      line
        .replace(/process(es)? \d+/g, "process$1 N")
        .replace(/\b(\d+m)?\d+(\.\d+)?m?s\b/g, "T")
        .replace(/node \S+\/bin\/tool\.js/, "tool"),
    );
}

/** Resolves when a killed one is gone: a command may ask at once who lives. */
async function kill({ place }: Running, member: string, signal: NodeJS.Signals): Promise<void> {
  const pid = place.team().status(member)?.pid ?? 0;
  process.kill(pid, signal);
  if (signal === "SIGKILL") await eventually(() => !isAlive(pid));
}

describe("tool team status, report, attach and stop", () => {
  it("show a team without a terminal in its work and after it", async () => {
    const { cast, open } = oneAtWork();
    const { place, run, ran } = await runningTeam(cast);
    await statusAtWork(ran);
    const during = plain((await ran("team", "report")).output);
    expect(await ran("team", "attach")).toEqual({
      code: 2,
      output: "tool: cannot show team atlas: this is not a terminal. From here: tool team status --team atlas\n",
    });
    const watch = place.tool(["team", "status", "--watch"]);
    const shell = personsShell(place);
    await watchedInPlace(shell);
    shell.type("clear; tool team attach; echo code $?");
    await shell.sees(/─ ada/);
    await eventually(() => watch.output().includes("1 in progress"));
    open();
    expect((await run.ended).code).toBe(0);
    await watchedToTheEnd(watch);
    const screen = await shell.sees(/^code 0$/);
    expect(screen.find((line) => line.startsWith("Team "))?.split(" in ")[0]).toBe("Team atlas finished: 1 of 1 tasks");
    await reportedAfter(during, ran);
    expect(run.output()).toMatch(/Timeline: tool team report --team atlas\n$/);
    const off = { TOOL_EXPERIMENTAL_AGENT_TEAMS: "" };
    const again = await finished(place.warm(["team", "stop", "atlas", "--json"], { env: off }));
    expect([again.code, JSON.parse(again.output)]).toEqual([
      0,
      { ok: true, team: "atlas", outcome: "nothing_ran", reaped: [], completed: 1, tasks: 1 },
    ]);
  });
});

/** As text and as JSON. */
async function statusAtWork(ran: Running["ran"]): Promise<void> {
  const { output } = await ran("team", "status");
  expect(plain(output).map((line) => line.replace(/ +/g, " ").replace(/ \S+ of 200k \$\S+/, " USED"))).toEqual([
    expect.stringMatching(/^Team atlas is running: 0 of 1 tasks completed, 1 in progress;/),
    "Shown in tmux, on a server of its own, detached. See it: tool team attach --team atlas",
    "",
    "member state for task turns window cost now",
    expect.stringMatching(/^lead · idle \S+ 2 /),
    expect.stringMatching(/^ada ▶ working \S+ task-1 0 /),
  ]);
  const { members, tasks, stalled, state } = JSON.parse((await ran("team", "status", "atlas", "--json")).output);
  expect({
    state,
    tasks,
    stalled,
    members: members.map(({ name, state, task }: Record<string, unknown>) => [name, state, task]),
  }).toEqual({
    state: "running",
    tasks: { open: 0, in_progress: 1, blocked: 0, completed: 0 },
    stalled: [],
    members: [
      ["lead", "idle", null],
      ["ada", "working", "task-1"],
    ],
  });
}

/** On a terminal, where Ctrl-C leaves the last state behind. */
async function watchedInPlace(shell: PersonsShell): Promise<void> {
  shell.type("tool team status --watch; echo code $?");
  await shell.sees(/^ada +▶ working/);
  shell.press("C-c");
  const screen = await shell.sees(/^code 130$/);
  expect(screen.filter((line) => /^(Team|lead|ada) /.test(line)).map((line) => line.split(" ")[0])).toEqual(["Team", "lead", "ada"]);
}

/** Without a terminal: a line for each change. */
async function watchedToTheEnd(watch: Program): Promise<void> {
  const { code, output } = await finished(watch);
  const facts = output
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\d\d:\d\d /, ""));
  expect([code, facts.slice(0, 4), facts.includes("1 of 1 tasks completed"), facts.includes("team atlas has ended")]).toEqual([
    0,
    ["team atlas is running", "lead idle", "ada working: task-1", "0 of 1 tasks completed, 1 in progress"],
    true,
    true,
  ]);
}

/** With the timeline. */
async function reportedAfter(during: string[], ran: Running["ran"]): Promise<void> {
  const after = plain((await ran("team", "report", "--team", "atlas")).output);
  const { running, ended, exit_code, completed } = JSON.parse((await ran("team", "report", "--json")).output);
  const facts = (lines: string[]) => lines.slice(lines.indexOf("Timeline:") + 1).map((line) => line.trim().slice("00:00 ".length));
  // the lead logs ada's start, while ada logs what it does
  expect([during[0]?.split(" in ")[0], facts(during).sort()]).toEqual([
    "Team atlas so far: 0 of 1 tasks",
    ["ada claimed task-1 First", "ada started", "lead created task-1 First"],
  ]);
  expect([after[0]?.split(" in ")[0], facts(after).slice(3), { running, ended, exit_code, completed }]).toEqual([
    "Team atlas finished: 1 of 1 tasks",
    ["ada completed task-1: did it (no test was run)", "ada ended: stopped"],
    { running: false, ended: "completed", exit_code: 0, completed: 1 },
  ]);
}

describe("tool team status and stop", () => {
  it("asks the lead, which stops its teammates", async () => {
    const { cast } = oneAtWork();
    const team = await runningTeam(cast);
    const stopped = await team.ran("team", "stop");
    expect([stopped.code, plain(stopped.output)]).toEqual([
      0,
      [
        "Asking the lead, process N, to stop its team.",
        "ada has ended.",
        "Team atlas is stopped. 0 of 1 tasks are completed.",
        "  Report: tool team report --team atlas",
        "  Resume: tool team --resume atlas",
      ],
    ]);
    const [task] = team.place.team().tasks();
    expect([(await team.run.ended).code, team.place.team().exit("ada")?.reason, task?.status]).toEqual([130, "stopped", "blocked"]);
  });

  it("does the lead's work when the lead is dead: teammates, what they started, panes, the tmux server", async () => {
    const { cast } = oneAtWork([call("Bash", { command: "setsid sleep 600 >/dev/null 2>&1 & echo $! > pid" })]);
    const team = await runningTeam(cast, unshielded);
    const { place } = team;
    await eventually(() => existsSync(join(place.repository, "pid")) && place.team().status("ada")?.turns === 1);
    await kill(team, "lead", "SIGKILL");
    await team.run.ended;
    const lost = (await team.ran("team", "status")).output;
    expect([lost.split("\n")[0]?.split(":")[0], /lead +✗ died/.test(lost)]).toEqual(["Team atlas has lost its lead", true]);
    const stopped = await team.ran("team", "stop");
    expect([stopped.code, plain(stopped.output)]).toEqual([
      0,
      [
        "ada, process N: stopped",
        `the socket ${place.env["TMUX_TMPDIR"]}/tmux-${process.getuid?.()}/tool-atlas of a tmux server that has ended: removed`,
        "Team atlas is stopped. 0 of 1 tasks are completed.",
        "  Report: tool team report --team atlas",
        "  Resume: tool team --resume atlas",
      ],
    ]);
    expect(
      place
        .team()
        .record()
        ?.members.map(({ name, ended }) => [name, ended?.how]),
    ).toEqual([
      ["lead", undefined],
      ["ada", "stopped"],
    ]);
  });

  it("of a dead team keeps when and how its members ended, blocks what they held, and does so once", async () => {
    const { cast } = oneAtWork([call("Write", { path: "half.txt", content: "half" })]);
    const team = await runningTeam(cast, { display: "in-process" });
    const files = team.place.team();
    await eventually(() => files.status("ada")?.turns === 1);
    await kill(team, "lead", "SIGKILL");
    await team.run.ended;
    await eventually(() => files.exit("ada") && processesOf(team.place.folder).length === 0);
    const first = await team.ran("team", "stop");
    const [record, tasks] = [files.record(), files.tasks()];
    const second = await team.ran("team", "stop");
    expect([first.code, plain(first.output), second.output]).toEqual([
      0,
      [
        "task-1, in progress with ada, whose process has ended: blocked",
        "Team atlas is stopped. 0 of 1 tasks are completed.",
        "  Report: tool team report --team atlas",
        "  Resume: tool team --resume atlas",
      ],
      "Nothing to stop: team atlas is not running. 0 of 1 tasks are completed.\n",
    ]);
    expect(record?.members[1]?.ended).toEqual({ how: "ended by SIGHUP", at: files.exit("ada")?.at, with_team: true });
    expect(tasks.map(({ status, blocked_reason }) => [status, blocked_reason])).toEqual([
      ["blocked", "ada is gone: ended by SIGHUP, and the team was stopped; files touched: half.txt"],
    ]);
    expect([files.record(), files.tasks()]).toEqual([record, tasks]);
  });

  it("kills a lead that is suspended, and blocks what a dead teammate held", async () => {
    const { cast } = oneAtWork();
    const team = await runningTeam(cast);
    await kill(team, "lead", "SIGSTOP");
    expect((await team.ran("team", "status")).output).toMatch(/lead +! suspended .*kill -CONT \d+/);
    await kill(team, "ada", "SIGKILL");
    const stopped = await team.ran("team", "stop");
    expect([
      stopped.code,
      plain(stopped.output)[0],
      team.place
        .team()
        .tasks()
        .map(({ status, blocked_reason }) => [status, blocked_reason]),
    ]).toEqual([
      0,
      "The lead, process N, is suspended by a signal and cannot stop its team: killing it.",
      [["blocked", "ada is gone: its process died, and the team was stopped"]],
    ]);
  });

  it("keeps a tmux server in which the person has a pane", async () => {
    const { cast } = oneAtWork();
    const team = await runningTeam(cast);
    const { env } = team.place;
    const tmux = (...command: string[]) => execFileSync("tmux", ["-L", "tool-atlas", ...command], { env, encoding: "utf8" }).trim();
    tmux("new-window", "-d", "exec sleep 600");
    await kill(team, "lead", "SIGKILL");
    await kill(team, "ada", "SIGKILL");
    const stopped = await team.ran("team", "stop");
    const left = tmux("list-panes", "-a", "-F", "#{pane_start_command}");
    tmux("kill-server");
    const socket = `${env["TMUX_TMPDIR"]}/tmux-${process.getuid?.()}/tool-atlas`;
    expect([stopped.code, plain(stopped.output).slice(0, 2), left]).toEqual([
      0,
      ["the pane of ada: closed", `the tmux server ${socket}, process N: left running: it has 1 pane of yours`],
      '"exec sleep 600"',
    ]);
    expect((await team.ran("team", "gc")).output).toBe(`atlas: the socket ${socket} of a tmux server that has ended: removed\n`);
  });

  it("is not for agents, nor is gc", async () => {
    const place = teamPlace();
    const asAgent = (command: string) => finished(place.warm(["team", command], { env: { TOOL_OWNER: "s1:ada" } }));
    const [stop, gc] = [await asAgent("stop"), await asAgent("gc")];
    expect([stop.code, gc.code, stop.output]).toEqual([3, 3, expect.stringMatching(/^tool: cannot run this as an agent/)]);
  });
});

describe("tool team gc", () => {
  it("lists and then ends what a killed team left, and nothing else", async () => {
    const { cast } = oneAtWork([call("Bash", { command: "setsid sleep 600 >/dev/null 2>&1 & echo $! > pid" })]);
    const team = await runningTeam(cast, unshielded);
    const { place } = team;
    await eventually(() => existsSync(join(place.repository, "pid")) && place.team().status("ada")?.turns === 1);
    const bystander = start(["sleep", "600"], { env: { TOOL_OWNER: "another-session:ada" } });
    const nothing = (await team.ran("team", "gc")).output;
    await kill(team, "lead", "SIGKILL");
    await kill(team, "ada", "SIGKILL");
    await team.run.ended;
    // The shell that waits for her next command ends with her, but after her.
    const pid = readFileSync(join(place.repository, "pid"), "utf8").trim();
    const startedByAda = () => processesOf(place.folder).filter((running) => ownerOf(running.pid)?.includes(":ada"));
    await eventually(() => startedByAda().every((running) => String(running.pid) === pid));
    const launch = place.write("config/teams/atlas/members/ada/launch.json", "{}");
    const fresh = place.write("config/teams/atlas/members/lead/launch.json", "{}");
    utimesSync(launch, new Date(0), new Date(0));
    const socket = `${place.env["TMUX_TMPDIR"]}/tmux-${process.getuid?.()}/tool-atlas`;
    const what = [
      "process PID that ada started",
      "the pane of ada",
      `the tmux server ${socket}, process N`,
      "the unread launch file of ada",
      "task-1, in progress with ada, whose process has ended",
    ];
    const rows = (outcomes: string[]) => what.map((thing, index) => `atlas: ${thing}: ${outcomes[index]}`);
    const lines = (output: string) => plain(output.replace(`process ${pid}`, "process PID"));
    const dry = await team.ran("team", "gc", "--dry-run");
    const real = await team.ran("team", "gc");
    utimesSync(fresh, new Date(0), new Date(0));
    const json = JSON.parse((await team.ran("team", "gc", "--json")).output);
    expect([nothing, lines(dry.output), lines(real.output), json]).toEqual([
      "Nothing is left over. Looked at 1 team.\n",
      rows(["would be ended", "would be ended", "would be ended", "would be removed", "would be blocked"]),
      rows(["ended", "closed", "ended", "removed", "blocked"]),
      {
        ok: true,
        dry_run: false,
        teams: 1,
        found: [{ team: "atlas", kind: "launch_file", what: "the unread launch file of lead", outcome: "done", how: "removed" }],
        notes: [],
      },
    ]);
    const { status, blocked_reason } = place.team().tasks()[0] ?? {};
    expect([status, blocked_reason, isAlive(bystander.pid)]).toEqual([
      "blocked",
      "ada is gone: its process died, and the lead is gone",
      true,
    ]);
  });

  it("lets teammates wait for their lead for the configured time, and ends them after that", async () => {
    const { cast } = oneAtWork();
    const team = await runningTeam(cast);
    await kill(team, "lead", "SIGKILL");
    await team.run.ended;
    const waits = await team.ran("team", "gc");
    const note = join(team.place.team().folder, "members/lead/gone.json");
    const seen = JSON.parse(readFileSync(note, "utf8"));
    team.place.write(
      "config/teams/atlas/members/lead/gone.json",
      JSON.stringify({ ...seen, seen_at: new Date(Date.now() - 3_600_000).toISOString() }),
    );
    const ended = await team.ran("team", "gc");
    expect([plain(waits.output)[0]?.replace(/until \S+/, "until THEN"), plain(ended.output)[0]]).toEqual([
      "atlas: ada, process N, waits for its lead until THEN and then ends. To end it now: tool team stop --team atlas",
      "atlas: ada, process N: stopped",
    ]);
  });
});

describe("tool team attach", () => {
  it("finds a team's own tmux server again after a detach, and ends with the team's summary and code", async () => {
    const place = teamPlace();
    const { cast } = oneAtWork();
    const api = await provider(cast);
    const shell = personsShell(place, { env: api.env });
    shell.type('clear; tool team --display tmux "Do the work."; echo code $?');
    await eventually(() => place.team().tasks()[0]?.status === "in_progress");
    await shell.sees(/─ lead/);
    shell.press("C-b", "d");
    await shell.sees(/^ {2}See it again: tool team attach --team atlas$/);
    shell.type("clear; tool team attach atlas; echo code $?");
    await shell.sees(/─ lead/);
    shell.press("C-b", "d");
    await shell.sees(/^code 0$/);
    shell.type("clear; tool team attach; echo code $?");
    await shell.sees(/─ lead/);
    const stopped = await finished(place.warm(["team", "stop"]));
    const screen = await shell.sees(/^code 130$/);
    expect([stopped.code, screen.find((line) => line.startsWith("Team "))?.split(" in ")[0]]).toEqual([
      0,
      "Team atlas ended: 0 of 1 tasks",
    ]);
  });

  it("switches to the lead's pane inside the same tmux", async () => {
    const place = teamPlace();
    const { cast, open } = oneAtWork();
    const api = await provider(cast);
    const shell = personsShell(place, { inTmux: true, env: api.env });
    shell.type('tool team --display tmux "Do the work."');
    await eventually(() => place.team().tasks()[0]?.status === "in_progress");
    shell.press("-l", "to the lead");
    await shell.sees(/to the lead/);
    shell.press("C-a", "c");
    await shell.misses(/to the lead/);
    shell.type("tool team attach; echo code $? > code");
    await shell.sees(/to the lead/);
    const code = join(place.repository, "code");
    const shown = await eventually(() => existsSync(code) && (readFileSync(code, "utf8") || undefined));
    open();
    expect([shown, (await finished(place.warm(["team", "stop"]))).code]).toEqual(["code 0\n", 0]);
  });

  it("suggests alternatives if there is nothing to attach to", async () => {
    const { cast, open } = oneAtWork();
    const { place, run, ran } = await runningTeam(cast, { display: "in-process" });
    const inProcess = await ran("team", "attach");
    open();
    await run.ended;
    await ran("team", "create", "relay", "--members", "ann");
    expect(
      [inProcess, await ran("team", "attach", "atlas"), await ran("team", "attach", "--team", "relay")].map(({ code, output }) => [
        code,
        ...plain(output),
      ]),
    ).toEqual([
      [
        2,
        "tool: team atlas is not in tmux, so there is nothing to attach to. Shown in the terminal of the lead, process N.",
        "      From here: tool team status --team atlas --watch, or tool team log --team atlas --follow",
      ],
      [2, "tool: team atlas has ended. Its report: tool team report --team atlas"],
      [
        2,
        "tool: team relay is not in tmux, so there is nothing to attach to. Its members are other programs.",
        "      From here: tool team status --team relay --watch, or tool team log --team relay --follow",
      ],
    ]);
    expect(place.team().tasks()[0]?.status).toBe("completed");
  });
});

describe("tool completion bash", () => {
  it("completes commands, options, teams, members and tasks in a real bash", async () => {
    const place = teamPlace();
    for (const line of ["create relay --members ann,bo", "task create --title Dates --team relay"]) {
      await finished(place.warm(["team", ...line.split(" ")]));
    }
    const shell = personsShell(place);
    shell.type('clear; eval "$(tool completion bash)"; clear; echo loaded');
    await eventually(() => shell.screen().join("\n").trimEnd() === "loaded\n$"); // the shell's line editor is back
    const lines: string[] = [];
    for (const [typed, pattern] of [
      ["tool te", /^\$ tool team +$/],
      ["tool team sta", /^\$ tool team status +$/],
      ["tool team status --w", /--watch +$/],
      ["tool team status --team re", /--team relay +$/],
      ["tool team status --team=re", /--team=relay *$/],
      ["tool team send --team relay a", /relay ann +$/],
      ["tool team task get t", /get task-1 +$/],
      ["tool team --display in-", /--display in-process +$/],
    ] as const) {
      shell.press("-l", typed);
      shell.press("Tab");
      lines.push((await shell.sees(pattern)).at(-1)?.trim() ?? "");
      shell.press("C-u");
    }
    expect(lines).toEqual([
      "$ tool team",
      "$ tool team status",
      "$ tool team status --watch",
      "$ tool team status --team relay",
      "$ tool team status --team=relay",
      "$ tool team send --team relay ann",
      "$ tool team task get task-1",
      "$ tool team --display in-process",
    ]);
  });
});

describe("tool", () => {
  it("without a terminal, a key or a known command says what to do", async () => {
    const place = teamPlace();
    const ran = (...args: string[]) => finished(place.warm(args));
    const [bare, print, typo, help] = [await ran(), await ran("-p", "hi"), await ran("tema"), await ran("help", "team", "status")];
    expect([bare, print, typo, help.code, plain(help.output)[0]]).toEqual([
      { code: 2, output: 'tool: there is no terminal for a session here. Without one: tool --print "what to do"\n' },
      { code: 2, output: expect.stringContaining("key for the model provider.") },
      { code: 2, output: expect.stringContaining('"tema" is not a command of tool. Did you mean tool team?') },
      0,
      "Usage: tool team status [options] [team]",
    ]);
  });
});
