// What /tasks and /permissions print in a session, and how an agent of another session is found and stopped.
import { describe, expect, it } from "vitest";
import { transcriptPath } from "../../../src/agent/session/transcript.ts";
import { agentsHere, findAgent } from "../../../src/app/session/agents/resume-agent.ts";
import { stopAgent } from "../../../src/app/session/agents/stop-agent.ts";
import { chooseSession } from "../../../src/app/session/screen/choose-session.ts";
import { teamsText } from "../../../src/app/session/screen/solo-controls.ts";
import { sessionTasks, type TaskActions } from "../../../src/app/session/session-tasks.ts";
import { createCommands } from "../../../src/background/commands.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { Pane } from "../../../src/screen/terminal/pane.ts";
import type { AgentRecord } from "../../../src/subagents/record.ts";
import { openRecords } from "../../../src/subagents/record-file.ts";
import type { Subagents } from "../../../src/subagents/subagents.ts";
import { aRecord } from "../../subagents/kit.ts";
import { memoryWorld, refusalOf } from "../memory-world.ts";
import { teamWorld } from "../team/team-world.ts";

function actions(records: AgentRecord[], resumed: { kind: "refused"; reason: string } | { kind: "started" } = { kind: "started" }) {
  const done: string[] = [];
  const host: Partial<Subagents> = {
    list: () => records,
    find: (wanted) => records.find(({ id, name }) => id === wanted || name === wanted),
    resume: async (id, { maxTurns }) => {
      done.push(`resume ${id}${maxTurns === undefined ? "" : ` ${maxTurns}`}`);
      return resumed as never;
    },
    stop: (id) => void done.push(`stop ${id}`),
    decide: (id, decision) => void done.push(`${decision} ${id}`),
  };
  const made: TaskActions = {
    host: host as Subagents,
    commands: createCommands({ now: () => new Date(0), monotonicMs: () => 0 }),
    style: createStyle({ NO_COLOR: "1" }),
    nowMs: () => 0,
    now: () => new Date(0),
    failures: {
      path: "/failures.jsonl",
      record: (failure: { item: string; error: string }) => void done.push(`record ${failure.item}: ${failure.error}`),
    } as never,
    say: (text) => void done.push(`say ${text.split("\n")[0]}`),
    redacted: async (text) => text.replaceAll("s3cret", "[redacted]"),
  };
  return { done, tasks: (words: string) => sessionTasks(words, made) };
}

const failed = aRecord({ state: "failed", reason: "It has s3cret in it.", description: "look at a", turns: 4, maxTurns: 4 });

it("/team names the teams, and no demo that has ended", async () => {
  const here = teamWorld();
  const start = 'To start one, in a shell: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 tool team "what to do"';
  here.team("demo", { cwd: "/gone", options: { demo: true } });
  const afterDemo = await teamsText(here.world);
  here.team("atlas");
  expect([afterDemo, await teamsText(here.world)]).toEqual([
    `There is no team. ${start}`,
    `Teams: atlas. Look: tool team status. ${start}`,
  ]);
});

describe("/tasks", () => {
  it("lists what the session has started", async () => {
    expect(await actions([]).tasks("")).toBe("This session has started no agents.");
    expect(await actions([aRecord()]).tasks(" ")).toContain("ada");
  });

  it.each([
    ["stop", "/tasks stop needs an agent or a command. It has started none."],
    ["stop nobody", 'This session has no agent or command "nobody". It has started none.'],
    ["dance", 'There is no "/tasks dance". For an agent there is: /tasks resume, /tasks stop, /tasks show'],
  ])("%s says what there is", async (words, expected) => {
    expect(await actions([]).tasks(words)).toContain(expected);
  });

  it("stops a running agent, and says of another that it has ended", async () => {
    const running = actions([aRecord({ state: "running" })]);
    expect([await running.tasks("stop ada"), running.done]).toEqual(["Agent ada is being stopped.", ["stop a-1"]]);
    const over = actions([aRecord({ state: "completed" })]);
    expect([await over.tasks("stop ada"), over.done]).toEqual(["Cannot stop agent ada: it has ended (completed).", []]);
  });

  it("shows an agent's state, report and transcript", async () => {
    const shown = await actions([aRecord({ state: "completed", report: "Three lines." })]).tasks("show a-1");
    expect(shown).toBe("ada: look at a\ncompleted\nThree lines.\nTranscript: /t/agent-a-1.jsonl");
  });

  it("retries a failed agent with as many turns again if it has used all", async () => {
    const { tasks, done } = actions([failed]);
    expect(await tasks("retry ada")).toBe("Agent ada retries what failed; you are asked for the permissions it needs.");
    expect(done).toEqual(["resume a-1 8"]);
  });

  it("says why an agent cannot continue", async () => {
    expect(await actions([failed], { kind: "refused", reason: "Its worktree is gone." }).tasks("resume ada")).toBe("Its worktree is gone.");
  });

  it("escalates redacted, gives up, or has the session fix it", async () => {
    const { tasks, done } = actions([failed]);
    expect(await tasks("escalate ada")).toBe("Recorded for you in /failures.jsonl; it is listed when the session ends.");
    await tasks("giveup ada");
    await tasks("fix ada");
    expect(done).toEqual([
      "record look at a: It has [redacted] in it.",
      "escalated a-1",
      "given_up a-1",
      expect.stringMatching(/^say /),
      "fix_here a-1",
    ]);
  });

  it("decides once, and only about what failed", async () => {
    expect(await actions([aRecord({ state: "failed", decision: "given_up" })]).tasks("retry ada")).toBe(
      "Cannot retry agent ada: it was decided already (given up).",
    );
    expect(await actions([aRecord({ state: "completed" })]).tasks("fix ada")).toBe(
      "Cannot fix agent ada: nothing failed in it: it is completed.",
    );
  });
});

