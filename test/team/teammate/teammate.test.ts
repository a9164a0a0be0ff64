// A teammate whose turn is interrupted from outside: a real board and mailbox, with the test's own model and tool.
import { expect, it } from "vitest";
import { z } from "zod";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import type { Model, ModelOutcome } from "../../../src/agent/ports/model.ts";
import { maxAttempts } from "../../../src/agent/requests/retry.ts";
import { openTranscript } from "../../../src/agent/session/transcript.ts";
import { readLog } from "../../../src/board/log.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { clock } from "../../../src/edge/clock.ts";
import { createMemberSession } from "../../../src/team/member-session.ts";
import { type MemberStatus, signMs } from "../../../src/team/report/status.ts";
import { teamBoard } from "../../../src/team/team-board.ts";
import { runTeammate, type Teammate } from "../../../src/team/teammate/teammate.ts";
import type { AnyTool } from "../../../src/tools/tool.ts";
import { call, modelOf, replied, say } from "../../agent/agent-kit.ts";
import { lead } from "../../board/examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

/** Runs until it is aborted. `begun` is called at its start, with a function that prints. */
function hangingTool(begun: (print: (text: string) => void) => void): AnyTool {
  return {
    name: "Hang",
    description: "",
    input: z.looseObject({}),
    readOnly: false,
    subject: () => "for ever",
    run: (_input, { signal, onOutput }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ text: "cut short", isError: true, summary: "interrupted" }));
        begun((text) => onOutput?.(text));
      }),
  };
}

/** ann, working on task-1, with a model that calls Hang and then repeats what it was told. */
function hangingAnn(team: TemporaryTeam, begun: Parameters<typeof hangingTool>[0], ending: AbortController) {
  const model = modelOf([replied([call("c1", "Hang")]), replied([say("I go another way.")])]);
  const ann = annWith(team, { model, tools: [hangingTool(begun)] }, ending);
  ann.listen((event) => {
    if (event.type === "reply" && event.turn === 1 && ann.events.filter(({ type }) => type === "reply").length === 2) ending.abort();
  });
  return ann;
}

type Given = { model: Model; tools: AnyTool[]; lead?: Pick<Teammate, "leadIsAlive" | "onLead" | "leadGraceMs"> };
const alwaysLed: Required<Given>["lead"] = { leadIsAlive: () => true, onLead() {}, leadGraceMs: 0 };

/** Each of her waits takes ten seconds of simulated time. */
function annWith({ board, folder }: TemporaryTeam, { model, tools, lead: led = alwaysLed }: Given, ending: AbortController) {
  const statuses: MemberStatus[] = [];
  const events: TranscriptEvent[] = [];
  let nowMs = 0;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const mailbox = board.mailbox("ann");
  const session = createMemberSession({
    id: "s1",
    agent: "ann",
    team: "atlas",
    cwd: "/repo",
    version: "1",
    nonce: "n1",
    process: { pid: 1, start: "1" },
    hungAfterMs: 600_000,
    model,
    modelName: "m",
    system: "You are ann.",
    tools,
    permit: async () => ({ allowed: true }),
    filter: undefined,
    limits: {},
    clock: { ...clock, now: () => new Date(0), monotonicMs: () => nowMs, sleep: async (ms) => pass(ms) },
    transcript: openTranscript(ports.disk, `${folder}/ann.jsonl`),
    mailbox,
    writeStatus: (status) => statuses.push(status),
  });
  session.listen((event) => events.push(event as TranscriptEvent));
  const tellNobody = () => {};
  const run = runTeammate({
    name: "ann",
    session,
    mailbox,
    board: teamBoard({ board, disk: ports.disk, name: "ann", onProblem: tellNobody, onUnsent: tellNobody, now: () => new Date(0) }),
    changed: (signal) => clock.sleep(5, signal).then(() => pass(10_000)),
    compaction: { waits: () => false, make: async () => {} },
    ...led,
    notBegun: [],
    agentsAtWork: () => false,
    now: () => nowMs,
    onIdle: tellNobody,
    ending: ending.signal,
    turnSignal: () => new AbortController().signal,
  });
  return { run, statuses, events, pass, listen: session.listen };
}

it("an interrupt from the lead cuts the call short, and the turn goes on knowing why", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const late = team.board.send({ from: "lead", to: "ann", kind: "interrupt", text: "of a turn that has ended" });
  const ending = new AbortController();
  const interrupt = () => team.board.send({ from: "lead", to: "ann", kind: "interrupt", text: "no event for 20 minutes: Hang for ever" });
  const ann = hangingAnn(team, interrupt, ending);
  await ann.run;
  const said = ann.events.flatMap((event) =>
    event.type === "tool_ended"
      ? [event.text]
      : event.type === "input"
        ? event.inputs.map(({ source, text }) => (source.kind === "harness" ? text : source.kind))
        : [],
  );
  expect([late.ok, said]).toEqual([
    true,
    [
      "task",
      "cut short",
      "Your turn was interrupted: no event for 20 minutes: Hang for ever. Go on another way, or set your task to blocked with the reason.",
    ],
  ]);
  expect(team.board.mailbox("ann").peek()).toEqual([]);
});

