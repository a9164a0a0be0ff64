// Parts of a team's composition: its first lines, the hooks around its tasks, waits for the provider, and the worktrees that remain at its
// end.
import { describe, expect, it } from "vitest";
import { hookedBoard } from "../../../src/app/team/hooked-board.ts";
import { openingLines } from "../../../src/app/team/opening.ts";
import { providerWaits } from "../../../src/app/team/provider-waits.ts";
import { settleWorktrees } from "../../../src/app/team/settle-worktrees.ts";
import { openTrees } from "../../../src/app/team/team-trees.ts";
import { untilSignal } from "../../../src/app/until-signal.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { boardTools } from "../../../src/board/tools.ts";
import type { SessionHooks } from "../../../src/hooks/session-hooks.ts";
import type { TeamPorts } from "../../../src/team/leftovers.ts";
import type { TeamTrees } from "../../../src/team/worktrees.ts";
import { ann, lead } from "../../board/examples.ts";
import { memoryProcesses, memoryWorld, refusalOf } from "../memory-world.ts";
import { aLaunch, teamWorld } from "./team-world.ts";

describe("openingLines()", () => {
  const opening = { where: "logs", why: "no terminal", command: "tool" } as const;

  it("say where the team is, and how it is stopped and watched", () => {
    expect(openingLines(aLaunch("lead"), opening, undefined).slice(0, 2)).toEqual([
      "Team atlas: in log files (no terminal). Stop: tool team stop --team atlas",
      "Watch: tool team status --team atlas --watch",
    ]);
    const attended = aLaunch("lead", { options: { attended: true, allow: [], deny: [], leadGraceMs: 0 } });
    expect(openingLines(attended, { ...opening, where: "detached" }, undefined)[0]).toBe(
      "Team atlas: detached tmux (no terminal). See it: tool team attach --team atlas  Stop: Ctrl-C twice.",
    );
    const inTerminal = { ...opening, where: "lead" } as const;
    expect([attended, aLaunch("lead")].map((launch) => openingLines(launch, inTerminal, undefined)[0])).toEqual([
      "Team atlas: in this terminal (no terminal). Ctrl-O shows a teammate. Stop: Ctrl-C twice.",
      "Team atlas: in this terminal (no terminal). Stop: tool team stop --team atlas",
    ]);
  });

  it("name the place of the next teammate where that depends on the terminal", () => {
    const three = aLaunch("lead", { options: { attended: true, allow: [], deny: [], leadGraceMs: 0, teammates: 3 } });
    const place = (outlook: Parameters<typeof openingLines>[2]) =>
      /tmux, (.*) \(no terminal\)/.exec(openingLines(three, { ...opening, where: "beside" }, outlook)[0] ?? "")?.[1];
    expect([
      place({ where: "below", room: 3 }),
      place({ where: "below", room: 2 }),
      place({ where: "beside", room: 2, leadColumns: 80 }),
      place({ where: "window", prefix: "Ctrl-B" }),
    ]).toEqual([
      "below this pane",
      "2 below this pane, the others in windows; a terminal of 161 columns shows more",
      "2 beside this pane, the others in windows; a higher terminal shows more",
      "a window for each teammate: Ctrl-B and its number; a terminal of 161 columns shows them beside the lead",
    ]);
  });

  it("speak of what a team costs, but not in the demo, which costs nothing", () => {
    const said = (more: { before?: string }) => openingLines(aLaunch("lead"), { ...opening, ...more }, undefined).join("\n");
    expect([said({}).includes("tokens"), said({ before: "53 tests, 14 pass, 39 fail" }).includes("tokens")]).toEqual([true, false]);
  });
});

describe("hookedBoard()", () => {
  async function place(blocked?: string) {
    const here = teamWorld();
    const board = here.team();
    const fired: string[] = [];
    const hooks = {
      taskCreated: ({ title }: { title: string }) => void fired.push(`created ${title}`),
      beforeTaskCompleted: async ({ title }: { title: string }) => {
        fired.push(`completing ${title}`);
        return blocked;
      },
    } as unknown as SessionHooks;
    await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
    const tools = (actor: typeof lead) => hookedBoard(boardTools(board, actor), board, hooks);
    const run = (actor: typeof lead, name: string, input: unknown) =>
      tools(actor)
        .find((tool) => tool.name === name)
        ?.run(input, { signal: new AbortController().signal, onOutput() {} });
    await run(ann, "TaskUpdate", { id: "task-1", status: "in_progress" });
    return { board, fired, run };
  }

  it("asks before a task is completed, and not before anything else", async () => {
    const { run, fired } = await place();
    expect(await run(ann, "TaskUpdate", { id: "task-1", status: "completed", summary: "Done." })).toMatchObject({ isError: false });
    expect(fired).toEqual(["completing One"]);
  });

  it("leaves a task as it is that a hook blocks", async () => {
    const { run, board } = await place("the tests fail");
    expect(await run(ann, "TaskUpdate", { id: "task-1", status: "completed", summary: "Done." })).toEqual({
      text: 'Cannot complete "task-1": the tests fail',
      isError: true,
      summary: "blocked by a hook",
    });
    const read = board.tasks.read();
    expect(read.ok && read.list.tasks[0]?.status).toBe("in_progress");
  });

  it("tells of a task that was created, and not of one that was refused", async () => {
    const { run, fired } = await place();
    await run(lead, "TaskCreate", { title: "Two" });
    await run(lead, "TaskCreate", { title: "Three", dependencies: ["task-99"] });
    expect(fired).toEqual(["created Two"]);
  });
});

