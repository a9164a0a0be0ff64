// One member's session: its agent, its transcript, its input from keyboard, mailbox and harness, and the status it shows to others.
// Lead and teammate differ in what they do between runs of turns; this is what they share.

import type { Agent, Limits } from "../agent/agent.ts";
import type { Clock } from "../agent/clock.ts";
import type { AgentEvent, Input } from "../agent/events.ts";
import { createHistory } from "../agent/history.ts";
import type { Model } from "../agent/model.ts";
import type { Permit } from "../agent/permit.ts";
import { costUsd } from "../agent/prices.ts";
import { toolSchemas } from "../agent/request.ts";
import type { Transcript } from "../agent/transcript.ts";
import type { Mailbox } from "../board/mailbox.ts";
import { type Message, showToModel } from "../board/message.ts";
import type { TaskId } from "../board/task.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { MemberState, MemberStatus } from "./status.ts";
import { createTouched } from "./touched.ts";

export type MemberSetup = {
  name: string;
  team: string;
  session: string;
  nonce: string;
  cwd: string;
  version: string;
  process: { pid: number; start: string };
  model: Model;
  modelName: string;
  system: string;
  tools: AnyTool[];
  permit: Permit;
  limits: Limits;
  clock: Clock;
  transcript: Transcript;
  mailbox: Mailbox;
  writeStatus: (status: MemberStatus) => void;
};

export interface MemberSession {
  agent: Agent;
  /** Queues input for the next request. */
  say(input: Input): void;
  /** Typed lines or harness input wait. Mail is asked of the mailbox. */
  inputWaits(): boolean;
  /** Mail that waits to be read, in order; nothing is moved. */
  waitingMail(): Message[];
  /** Returns the way to stop listening. */
  listen(listener: (event: AgentEvent) => void): () => void;
  setState(state: MemberState, task?: string | null): void;
  setPaused(reason: string | undefined): void;
  status(): MemberStatus;
  /** Members this session has written to, from its first line on. */
  wroteTo(): ReadonlySet<string>;
  /** Files this session wrote while it held the task. */
  touched(task: TaskId): string[];
}

/** Kinds of mail that are for the model; the others are for the harness. */
const forModel = new Set<Message["kind"]>(["message", "turn_report", "task_notice", "notice"]);

const maxTokens = 16_000;

