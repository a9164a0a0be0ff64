// The process of a unit's agent: works in the unit's worktree, then runs the unit's tests there as the harness, under the same rules and in the same
// sandbox. It gets its order on standard input; the end of the input means that the batch is gone.

import { ownCall } from "../../agent/own-call.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import { soloAgent } from "../../agent/prompt.ts";
import { withRecorded } from "../../agent/result/failures.ts";
import { type Incident, outcomeOfRun, ownedBy } from "../../agent/result/outcome.ts";
import { createRun } from "../../agent/result/run-result.ts";
import { goOnPrompt, retryPrompt, unitPrompt } from "../../batch/prompt.ts";
import { commitMessage } from "../../batch/pull-request-text.ts";
import { spentSchema, type UnitLine, type UnitOrder, type UnitOutcome, unitOrderSchema } from "../../batch/unit-agent.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { runToRest } from "../../subagents/run-to-rest.ts";
import { testCounts } from "../../tools/test-counts.ts";
import type { ToolResult } from "../../tools/tool.ts";
import { duration } from "../../wording/figures.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { unitHands } from "../places/unit-hands.ts";
import { assertFree, openSolo, type Solo } from "../session/open-session.ts";
import { openSettings } from "../settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { newestLine } from "./newest-line.ts";
import { runHooks } from "./run-hooks.ts";

export async function runUnitProcess(world: World): Promise<ExitCode> {
  const lines = linesOf(world.stdin);
  const first = await lines.next();
  if (first.done) return 130;
  const order = unitOrderSchema.parse(JSON.parse(first.value));
  const ending = new AbortController();
  let othersUsd = 0;
  void follow(lines, (usd) => {
    othersUsd = usd;
  }).finally(() => ending.abort());
  const stopSignals = world.onSignal(() => ending.abort());
  await untilFree(world, order.session, ending.signal);
  const flags = flagsOf(order);
  const settings = await openSettings(world, settingsFlags(flags), { tree: order.root, from: order.startedIn });
  let tell: (hands: HandsFacts) => void = () => {};
  const hands = await unitHands(world, {
    order,
    settings,
    signal: ending.signal,
    onSaid: (words) => world.stdout.write(`${JSON.stringify({ type: "waiting", words })}\n`),
    onGone: () => ending.abort(),
    onFacts: (facts) => tell(facts),
  });
  const solo = await openSolo(hands?.world ?? world, {
    flags,
    settings,
    id: order.session,
    ask: undefined,
    attended: false,
    repositoryFixed: true,
    ...(order.apart && { apartFrom: order.root }),
    sandboxFound: order.sandboxFound,
    alsoSpentUsd: () => othersUsd + next.usd,
  });
  const say = reporter(world, solo);
  tell = (now) => say({ type: "hands", hands: now });
  const begun = hands?.facts();
  if (begun) tell(begun);
  const clock = await world.edges.clock();
  const next = costOfNextCall(solo, order);
  const bringHome = async () => hands?.bringHome();
  try {
    const working = { order, folder: world.cwd, say, signal: ending.signal, mark: world.uniqueId(), clock, bringHome };
    const outcome = await outcomeOf(solo, working);
    if (hands) await hands.alive();
    say({ type: "outcome", outcome });
  } finally {
    stopSignals();
    await solo.close("exit");
    await hands?.leave();
  }
  await world.stdout.drained();
  return 0;
}

/** Edits are allowed, because the worktree belongs to the unit alone. Commands need a rule; the test command is allowed if a person approved it. */
function flagsOf({ flags, unit, grantsTest, budgetUsd }: UnitOrder): AgentFlags {
  const permissionMode = (flags.permissionMode ?? "acceptEdits") as AgentFlags["permissionMode"];
  return { ...flags, permissionMode, budgetUsd, allow: [...flags.allow, ...(grantsTest ? [`Bash(${unit.test})`] : [])] };
}

type Say = (line: UnitLine extends infer L ? (L extends UnitLine ? Omit<L, "turns" | "tokens" | "cost_usd"> : never) : never) => void;

