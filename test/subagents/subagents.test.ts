// Which agents run and which wait for a slot: the recorded states, in order.
import { expect, it } from "vitest";
import { generalAgent } from "../../src/subagents/definitions/built-in.ts";
import type { AgentRecord } from "../../src/subagents/record.ts";
import { createSubagents, type StartOrder, type SubagentPorts } from "../../src/subagents/subagents.ts";
import { eventually } from "../scratch.ts";
import { recordsOf } from "./kit.ts";

/** Agents whose sessions open when the test says so, or fail to open then. */
function host(atOnce: number, records: AgentRecord[] = []) {
  const states: string[] = [];
  const file = recordsOf(records);
  const opening: (() => void)[] = [];
  let ids = 0;
  const limits = { deepest: 3, atOnce, reportTokens: 1_500, wallClockMs: 60_000, noProgressMs: 60_000, equalDenials: 3 };
  const ports: SubagentPorts = {
    records: {
      ...file,
      put(record) {
        states.push(`${record.id} ${record.state}`);
        file.put(record);
      },
    },
    limits,
    clock: {
      now: () => new Date("2026-01-02T03:04:05Z"),
      monotonicMs: () => 0,
      sleep: () => new Promise(() => {}),
      random: () => 0,
    },
    newId: () => `a-${++ids}`,
    transcriptPath: (id) => `/t/${id}.jsonl`,
    open: () => new Promise((_, reject) => void opening.push(() => reject(new Error("no session")))),
    worktrees: {
      placeOf: (id) => ({ folder: `/repo-agents-1/${id}`, branch: `tool/agents-1/${id}` }),
      headOf: async () => "c0ffee",
      add: () => Promise.reject(new Error("No space left on device")),
      removeUnused: async () => undefined,
    },
    cwd: "/repo",
    command: "tool",
    outputs: undefined,
    onEvent: () => {},
    onChange: () => {},
  };
  return { host: createSubagents(ports), states, opening };
}

const order = (change: Partial<StartOrder> = {}): StartOrder => ({
  definition: generalAgent,
  description: "look",
  prompt: "Look.",
  model: "m",
  background: true,
  call: "toolu_1",
  ...change,
});

const signal = new AbortController().signal;

it("writes the record of an agent with a place once, and of one without a place first as waiting", async () => {
  const { host: agents, states, opening } = host(1);
  expect(await agents.start(order(), signal)).toMatchObject({ kind: "background" });
  expect(states).toEqual(["a-1 running"]);
  await agents.start(order(), signal);
  expect(states).toEqual(["a-1 running", "a-2 pending"]);
  opening[0]?.();
  await eventually(() => opening.length === 2);
  expect(states).toEqual(["a-1 running", "a-2 pending", "a-1 failed", "a-2 running"]);
  opening[1]?.();
  await eventually(() => states.at(-1) === "a-2 failed");
});

it("opens many agents one after another, so that the first can work while others are opened", async () => {
  const { host: agents, states, opening } = host(10);
  for (let n = 0; n < 3; n++) await agents.start(order(), signal);
  expect(states).toEqual(["a-1 running", "a-2 running", "a-3 running"]);
  for (let n = 0; n < 3; n++) {
    await eventually(() => opening.length === n + 1);
    opening[n]?.();
    await eventually(() => states.at(-1) === `a-${n + 1} failed`);
  }
  expect(opening.length).toBe(3);
});

it("fails an agent whose worktree cannot be made, and cleans up the incomplete one", async () => {
  const { host: agents, states } = host(10);
  const definition = { ...generalAgent, isolation: "worktree" as const };
  expect(await agents.start(order({ definition, background: false }), signal)).toMatchObject({
    kind: "ended",
    record: { state: "failed", reason: "It could not be started: No space left on device", worktree: { state: "removed" } },
  });
  expect(states).toEqual(["a-1 running", "a-1 running", "a-1 failed"]); // with its worktree, before git starts
});

it("keeps the reports of two agents that end in the same moment, each once", async () => {
  const { host: agents, opening } = host(10);
  await agents.start(order({ name: "ada" }), signal);
  await agents.start(order({ name: "bo" }), signal);
  await eventually(() => opening.length === 1);
  opening[0]?.();
  await eventually(() => opening.length === 2);
  opening[1]?.();
  const reports = agents.deliveriesTo(undefined);
  await eventually(() => agents.list().every(({ state }) => state === "failed"));
  const taken = reports.take();
  expect(taken.map(({ source }) => source)).toEqual([
    { kind: "agent", agent: "a-1", run: 1 },
    { kind: "agent", agent: "a-2", run: 1 },
  ]);
  expect(reports.take()).toEqual([]);
  reports.recorded(taken);
  expect(agents.list().map(({ delivered }) => delivered)).toEqual([true, true]);
});

it("refuses to resume an agent that is running, completed or unknown", async () => {
  const { host: agents } = host(10);
  await agents.start(order(), signal);
  const resumed = async (id: string) => agents.resume(id, { background: true }, signal);
  expect(await resumed("a-1")).toEqual({ kind: "refused", reason: "Cannot resume this agent: a-1 is running." });
  expect(await resumed("a-9")).toEqual({ kind: "refused", reason: 'Cannot resume this agent: this session has no agent "a-9".' });
});

it("calls agents without a name by what they are and a number that no other has", async () => {
  const { host: agents } = host(10);
  const explore = { ...generalAgent, name: "explore" };
  for (const one of [{}, { definition: explore }, { definition: explore }, { name: "general-2" }, {}])
    await agents.start(order(one), signal);
  expect(agents.list().map(({ name }) => name)).toEqual(["general-1", "explore-1", "explore-2", "general-2", "general-3"]);
});