describe("agents of sessions that other processes have, or nobody", () => {
  function place(records: Record<string, AgentRecord[]>) {
    const memory = memoryWorld();
    for (const [session, all] of Object.entries(records)) {
      const folder = transcriptPath(memory.world.configDir, memory.world.cwd, session).slice(0, -".jsonl".length);
      const file = openRecords(memory.disk, folder);
      for (const record of all) file.put(record);
    }
    return memory;
  }

  it("are found by id or by a name that only one has, and where several have it, it is said which they are, the newest first", async () => {
    const newer = aRecord({ id: "a-2", name: "ada", startedAt: "2026-02-03T04:05:06.000Z", state: "stopped", description: "fix dates" });
    const older = aRecord({ startedAt: "2026-01-02T03:04:05.000Z", state: "completed", description: "find dates" });
    const { world } = place({ s1: [older], s2: [newer, aRecord({ id: "a-3", name: "bob" })] });
    expect((await agentsHere(world)).map(({ session, record }) => `${session} ${record.id}`)).toEqual(["s1 a-1", "s2 a-2", "s2 a-3"]);
    expect((await findAgent(world, "bob")).session).toBe("s2");
    expect(await refusalOf(findAgent(world, "ada"))).toBe(
      'the name "ada" is that of 2 agents. Name one by its id:\n  a-2  2026-02-03 04:05  stopped  fix dates\n  a-1  2026-01-02 03:04  completed  find dates',
    );
    expect(await refusalOf(findAgent(world, "cy"))).toBe(
      'cannot find the agent "cy": no session of this folder has it. To list them: tool tasks --all',
    );
  });

  it("are stopped in their file if no process has the session", async () => {
    const { world, out, lock } = place({ s1: [aRecord({ state: "needs_permission" })] });
    expect(await stopAgent(world, { id: "ada", json: true })).toBe(0);
    expect([JSON.parse(out()), lock.held.size]).toEqual([{ ok: true, agent: "a-1", name: "ada", state: "stopped" }, 0]);
    expect(await refusalOf(stopAgent(world, { id: "ada" }))).toBe("cannot stop agent ada: it has ended (stopped).");
  });

  it("are asked to stop where a process has the session, which may take longer than is waited for", async () => {
    const { world, out, lock, disk } = place({ s1: [aRecord({ state: "running" })] });
    const claim = `${transcriptPath(world.configDir, world.cwd, "s1").slice(0, -".jsonl".length)}/claim`;
    lock.held.set(claim, { kind: "alive", pid: 7 });
    const before = disk.names().length;
    expect(await stopAgent(world, { id: "a-1" })).toBe(1);
    expect(out()).toBe("Agent ada was asked to stop; its session has not stopped it yet.\n");
    expect(disk.names().length).toBeGreaterThan(before);
  });
});

it("chooseSession() shows what was typed first, and how long ago", async () => {
  const warned: string[] = [];
  let shown: unknown;
  const pane = {
    warn: (text: string) => warned.push(text),
    pick: async (items: { id: string }[]) => {
      shown = items;
      return items[0];
    },
  } as unknown as Pane;
  const setup = { pane, nowMs: () => 3 * 60_000, ending: new AbortController() };
  const session = { id: "0123456789", cwd: "/repo", changedAt: new Date(0), turns: 1, prompt: " Look \n at it " };
  expect(await chooseSession(setup, [session])).toBe("0123456789");
  expect(shown).toEqual([{ id: "0123456789", label: "Look at it", hint: "01234567  3 min ago  1 turn" }]);
  expect([await chooseSession(setup, []), warned]).toEqual([undefined, ["There is no session of this folder to resume."]]);
});