export function createMemberSession(setup: MemberSetup): MemberSession {
  const { transcript, mailbox, clock } = setup;
  const past = transcript.events();
  const history = createHistory(past);
  const listeners: ((event: AgentEvent) => void)[] = [];
  const typed: Input[] = [];
  const harness: Input[] = [];
  const written = new Set<string>();
  const touched = createTouched();
  let status: MemberStatus = {
    name: setup.name,
    pid: setup.process.pid,
    start: setup.process.start,
    nonce: setup.nonce,
    session: setup.session,
    state: "starting",
    task: null,
    doing: "",
    since: clock.now().toISOString(),
    turns: 0,
    tokens: 0,
    cached_tokens: 0,
    cost_usd: 0,
  };

  const change = (next: Partial<MemberStatus>) => {
    const changed = { ...status, ...next };
    if (JSON.stringify(changed) === JSON.stringify(status)) return;
    status = {
      ...changed,
      since: changed.state === status.state && changed.doing === status.doing ? status.since : clock.now().toISOString(),
    };
    setup.writeStatus(status);
  };
  const follow = (event: AgentEvent) => {
    for (const to of recipients(event)) written.add(to);
    touched.apply(event);
    status = counted(status, event);
  };
  for (const event of past) follow(event);
  harness.push(...redeliver(past, setup));
  if (past.length === 0) {
    const { session, cwd, modelName: model, version, team, name: agent } = setup;
    record({ type: "session", session, agent, cwd, model, version, team, at: clock.now().toISOString() });
  }
  setup.writeStatus(status);

  function record(event: AgentEvent): void {
    if (event.type === "text" || event.type === "request" || event.type === "tool_started") return;
    const durable = event.type === "input" && event.inputs.some((input) => input.source.kind === "mail");
    transcript.append(event, { durable });
    history.apply(event);
  }

  const agent: Agent = {
    name: setup.name,
    model: setup.model,
    modelName: setup.modelName,
    maxTokens,
    system: setup.system,
    tools: setup.tools,
    schemas: toolSchemas(setup.tools),
    permit: setup.permit,
    history,
    limits: setup.limits,
    clock,
    costUsd: (reply) => costUsd(reply.model, reply.usage),
    spentUsd: () => status.cost_usd ?? 0,
    inbox: {
      take: () => [...typed.splice(0), ...takeMail(mailbox), ...harness.splice(0)],
      recorded: (inputs) => mailbox.acknowledge(inputs.flatMap(({ source }) => (source.kind === "mail" ? source.message : []))),
    },
    emit(event) {
      record(event);
      const before = status;
      follow(event);
      if (status !== before) setup.writeStatus(status);
      if (event.type === "tool_started") change({ doing: `${event.name} ${event.subject}`.trim().slice(0, 120) });
      if (event.type === "request" || event.type === "ended") change({ doing: "" });
      for (const listener of listeners) listener(event);
    },
  };
  return {
    agent,
    say: (input) => void (input.source.kind === "user" ? typed : harness).push(input),
    inputWaits: () => typed.length + harness.length > 0,
    waitingMail: () => mailbox.peek(),
    listen(listener) {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
    setState: (state, task) => change(task === undefined ? { state } : { state, task }),
    setPaused: (paused) => change({ paused }),
    status: () => status,
    wroteTo: () => written,
    touched: (task) => touched.of(task),
  };
}

/** To whom the calls in a reply write. */
export function recipients(event: AgentEvent): string[] {
  if (event.type !== "reply") return [];
  return event.message.content.flatMap((block) => {
    const to = block.type === "tool_use" && block.name === "SendMessage" ? (block.input as { to?: unknown }).to : undefined;
    return typeof to === "string" ? to : [];
  });
}

/** Mail that a former process took: acknowledged if its transcript has it, else shown again. Never lost, never shown twice. */
function redeliver(past: AgentEvent[], { mailbox }: MemberSetup): Input[] {
  const recorded = new Set(
    past.flatMap((event) =>
      event.type === "input" ? event.inputs.flatMap(({ source }) => (source.kind === "mail" ? source.message : [])) : [],
    ),
  );
  const taken = mailbox.unacknowledged();
  mailbox.acknowledge(taken.filter(({ id }) => recorded.has(id)).map(({ id }) => id));
  return taken.filter(({ id, kind }) => !recorded.has(id) && forModel.has(kind)).map(mailInput);
}

/** A request to end stays where it is: what runs this session looks for it once the turn is over. */
function takeMail(mailbox: Mailbox): Input[] {
  const messages = mailbox.take(({ kind }) => kind !== "shutdown");
  mailbox.acknowledge(messages.filter(({ kind }) => !forModel.has(kind)).map(({ id }) => id));
  return messages.filter(({ kind }) => forModel.has(kind)).map(mailInput);
}

function mailInput(message: Message): Input {
  const { id, from, kind, reply_to } = message;
  return { source: { kind: "mail", message: id, from, mail: kind, replyTo: reply_to }, text: showToModel(message), shown: message.text };
}

function counted(status: MemberStatus, event: AgentEvent): MemberStatus {
  if (event.type !== "reply") return status;
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = event.usage;
  const cost = status.cost_usd === null || event.costUsd === null ? null : status.cost_usd + event.costUsd;
  return {
    ...status,
    turns: status.turns + 1,
    tokens: status.tokens + input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    cached_tokens: status.cached_tokens + cache_read_input_tokens,
    cost_usd: cost,
  };
}
