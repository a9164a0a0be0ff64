// One agent's session: its conversation with its transcript, its input, its totals, and its listeners. A solo session is exactly this; a member of a
// team (team/member-session.ts) adds a mailbox and a status for others to see.
import type { AnyTool } from "../../tools/tool.ts";
import type { Agent, Limits } from "../agent.ts";
import type { AgentEvent, Input, TranscriptEvent } from "../events.ts";
import type { Clock } from "../ports/clock.ts";
import type { Model, Usage } from "../ports/model.ts";
import type { OutboundFilter } from "../ports/outbound-filter.ts";
import type { Permit } from "../ports/permit.ts";
import { costUsd } from "../requests/prices.ts";
import { toolSchemas } from "../requests/request.ts";
import { conversationOf, isTyped } from "../rewind/conversation.ts";
import { addedUsd, allUsage, allUsd, knownUsd, nothingSpent, type Spending, withEvent } from "../spending.ts";
import { createHistory } from "./history.ts";
import { createKeptFacts } from "./kept-facts.ts";
import type { Ledger } from "./ledger.ts";
import { isKept, type Transcript } from "./transcript.ts";

/** Input that is neither typed nor said by the harness: a mailbox. */
export type Mail = {
  /** Everything that waits for the model, removed from the queue. */
  take(): Input[];
  /** Called once the transcript with these inputs is on disk. */
  recorded(inputs: Input[]): void;
};

/** Mail that brings about a turn while `waits`. */
export type Reports = Mail & { waits(): boolean };

/** Several as one. */
export function reportsOf(...all: Reports[]): Reports {
  return {
    waits: () => all.some((one) => one.waits()),
    take: () => all.flatMap((one) => one.take()),
    recorded(inputs) {
      for (const one of all) one.recorded(inputs);
    },
  };
}

export type SessionSetup = {
  id: string;
  agent: string;
  team?: string;
  /** The name of the definition that it works by. */
  definition?: string | undefined;
  purpose?: SessionEvent["purpose"];
  cwd: string;
  version: string;
  model: Model;
  modelName: string;
  /** Answers where that model stays overloaded. */
  fallbackModel?: string | undefined;
  system: string;
  tools: AnyTool[];
  permit: Permit;
  filter: OutboundFilter | undefined;
  /** Records what is sent before it is sent. */
  ledger?: Ledger;
  limits: Limits;
  clock: Clock;
  transcript: Transcript;
  /** The agent that started this one: the schemas of tools that both have are taken from it. */
  startedBy?: Agent | undefined;
  /** The earlier events of a resumed session. */
  past: TranscriptEvent[];
  mail?: Mail;
  /** Where notes for the model come from besides; what it is given receives each of them. */
  notes?: (listener: (text: string) => void) => void;
  /** From what ran in the background: reports of sub-agents, ends of commands. */
  reports?: Reports;
  /** The conversation that a fork continues from: part of what the model sees, and nothing that this session has used. */
  inherited?: TranscriptEvent[];
  /** What its agents spent before it was resumed. */
  spentByAgents?: Spending;
  /** Counts each of its requests for the session that started it. */
  charge?: Session["charge"];
  /** What counts towards the budget; absent: what it has spent, and its agents. */
  spentUsd?: () => number;
} & Pick<
  Agent,
  | "windowTokens"
  | "effort"
  | "opening"
  | "survivors"
  | "retryBudget"
  | "outputs"
  | "written"
  | "hooks"
  | "useSkill"
  | "resource"
  | "isThere"
>;

/** The totals of a session over all its processes: its own turns, and what it and its agents have used so far. */
export type Totals = { turns: number; usage: Usage; costUsd: number | null };