it("a read that fails once does not cut a turn short", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const ending = new AbortController();
  let looks = -1;
  const leadIsAlive = () => {
    if (looks >= 0) looks++;
    if (looks === 1) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    if (looks === 2) finish();
    return true;
  };
  let finish = () => {};
  const tool: AnyTool = {
    ...hangingTool(() => {}),
    run: (_input, { signal }) =>
      new Promise((resolve) => {
        looks = 0;
        finish = () => resolve({ text: "finished", isError: false, summary: "done" });
        signal.addEventListener("abort", () => resolve({ text: "cut short", isError: true, summary: "interrupted" }));
      }),
  };
  const model = modelOf([replied([call("c1", "Hang")]), replied([say("Done.")])]);
  const ann = annWith(team, { model, tools: [tool], lead: { ...alwaysLed, leadIsAlive } }, ending);
  ann.listen((event) => {
    if (event.type === "ended") ending.abort();
  });
  await ann.run;
  const results = ann.events.flatMap((event) =>
    event.type === "tool_ended" ? [event.text] : event.type === "ended" ? [event.ending.kind] : [],
  );
  expect(results).toEqual(["finished", "done"]);
});

it("output of a call updates the status occasionally", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const ending = new AbortController();
  const ann = hangingAnn(
    team,
    (print) => {
      const written = ann.statuses.length;
      print("1");
      const soon = ann.statuses.length - written;
      ann.pass(signMs);
      print("2");
      print("3");
      seen.push([soon, ann.statuses.length - written, ann.statuses.at(-1)?.sign_ms, ann.statuses.at(-1)?.asks_model]);
      ending.abort();
    },
    ending,
  );
  const seen: unknown[] = [];
  await ann.run;
  expect(seen).toEqual([[0, 1, signMs, false]]);
  expect(ann.statuses.some(({ asks_model }) => asks_model)).toBe(true);
});

const unavailable: ModelOutcome = { kind: "fault", fault: { verdict: "retry", reason: "No connection (ECONNREFUSED)." } };
const refusedKey: ModelOutcome = { kind: "fault", fault: { verdict: "fatal", status: 401, reason: "Key refused (401)." } };

it("an unanswered request is retried after growing waits, with the task kept and the lead told once", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const ending = new AbortController();
  const twoRuns = Array.from({ length: 2 * maxAttempts }, () => unavailable);
  const model = modelOf([...twoRuns, replied([say("I am back.")])]);
  const ann = annWith(team, { model, tools: [] }, ending);
  ann.listen((event) => event.type === "reply" && ending.abort());
  await ann.run;
  const waits = ann.statuses.flatMap(({ state, paused, task }) => (state === "waiting_provider" && paused ? `${task}: ${paused}` : []));
  expect([...new Set(waits)]).toEqual(
    ["30 seconds", "1 minute"].map((wait) => expect.stringMatching(`^task-1: No connection .* Retrying after ${wait}\\.$`)),
  );
  expect(new Set(model.requests.map(({ messages }) => JSON.stringify(messages))).size).toBe(1);
  const list = team.board.tasks.read();
  expect(list.ok && list.list.tasks[0]?.status).toBe("in_progress");
  expect(
    team.board
      .mailbox("lead")
      .peek()
      .map(({ kind, text }) => [kind, text]),
  ).toEqual([
    ["notice", expect.stringMatching(/^ann waits for its model: .* task-1 \(One\) stays in_progress with it\. It goes on by itself/)],
  ]);
  const log = readLog(ports.disk, team.board.layout.log).next();
  expect(log.flatMap((event) => (event.kind === "member_waits" ? [event.again_ms] : []))).toEqual([30_000, 60_000]);
});

it("with a refused key its task is blocked, and nothing is asked again before somebody writes to it", async () => {
  using team = temporaryTeam();
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  const ending = new AbortController();
  const model = modelOf([refusedKey, replied([say("Never asked.")])]);
  const ann = annWith(team, { model, tools: [] }, ending);
  const looked = clock.sleep(200).then(() => ending.abort());
  await Promise.all([ann.run, looked]);
  const list = team.board.tasks.read();
  expect([model.requests.length, ann.statuses.at(-1)?.state, list.ok && list.list.tasks[0]?.status]).toEqual([
    1,
    "waiting_person",
    "blocked",
  ]);
});

it("the death of the lead and the next lead are reported once each, and a missing lead ends the teammate", async () => {
  using team = temporaryTeam();
  const told: string[] = [];
  const looks = [true, false, false, true, true];
  const leadLooks = { leadIsAlive: () => looks.shift() ?? false, onLead: (state: string) => void told.push(state), leadGraceMs: 15_000 };
  const ann = annWith(team, { model: modelOf([]), tools: [], lead: leadLooks }, new AbortController());
  expect([await ann.run, told]).toEqual(["lead_gone", ["gone", "back", "gone"]]);
});