describe("providerWaits()", () => {
  function waits(launch: Parameters<typeof aLaunch>[1], { attended = false, env = {} } = {}) {
    const here = teamWorld({ env });
    const warned: string[] = [];
    const member = { board: here.team() };
    const setup = {
      launch: aLaunch("lead", launch),
      attended,
      clock: here.clock,
      pane: { warn: (text: string) => warned.push(text) },
      member,
    };
    return { ...here, warned, made: providerWaits(here.world, setup as never) };
  }
  const ending = { options: { attended: false, allow: [], deny: [], leadGraceMs: 0, endWhenDone: true } };

  it("have an end only where the lead ends by itself", () => {
    expect(waits({}).made.longestWaitMs).toBeUndefined();
    expect(waits(ending).made.longestWaitMs).toBe(30 * 60_000);
    expect(waits(ending, { env: { TOOL_PROVIDER_WAIT_SECONDS: "3" } }).made.longestWaitMs).toBe(3_000);
  });

  it("are said on the screen of a person, and else on standard error", () => {
    const watched = waits({}, { attended: true });
    watched.made.onProviderWait(["It is overloaded."]);
    expect([watched.warned.length, watched.err()]).toEqual([1, ""]);
    const alone = waits(ending);
    alone.made.onProviderWait(["It is overloaded."]);
    expect([alone.warned, alone.err()]).toEqual([[], expect.stringMatching(/^tool: .*overloaded.*tool team --resume atlas/s)]);
  });
});

describe("settleWorktrees()", () => {
  const worktrees = { id: "1", root: "/repo", base: "abc" };
  const trees = {
    merged: "tool/team-1/merged",
    left: async () => ["ann", "bo"].map((name) => ({ name, folder: `/repo-team-1/${name}` })),
    settle: async () => [{ name: "bo", branch: "tool/team-1/bo", why: "it has uncommitted changes" }],
  } as unknown as TeamTrees;

  async function place({ members = [] as number[], files = { "/repo/a": "" } as Record<string, string> } = {}) {
    const here = teamWorld({ files, edges: { teamTrees: async () => trees } });
    const board = here.team("atlas", { options: { worktrees } });
    const read = board.record();
    if (!read.ok) throw new Error(read.reason);
    for (const pid of members) here.lock.held.set(board.layout.claim("ann"), { kind: "alive", pid });
    const processes = memoryProcesses(1, members);
    const team = { board, record: read.record, disk: here.disk, processes } as unknown as TeamPorts;
    return (dryRun: boolean) => settleWorktrees(here.world, team, { dryRun });
  }

  it("removes what is merged and names the rest, or says what it would do", async () => {
    const settle = await place();
    expect(await settle(true)).toEqual(
      ["ann", "bo"].map((name) => ({
        what: `the worktree /repo-team-1/${name}`,
        outcome: "found",
        how: "would be removed if tool/team-1/merged has its work",
      })),
    );
    expect(await settle(false)).toEqual([
      { what: "the worktree /repo-team-1/ann", outcome: "done", how: "removed: tool/team-1/merged has its work" },
      { what: "the worktree /repo-team-1/bo, branch tool/team-1/bo", outcome: "kept", how: "kept: it has uncommitted changes" },
    ]);
  });

  it("leaves those of a team at work, and of a repository that is gone", async () => {
    expect(await (await place({ members: [7] }))(false)).toEqual([]);
    expect(await (await place({ files: {} }))(false)).toEqual([]);
  });
});

it("openTrees() opens none for a team in one tree, and else those beside the repository", async () => {
  const orders: unknown[] = [];
  const { world } = memoryWorld({
    edges: {
      teamTrees: async ({ closed: _closed, ...order }) => {
        orders.push(order);
        return {} as never;
      },
    },
  });
  expect(await openTrees(world, aLaunch("ann"))).toBeUndefined();
  await openTrees(world, aLaunch("ann", { cwd: "/code/app", worktrees: { id: "1", root: "/code", base: "abc" } }));
  expect(orders).toEqual([{ owner: "team-atlas:ann", root: "/code", home: "/code-team-1", within: "app", id: "1", base: "abc" }]);
});

it("untilSignal() aborts at a signal, and listens no longer than the work takes", async () => {
  const { world, signal, listening } = memoryWorld();
  const aborted = await untilSignal(world, async (ending) => {
    signal("SIGHUP");
    return ending.aborted;
  });
  expect([aborted, listening()]).toEqual([true, 0]);
  expect(await refusalOf(untilSignal(world, () => Promise.reject(new Error("It failed."))))).toBe("It failed.");
  expect(listening()).toBe(0);
});
