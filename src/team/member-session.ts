// One member's session: an agent's session with a mailbox for input, and the status that others see of it.
// Lead and teammate differ in what they do between runs of turns; this is what they share.

import type { AgentEvent, Input, TranscriptEvent } from "../agent/events.ts";
import { windowOf } from "../agent/requests/compaction.ts";
import { createSession, type Session, type SessionSetup, type Totals } from "../agent/session/session.ts";
import { allTokens } from "../agent/usage.ts";
import type { Mailbox } from "../board/messages/mailbox.ts";
import { type Message, showToModel } from "../board/messages/message.ts";
import type { TaskId } from "../board/tasks/task.ts";
import type { HandsFacts } from "../places/hands-facts.ts";
import type { Evidence } from "../wording/evidence.ts";
import { firstStatus, type MemberState, type MemberStatus, signMs } from "./report/status.ts";
import { createTaskEvidence, createTouched } from "./report/touched.ts";

export type MemberSetup = Omit<SessionSetup, "past" | "mail"> & {
  team: string;
  nonce: string;
  process: { pid: number; start: string };
  /** From this time on a working member without events counts as hung. */
  hungAfterMs: number;
  mailbox: Mailbox;
  writeStatus: (status: MemberStatus) => void;
  /** The last status of the process before, if there was one: what it counted stays counted, even if the transcript has lost its end. */
  before?: MemberStatus | undefined;
};

export interface MemberSession extends Session {
  /** Unread mail, in order; nothing is moved. */
  waitingMail(): Message[];
  setState(state: MemberState, task?: string | null): void;
  /** Its state apart from open questions. */
  workState(): MemberState;
  /** Shows, while `answered` is not settled, that a question is open; whatever its state becomes meanwhile shows afterwards. */
  whileAsking<T>(answered: () => Promise<T>): Promise<T>;
  setPaused(reason: string | undefined): void;
  /** Of a lead: why the team is stuck. */
  setStalled(reasons: string[]): void;
  /** What it is doing, in a few words. */
  setDoing(doing: string): void;
  /** Its hands at a place. */
  setHands(hands: HandsFacts): void;
  /** Records activity that is not an event of its own session. */
  noteSign(): void;
  status(): MemberStatus;
  /** Members this session has written to, from its first line on. */
  wroteTo(): ReadonlySet<string>;
  /** A former process was killed in the middle of a turn. */
  wasCutOff: boolean;
  /** Files this session wrote while it held the task. */
  touched(task: TaskId): string[];
  /** The last test that it ran for the task. */
  evidence(task: TaskId): Evidence;
}

/** The last of these events in a turn is the turn's end. */
const inTurn = new Set<TranscriptEvent["type"]>(["input", "reply", "tool_ended", "ended"]);

/** Kinds of mail that are for the model; the others are for the harness. */
const forModel = new Set<Message["kind"]>(["message", "turn_report", "task_notice", "notice"]);

export function createMemberSession(setup: MemberSetup): MemberSession {
  const { transcript, mailbox, clock } = setup;
  const past = transcript.events();
  const written = new Set<string>();
  const touched = createTouched();
  const tests = createTaskEvidence();
  const session = createSession({
    ...setup,
    past,
    mail: { take: () => takeMail(mailbox), recorded: (inputs) => acknowledge(mailbox, inputs) },
  });
  const counted = () => neverLess(used(session.totals()), setup.before?.session === setup.id ? setup.before : undefined);
  const { agent: name, nonce, id } = setup;
  const at = { ...setup, now: clock.now(), nowMs: clock.monotonicMs() };
  let status: MemberStatus = { ...firstStatus({ name, nonce, session: id }, at), ...counted(), ...windowHeld(session) };

  const change = (next: Partial<MemberStatus>) => {
    const changed = { ...status, ...next };
    const nowMs = clock.monotonicMs();
    const signIsOld = nowMs - (status.sign_ms ?? 0) >= signMs;
    if (!signIsOld && JSON.stringify(changed) === JSON.stringify(status)) return;
    status = {
      ...changed,
      sign_ms: nowMs,
      since: changed.state === status.state && changed.doing === status.doing ? status.since : clock.now().toISOString(),
    };
    setup.writeStatus(status);
  };
  const follow = (event: AgentEvent) => {
    for (const to of recipients(event)) written.add(to);
    touched.apply(event);
    tests.apply(event);
  };
  for (const event of past) follow(event);
  for (const input of redeliver(past, mailbox)) session.say(input);
  setup.writeStatus(status);
  session.listen((event) => {
    follow(event);
    change({
      ...testsOf(event),
      ...("usage" in event && { ...counted(), ...windowHeld(session) }),
      ...doing(event),
      ...asksModel(event),
    });
  });
  const testsOf = (event: AgentEvent): Partial<MemberStatus> =>
    event.type === "tool_ended" && status.task !== null ? { evidence: tests.of(status.task) } : {};
  return {
    ...session,
    waitingMail: () => mailbox.peek(),
    ...stateUnderQuestions((state, task) =>
      change({ state, ...(task !== undefined && { task, evidence: task === null ? status.evidence : tests.of(task) }) }),
    ),
    setPaused: (paused) => change({ paused }),
    setStalled: (stalled) => status.stalled?.join("\n") !== stalled.join("\n") && change({ stalled }),
    setDoing: (doing) => change({ doing }),
    setHands: (hands) => change({ hands }),
    noteSign: () => change({}),
    status: () => status,
    wasCutOff: past.findLast(({ type }) => inTurn.has(type))?.type !== "ended" && past.some(({ type }) => inTurn.has(type)),
    wroteTo: () => written,
    touched: (task) => touched.of(task),
    evidence: tests.of,
  };
}