export interface Session {
  id: string;
  agent: Agent;
  /** Queues input for the next request. */
  say(input: Input): void;
  /** Shown to the model with the next request; does not start a turn. */
  note(input: Input): void;
  /** Queued notes. */
  noted(): readonly Input[];
  /** Removes the last typed input with this text from the queue; false when the agent already has it. */
  takeBack(text: string): boolean;
  /** Typed lines, reports or harness input wait; mail is asked of the mailbox. */
  inputWaits(): boolean;
  /** Returns a function that stops listening. */
  listen(listener: (event: AgentEvent) => void): () => void;
  totals(): Totals;
  /** The same by model. */
  spending(): Spending;
  /** Counts a request that one of its agents has made. */
  charge(event: AgentEvent): void;
  /** Its first line, in the transcript and in a stream of events. */
  about(): SessionEvent;
  /** From the next request on the agent has this tool too. This invalidates the provider's cache. */
  addTool(tool: AnyTool): void;
}

type SessionEvent = Extract<AgentEvent, { type: "session" }>;

const maxTokens = 16_000;

export function createSession(setup: SessionSetup): Session {
  const { transcript, clock, mail, reports, past } = setup;
  const listeners: ((event: AgentEvent) => void)[] = [];
  const { take, recorded, waits: inputWaits, ...waiting } = createInbox({ mail, reports });
  const { count, ...account } = createAccount(setup);
  let { history, kept } = rebuilt(setup, past);
  let opened = past.length > 0;
  for (const event of [...(setup.inherited ?? []), ...past]) setup.ledger?.follow(event);

  setup.notes?.((text) => waiting.note({ source: { kind: "harness" }, text }));
  const about = () => sessionEvent(setup);
  /** The first line of a transcript says whose it is; a session in which nothing was said leaves no file. */
  const open = () => {
    if (opened) return;
    opened = true;
    transcript.append(about());
  };
  const record = (event: AgentEvent) => {
    if (!isKept(event)) return;
    open();
    const before = event.type === "rewound" ? transcript.events() : undefined;
    transcript.append(event, { durable: before !== undefined || holdsDelivery(event) });
    if (before) {
      ({ history, kept } = rebuilt(setup, [...before, event]));
      agent.history = history;
      return;
    }
    kept.apply(event);
    history.apply(event);
  };
  const agent: Agent = {
    name: setup.agent,
    model: setup.ledger?.over(setup.model) ?? setup.model,
    ...modelSettings(setup),
    system: setup.system,
    tools: setup.tools,
    schemas: toolSchemas(setup.tools, setup.startedBy),
    permit: setup.permit,
    filter: setup.filter,
    hooks: setup.hooks,
    history,
    limits: setup.limits,
    clock,
    windowTokens: setup.windowTokens,
    opening: setup.opening,
    survivors: () => ({ ...setup.survivors?.(), ...kept.survivors() }),
    retryBudget: setup.retryBudget,
    outputs: setup.outputs,
    written: setup.written,
    useSkill: setup.useSkill,
    resource: setup.resource,
    isThere: setup.isThere,
    costUsd: (reply) => costUsd(reply.model, reply.usage),
    spentUsd: setup.spentUsd ?? (() => knownUsd(account.spending())),
    inbox: { take, recorded },
    emit(event) {
      record(event);
      setup.ledger?.follow(event);
      count(event);
      for (const listener of listeners) listener(event);
    },
  };
  return {
    id: setup.id,
    agent,
    ...waiting,
    inputWaits,
    listen(listener) {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
    ...account,
    about,
    addTool(tool) {
      if (agent.tools.some(({ name }) => name === tool.name)) return;
      agent.tools = [...agent.tools, tool];
      agent.schemas = [...agent.schemas, ...toolSchemas([tool])];
    },
  };
}

/** What it and its agents have used so far. */
function createAccount({ past, spentByAgents = nothingSpent, charge: chargeAbove }: SessionSetup) {
  let turns = past.filter(isReply).length;
  let spending = past.reduce(withEvent, spentByAgents);
  const charge = (event: AgentEvent) => {
    spending = withEvent(spending, event);
    chargeAbove?.(event);
  };
  return {
    count(event: AgentEvent) {
      if (isReply(event)) turns++;
      charge(event);
    },
    charge,
    spending: () => spending,
    totals: (): Totals => ({ turns, usage: allUsage(spending), costUsd: allUsd(spending) }),
  };
}

function modelSettings({ modelName, effort, fallbackModel }: SessionSetup): Pick<Agent, "modelName" | "maxTokens" | "effort" | "fallback"> {
  return { modelName, maxTokens, effort, ...(fallbackModel !== undefined && { fallback: { model: fallbackModel, answers: false } }) };
}

function sessionEvent({
  id: session,
  agent,
  cwd,
  modelName: model,
  version,
  team,
  definition,
  purpose,
  clock,
}: SessionSetup): SessionEvent {
  const by = { ...(definition !== undefined && { definition }), ...(purpose && { purpose }) };
  return { type: "session", session, agent, cwd, model, version, team, ...by, at: clock.now().toISOString() };
}

/** The state that follows from a transcript and the conversation in it. */
function rebuilt({ inherited = [] }: SessionSetup, own: TranscriptEvent[]) {
  return { history: createHistory(conversationOf([...inherited, ...own])), kept: createKeptFacts(conversationOf(own)) };
}

/** Everything that waits for the model, in the order in which it reads it: notes, typed lines, mail, reports, what the harness says. */
function createInbox({ mail, reports }: Pick<SessionSetup, "mail" | "reports">) {
  const typed: Input[] = [];
  const harness: Input[] = [];
  const notes: Input[] = [];
  return {
    say: (input: Input) => void (isTyped(input) ? typed : harness).push(input),
    note(input: Input) {
      const about = aboutOf(input);
      const former = about === undefined ? -1 : notes.findIndex((waiting) => aboutOf(waiting) === about);
      if (former >= 0) notes.splice(former, 1);
      notes.push(input);
    },
    noted: () => notes,
    takeBack(text: string) {
      const at = typed.findLastIndex((input) => (input.shown ?? input.text) === text);
      return at >= 0 && typed.splice(at, 1).length > 0;
    },
    waits: () => typed.length + harness.length > 0 || reports?.waits() === true,
    take: (turn: number) => [
      ...notes.splice(0),
      ...typed.splice(0, dueLines(typed, turn)),
      ...(mail?.take() ?? []),
      ...(reports?.take() ?? []),
      ...harness.splice(0),
    ],
    recorded(inputs: Input[]) {
      mail?.recorded(inputs);
      reports?.recorded(inputs);
    },
  };
}

/** How many typed lines this turn takes in: a line that needs a separate run starts one, and the lines after it wait. */
function dueLines(typed: readonly Input[], turn: number): number {
  const own = typed.findIndex(({ ownRun }) => ownRun);
  if (own < 0) return typed.length;
  return own === 0 && turn === 1 ? 1 : own;
}

const aboutOf = ({ source }: Input) => (source.kind === "harness" ? source.about : undefined);

const durableSources = ["mail", "agent", "background"];

function holdsDelivery(event: TranscriptEvent): boolean {
  return event.type === "input" && event.inputs.some(({ source }) => durableSources.includes(source.kind));
}

const isReply = ({ type }: AgentEvent) => type === "reply";

/** What was used between two looks at the totals of a session. */
export function spentSince(before: Totals, now: Totals): Totals {
  const less = (key: keyof Usage) => now.usage[key] - before.usage[key];
  return {
    turns: now.turns - before.turns,
    usage: {
      input_tokens: less("input_tokens"),
      output_tokens: less("output_tokens"),
      cache_creation_input_tokens: less("cache_creation_input_tokens"),
      cache_read_input_tokens: less("cache_read_input_tokens"),
    },
    costUsd: now.costUsd === null || before.costUsd === null ? null : addedUsd(now.costUsd, -before.costUsd),
  };
}
