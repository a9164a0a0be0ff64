// A lead whose provider does not answer: a real session, with a clock that moves whenever somebody waits.
import { expect, it } from "vitest";
import type { Model, ModelOutcome } from "../../../src/agent/ports/model.ts";
import { maxAttempts } from "../../../src/agent/requests/retry.ts";
import { openTranscript } from "../../../src/agent/session/transcript.ts";
import type { Task } from "../../../src/board/tasks/task.ts";
import { clock } from "../../../src/edge/clock.ts";
import { runLead } from "../../../src/team/lead/lead.ts";
import { createMemberSession } from "../../../src/team/member-session.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";
import { modelOf, replied, say } from "../../agent/agent-kit.ts";
import { ports, temporaryTeam } from "../../board/temporary-team.ts";

const unavailable: ModelOutcome = { kind: "fault", fault: { verdict: "retry", reason: "No connection (ECONNREFUSED)." } };
const outage = (runs: number) => Array.from({ length: runs * maxAttempts }, () => unavailable);

it("retries by itself after an outage, tells the person what it waits for, and continues where it was", async () => {
  const lead = await ledBy(modelOf([replied([say("Hello.")]), ...outage(2), replied([say("I am back.")])]), { lines: ["Hello", "Go on"] });
  expect(lead.end).toMatchObject({ how: "nothing_to_do", stalled: [] });
  expect(lead.told).toEqual([
    "log: 30000",
    expect.stringMatching(/^person: lead waits for its model: No connection .* Retrying after 30 seconds\.$/),
    "log: 60000",
  ]);
  expect(lead.states).toContain("waiting_provider");
  expect(lead.last?.paused).toBeUndefined();
});

it("ends a team that nobody watches when the wait is too long, and says what it waited for", async () => {
  const model = modelOf([replied([say("Hello.")]), ...outage(3)]);
  const { end, told } = await ledBy(model, { lines: ["Hello", "Go on"], longestWaitMs: 60_000 });
  expect(end).toMatchObject({
    how: "stalled",
    stalled: [expect.stringMatching(/^lead waits for its model: No connection .* 1 minute\.$/)],
  });
  expect(told.filter((line) => line.startsWith("log"))).toEqual(["log: 30000", "log: 60000"]);
});

it("does not wait where it has never had an answer and nobody watches", async () => {
  const { end, told } = await ledBy(modelOf(outage(1)), { lines: ["Hello"] });
  expect([end.how, told]).toEqual(["failed", []]);
});

it("says that the team is stuck only while nothing goes on: not while its model works on that", async () => {
  const task: Task = { id: "task-1", title: "One", description: "", status: "open", assigned_to: null, dependencies: [], created_at: "" };
  const model = modelOf([replied([say("Hello.")]), replied([say("You must start one.")])]);
  const { statuses } = await ledBy(model, { lines: ["Hello"], tasks: [task], untilStuck: true });
  const shown = statuses.map(({ state, stalled }) => `${state}: ${stalled?.join() ?? "unknown"}`);
  expect(shown.filter((one, at) => one !== shown[at - 1])).toEqual([
    "starting: unknown",
    "starting: ",
    "working: ",
    "idle: ",
    "working: ",
    "working: task-1 is ready, and there is no teammate to claim it. Start one.", // and at once
    "idle: task-1 is ready, and there is no teammate to claim it. Start one.",
  ]);
});

type Told = { lines: string[]; longestWaitMs?: number; tasks?: Task[]; untilStuck?: true };

/** A print team without teammates, which receives each line after the answer to the previous one. */
async function ledBy(model: Model, { lines, longestWaitMs, tasks = [], untilStuck }: Told) {
  using team = temporaryTeam();
  let nowMs = 0;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const statuses: MemberStatus[] = [];
  const told: string[] = [];
  const ending = new AbortController();
  const never = ending.signal;
  const time = { ...clock, now: () => new Date(nowMs), monotonicMs: () => nowMs, sleep: async (ms: number) => pass(ms) };
  const session = createMemberSession({
    id: "s1",
    agent: "lead",
    team: "atlas",
    cwd: "/repo",
    version: "1",
    nonce: "n1",
    process: { pid: 1, start: "1" },
    hungAfterMs: 600_000,
    model,
    modelName: "m",
    system: "You lead.",
    tools: [],
    permit: async () => ({ allowed: true }),
    filter: undefined,
    limits: {},
    clock: time,
    transcript: openTranscript(ports.disk, `${team.folder}/lead.jsonl`),
    mailbox: team.board.mailbox("lead"),
    writeStatus: (status) => statuses.push(status),
  });
  const typeNext = () => {
    const line = lines.shift();
    if (line !== undefined) session.say({ source: { kind: "user" }, text: line });
  };
  typeNext();
  session.listen((event) => event.type === "ended" && event.ending.kind === "done" && typeNext());
  const end = await runLead({
    session,
    poll: async () => {},
    running: () => [],
    clock: time,
    readList: () => ({ version: 1, revision: 1, next_id: 1, tasks }),
    statusOf: () => undefined,
    waitingMailOf: () => [],
    changed: async () => {
      pass(500);
      if (untilStuck && statuses.at(-1)?.stalled?.length) ending.abort();
    },
    compaction: { waits: () => false, make: async () => {} },
    notBegun: [],
    endWhenDone: !untilStuck,
    longestWaitMs,
    onProviderWait: (reasons) => void told.push(...reasons.map((reason) => `person: ${reason}`)),
    logWait: (_reason, againMs) => void told.push(`log: ${againMs}`),
    onCompleted: () => {},
    onNotice: () => {},
    ending: never,
    turnSignal: () => never,
  });
  return { end, told, statuses, states: statuses.map(({ state }) => state), last: statuses.at(-1) };
}