/** Each line contains what the session has used so far. */
function reporter({ stdout }: World, { session }: Solo): Say {
  return (line) => {
    const { turns, usage, costUsd } = session.totals();
    const tokens = Object.values(usage).reduce((sum, count) => sum + count, 0);
    stdout.write(`${JSON.stringify({ ...line, turns, tokens, cost_usd: costUsd })}\n`);
  };
}

/** Assumes the cost of the previous request. A request that would exceed the budget is not sent. */
function costOfNextCall({ session }: Solo, { firstCallUsd }: UnitOrder): { readonly usd: number } {
  const next = { usd: firstCallUsd };
  session.listen((event) => {
    if (event.type === "reply") next.usd = event.costUsd ?? 0;
  });
  return next;
}

/** `folder`: the worktree. `mark`: marks this process; its commands do not know it. */
type Working = {
  order: UnitOrder;
  folder: string;
  say: Say;
  signal: AbortSignal;
  mark: string;
  clock: Clock;
  /** What its hands have changed elsewhere. */
  bringHome: () => Promise<void>;
};

async function outcomeOf(solo: Solo, working: Working): Promise<UnitOutcome> {
  const last = solo.past.at(-1);
  const isDone = working.order.failed === undefined && last?.type === "ended" && last.ending.kind === "done";
  let summary = isDone ? last.text : "";
  if (!isDone) {
    const stopped = await testedBefore(solo, working);
    if (stopped) return stopped;
    const worked = await agentWorks(solo, working);
    if (typeof worked !== "string") return worked;
    summary = worked;
  }
  return testedAndHooked(solo, { ...working, summary });
}

/**
 * Runs the unit's test before its agent begins, unless another unit does. A test that may not run ends the unit, before anything is spent on it;
 * one that takes long is ended, and how it was is then not known.
 */
async function testedBefore(solo: Solo, working: Working): Promise<UnitOutcome | undefined> {
  const { order, say, signal } = working;
  if (!order.testsBefore || solo.past.some(({ type }) => type === "input")) return undefined;
  const tested = await runTest(solo, working, { at: "working", limitMs: testBeforeLimitMs });
  if (signal.aborted) return { kind: "interrupted" };
  if (tested?.summary === "not allowed") return { kind: "failed", why: "permission", reason: tested.text };
  if (tested && tested.summary !== "timed out") say({ type: "before", before: { tests: tested.summary, passed: !tested.isError } });
  return undefined;
}

/** The harness runs the unit's tests and, if they pass, the repository's hooks for a commit. */
async function testedAndHooked(solo: Solo, working: Working & { summary: string }): Promise<UnitOutcome> {
  const { order, say, signal, summary, mark, clock } = working;
  const tested = await runTest(solo, working, { at: "testing", limitMs: testLimitMs });
  if (signal.aborted) return { kind: "interrupted" };
  await working.bringHome();
  if (tested === undefined) return { kind: "failed", why: "agent", reason: "The session has no Bash to run the tests with." };
  if (tested.summary === "not allowed") {
    const incidents = (tested.denied ?? []).map((denied): Incident => ({ kind: "denied", agent: order.unit.id, ...denied }));
    return { kind: "failed", why: "permission", reason: tested.text, incidents };
  }
  const { redacted } = solo.work;
  const [title, said, output] = await Promise.all([redacted(order.unit.title), redacted(summary), redacted(tested.text.slice(-testBytes))]);
  const tests = tested.summary === "timed out" ? `stopped after ${duration(testLimitMs)}` : tested.summary;
  const done = { kind: "tested" as const, passed: !tested.isError, tests, output, title, summary: said };
  if (!done.passed) return done;
  const message = commitMessage(order.unit, done);
  const doing = `hooks: ${order.hooks?.names.join(", ")}`;
  if (order.hooks) say({ type: "progress", at: "testing", doing, newest: "" });
  const newest = newestLine(clock, { redacted, report: (line) => say({ type: "progress", at: "testing", doing, newest: line }) });
  const hooks = await runHooks(solo.work, { ...order, message, mark, signal, onOutput: newest.add });
  newest.end();
  return signal.aborted ? { kind: "interrupted" } : { ...done, hooks };
}

type TestRun = { at: "working" | "testing"; limitMs: number };