/** A question shows before whatever the member does; of several, the last answer ends that. */
function stateUnderQuestions(
  show: (state: MemberState, task?: string | null) => void,
): Pick<MemberSession, "setState" | "workState" | "whileAsking"> {
  let state: MemberState = "starting";
  let questions = 0;
  const shown = () => (questions > 0 ? "waiting_permission" : state);
  return {
    setState(next, task) {
      state = next;
      show(shown(), task);
    },
    workState: () => state,
    async whileAsking(answered) {
      questions++;
      show(shown());
      try {
        return await answered();
      } finally {
        questions--;
        show(shown());
      }
    },
  };
}

function doing(event: AgentEvent): Partial<Pick<MemberStatus, "doing">> {
  if (event.type === "tool_started") return { doing: `${event.name} ${event.subject}`.trim().slice(0, 120) };
  return event.type === "request" || event.type === "ended" ? { doing: "" } : {};
}

/** From a request to its reply, all retries included. */
function asksModel({ type }: AgentEvent): Partial<Pick<MemberStatus, "asks_model">> {
  if (type === "request" || type === "compacting") return { asks_model: true };
  return type === "reply" || type === "compacted" || type === "compaction_failed" || type === "ended" ? { asks_model: false } : {};
}

function windowHeld({ agent }: Session): Pick<MemberStatus, "context_tokens" | "window_tokens"> {
  return { context_tokens: agent.history.count.tokens(), window_tokens: windowOf(agent) };
}

type Counted = Pick<MemberStatus, "turns" | "tokens" | "cached_tokens" | "cost_usd">;

function neverLess(now: Counted, before: Counted | undefined): Counted {
  if (!before) return now;
  return {
    turns: Math.max(now.turns, before.turns),
    tokens: Math.max(now.tokens, before.tokens),
    cached_tokens: Math.max(now.cached_tokens, before.cached_tokens),
    cost_usd: now.cost_usd === null || before.cost_usd === null ? now.cost_usd : Math.max(now.cost_usd, before.cost_usd),
  };
}

function used({ turns, usage, costUsd }: Totals): Counted {
  return { turns, tokens: allTokens(usage), cached_tokens: usage.cache_read_input_tokens, cost_usd: costUsd };
}

function acknowledge(mailbox: Mailbox, inputs: Input[]): void {
  mailbox.acknowledge(inputs.flatMap(({ source }) => (source.kind === "mail" ? source.message : [])));
}

/** The recipients of the messages that the calls of a reply send. */
export function recipients(event: AgentEvent): string[] {
  if (event.type !== "reply") return [];
  return event.message.content.flatMap((block) => {
    const to = block.type === "tool_use" && block.name === "SendMessage" ? (block.input as { to?: unknown }).to : undefined;
    return typeof to === "string" ? to : [];
  });
}

/**
 * Mail that a former process took: acknowledged if its transcript has it, else shown again. Never lost, never shown twice: a power cut can
 * undo the move to the messages that were shown, so what is new is compared with the transcript as well.
 */
function redeliver(past: TranscriptEvent[], mailbox: Mailbox): Input[] {
  const recorded = recordedMail(past);
  const taken = mailbox.unacknowledged();
  mailbox.acknowledge([...taken, ...mailbox.peek()].filter(({ id }) => recorded.has(id)).map(({ id }) => id));
  return taken.filter(({ id, kind }) => !recorded.has(id) && forModel.has(kind)).map(mailInput);
}

/** Messages for the model that its transcript does not have, those that a former process took before it died included. Nothing is moved. */
export function unreadMail(past: TranscriptEvent[], mailbox: Mailbox): Message[] {
  const recorded = recordedMail(past);
  return [...mailbox.unacknowledged(), ...mailbox.peek()].filter(({ id, kind }) => forModel.has(kind) && !recorded.has(id));
}

function recordedMail(past: TranscriptEvent[]): Set<string> {
  return new Set(
    past.flatMap((event) =>
      event.type === "input" ? event.inputs.flatMap(({ source }) => (source.kind === "mail" ? source.message : [])) : [],
    ),
  );
}

/** A request to end, or to interrupt the turn, stays where it is: what runs this session looks for it itself. */
function takeMail(mailbox: Mailbox): Input[] {
  const messages = mailbox.take(({ kind }) => kind !== "shutdown" && kind !== "interrupt");
  mailbox.acknowledge(messages.filter(({ kind }) => !forModel.has(kind)).map(({ id }) => id));
  return messages.filter(({ kind }) => forModel.has(kind)).map(mailInput);
}

function mailInput(message: Message): Input {
  const { id, from, kind, reply_to } = message;
  return { source: { kind: "mail", message: id, from, mail: kind, replyTo: reply_to }, text: showToModel(message), shown: message.text };
}
