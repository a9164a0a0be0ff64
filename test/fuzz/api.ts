// Faults of the provider over a real connection: whatever goes wrong, a tool call runs once and only from a whole reply, and every run ends
// with a reply or a reason.
import { runTurns } from "../../src/agent/loop.ts";
import { anthropicModel } from "../../src/edge/model/anthropic.ts";
import { agentOf, anyTool, done, typed } from "../agent/agent-kit.ts";
import { replyEvents, text, toolUse } from "../messages-api.ts";
import { seeded } from "../process/seeded.ts";
import { type Kind, kinds } from "./api-kinds.ts";
import { type Step, startWire } from "./wire.ts";

const patienceMs = 800;
/** For cases without silence: a busy machine must not be taken for a silent provider. */
const neverMs = 60_000;
const limitMs = 20_000;

/** Runs each kind with each seed; returns the problems, one line each, and the number of runs. */
export async function fuzzApi({ seeds }: { seeds: number[] }): Promise<{ runs: number; problems: string[] }> {
  const cases = Object.entries(kinds).flatMap(([name, kind]) => seeds.map((seed) => ({ name, kind, seed })));
  const problems: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = cases.pop(); one; one = cases.pop()) {
      const found = await runCase(one.kind, one.seed);
      problems.push(...found.map((problem) => `${one?.name}, seed ${one?.seed}: ${problem}`));
    }
  };
  const runs = cases.length;
  await Promise.all(Array.from({ length: 8 }, next));
  return { runs, problems };
}

/** One run of an agent: two tool calls, one after another, and a last text; the fault hits one of the three. */
async function runCase(kind: Kind, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const strikesAt = Math.floor(random() * 3);
  const strikes = 1 + Math.floor(random() * 3);
  let stage = 0;
  let struck = 0;
  let planned = 0;
  const wire = await startWire(() => {
    const events = stageEvents(stage, planned++);
    const strike = stage === strikesAt && struck < strikes;
    if (strike) struck++;
    if (!strike || kind.means === "harmless") stage++;
    return strike ? kind.answer({ events, random, patienceMs }) : ordinary(events);
  });
  const ran: unknown[] = [];
  const tool = anyTool("Note", (input) => {
    ran.push(input);
    return done("noted");
  });
  const idleTimeoutMs = kind.means === "harmless" || kind.means === "stated" ? neverMs : patienceMs;
  const { agent, queue, events } = agentOf(anthropicModel({ apiKey: "key", baseURL: wire.url, idleTimeoutMs }), { tools: [tool] });
  queue.push(typed("Go."));
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  const { ending, text: last } = await runTurns(agent, late.signal);
  clearTimeout(timer);
  await wire.close();

  const retries = events.flatMap((event) => (event.type === "retry" ? [event.reason] : []));
  const attempts = events.filter(({ type }) => type === "request").length;
  const replies = events.filter(({ type }) => type === "reply").length;
  const calls = events.flatMap((event) => (event.type === "reply" ? event.message.content.filter(({ type }) => type === "tool_use") : []));
  // a refusal that waiting does not resolve is the last attempt, and is not shown as a wait
  const refusals = ending.kind === "fault" && attempts > replies + retries.length ? 1 : 0;
  const checks: [boolean, string][] = [
    [!late.signal.aborted, "it hangs"],
    [ran.length === calls.length, `${calls.length} calls in whole replies, and ${ran.length} ran`],
    [ran.every(isWhole), `a tool ran with half an input: ${JSON.stringify(ran)}`],
    [new Set(ran.map((input) => JSON.stringify(input))).size === ran.length, `a call ran twice: ${JSON.stringify(ran)}`],
    [attempts === replies + retries.length + refusals, `${attempts} attempts, ${replies} replies, ${retries.length} retries shown`],
    [
      ending.kind === "done" ? last === "Done." : ending.kind === "fault" && ending.reason.length > 10,
      `it ended silently: ${JSON.stringify(ending)}`,
    ],
    [
      kind.means !== "harmless" || (ending.kind === "done" && retries.length === 0),
      `harmless, and yet ${JSON.stringify({ ending, retries })}`,
    ],
    [
      kind.means !== "retried" || (ending.kind === "done" && retries.length >= strikes),
      `to be retried ${strikes} times, and yet ${JSON.stringify({ ending, retries })}`,
    ],
    [
      kind.means !== "stated" || (ending.kind === "fault" && retries.length === 0),
      `waiting does not help, and yet ${JSON.stringify({ ending, retries })}`,
    ],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

function ordinary(events: { type: string }[]): Step[] {
  return (kinds["a whole reply"] as Kind).answer({ events, random: () => 0, patienceMs });
}

/** The input contains its own length, so that a truncated one is recognized. Each attempt at a call has a different input. */
function stageEvents(stage: number, n: number): { type: string }[] {
  if (stage >= 2) return replyEvents([text("Done.")]);
  const note = `Ünïcode and "quotes" ${"x".repeat(20 * stage)}`;
  return replyEvents([text("I note it."), toolUse("Note", { stage, n, note, length: note.length }, `toolu_${stage}_${n}`)]);
}

function isWhole(input: unknown): boolean {
  const { note, length } = input as { note?: string; length?: number };
  return typeof note === "string" && note.length === length;
}