/** Says which command runs, and what it prints. Its summary goes into a pull request, where nobody knows the folders of this machine. */
async function runTest(
  solo: Solo,
  { order, folder, say, signal, clock }: Working,
  { at, limitMs }: TestRun,
): Promise<ToolResult | undefined> {
  const doing = at === "testing" ? order.unit.test : `before the work: ${order.unit.test}`;
  say({ type: "progress", at, doing, newest: "" });
  const report = (line: string) => say({ type: "progress", at, doing, newest: line });
  const newest = newestLine(clock, { redacted: solo.work.redacted, report });
  const raw = { command: order.unit.test, timeout_ms: limitMs };
  const tested = await ownCall(solo.session.agent, { name: "Bash", raw, signal, onOutput: newest.add });
  newest.end();
  if (!tested) return undefined;
  const inFolder = (text: string) => text.replaceAll(`${folder}/`, "");
  return { ...tested, summary: await solo.work.redacted(testCounts(inFolder(tested.text)) ?? inFolder(tested.summary)) };
}

const testLimitMs = 600_000;
const testBeforeLimitMs = 120_000;
const testBytes = 2_000;

/** The agent's last text, or why there is none. */
async function agentWorks(solo: Solo, { order, say, signal }: Working): Promise<string | UnitOutcome> {
  const { session } = solo;
  const run = createRun(soloAgent);
  const stop = session.listen((event) => {
    run.follow(event);
    if (event.type === "tool_started") say({ type: "progress", at: "working", doing: `${event.name} ${event.subject}` });
    if (event.type === "reply") say({ type: "progress", at: "working", doing: "" });
  });
  solo.agents.attach(session, () => {});
  session.say({ source: { kind: "harness" }, text: await promptOf(solo, order) });
  const { text } = await runToRest(session.agent, { host: solo.agents.host, signal });
  stop();
  if (signal.aborted) return { kind: "interrupted" };
  const all = withRecorded([...run.incidents(), ...solo.agents.incidents()], solo.failures.fresh());
  return unitOutcome(all, order.unit.id) ?? text;
}

/** What the run of its agent means for the unit; undefined if its tests are to decide. */
function unitOutcome(all: Incident[], unit: string): UnitOutcome | undefined {
  const incidents = ownedBy(unit, all, soloAgent);
  const { ending, reason = "" } = outcomeOfRun(incidents, unit);
  switch (ending) {
    case "done":
      return undefined;
    case "denied": {
      const denials = incidents.flatMap((one) => (one.kind === "denied" ? `${one.tool}(${one.subject}): ${one.reason}` : []));
      return { kind: "failed", why: "permission", reason: denials.join("\n"), incidents };
    }
    case "max_turns":
      return { kind: "failed", why: "max_turns", reason, incidents };
    case "budget":
      return { kind: "budget", reason };
    case "aborted":
      return { kind: "interrupted" };
    case "fault":
    case "repeats_itself":
    case "stopped_by_hook":
    case "not_reached":
      return { kind: "failed", why: "agent", reason, incidents };
  }
}

async function promptOf({ past, work }: Solo, { unit, needed, failed }: UnitOrder): Promise<string> {
  if (!past.some(({ type }) => type === "input")) return unitPrompt(unit, needed);
  return failed === undefined ? goOnPrompt : retryPrompt(await work.redacted(failed));
}

/** The previous process may still be ending, because its batch was killed a moment ago. */
async function untilFree(world: World, session: string, signal: AbortSignal): Promise<void> {
  const clock = await world.edges.clock();
  for (const endMs = clock.monotonicMs() + longestWaitMs; ; ) {
    try {
      return await assertFree(world, session);
    } catch (error) {
      if (!(error instanceof UsageError) || signal.aborted || clock.monotonicMs() > endMs) throw error;
    }
    await clock.sleep(200, signal);
  }
}

const longestWaitMs = 30_000;

async function follow(lines: AsyncIterator<string>, onSpent: (usd: number) => void): Promise<void> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const read = spentSchema.safeParse(JSON.parse(next.value));
    if (read.success) onSpent(read.data.othersSpentUsd);
  }
}

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of input) {
    const lines = (rest + part.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
