// What the hands at a place tell home between their results, who is asked there, and what home remembers of them.
import { z } from "zod";
import { type CommandRecord, commandSchema } from "../../background/command.ts";
import type { Granted } from "../../permissions/grants.ts";
import type { Ask } from "../../permissions/permit.ts";
import { fits, questionSchema } from "../../permissions/questions/question.ts";
import type { Listeners } from "../../places/call-hands.ts";
import type { ToolResult } from "../../tools/tool.ts";

/** What the place tells between its results, and who is asked. */
export type PlaceDesk = Listeners & {
  state: PlaceState;
  /** The hands are gone, with what runs there and what was granted there. */
  forget(): void;
  /** The agent learns where new hands work. */
  introduce(place: string, cwd: string): void;
};

/** Of one agent whose hands they are. */
export type AgentState = {
  ask: Ask | undefined;
  granted: Granted[];
  /** What came from there, with notices. */
  results: WeakMap<ToolResult, string[]>;
  /** What a skill leaves, which new hands have to know. */
  narrowed: { skill: string; tools: readonly string[] } | undefined;
  /** What came with the decision about a call with this very input. */
  early: WeakMap<object, unknown>;
};

/** Of the agent for which they were started, and of all of them. */
export type PlaceState = AgentState & {
  onNotice: (text: string) => void;
  /** What was said before anybody listened. */
  unheard: string[];
  commands: readonly CommandRecord[];
  onCommands: (() => void)[];
  /** Files that Write and Edit may have changed there, by their paths at home, until the change is at home. */
  touched: Set<string>;
  onNote: ((text: string) => void)[];
  /** The agents that it has started, by their ids. */
  agents: Map<string, AgentState>;
};

export const agentState = (): AgentState => ({
  ask: undefined,
  granted: [],
  results: new WeakMap(),
  narrowed: undefined,
  early: new WeakMap(),
});

const agentQuestionSchema = z.strictObject({ agent: z.string(), question: z.unknown() });

export function placeDesk(): PlaceDesk {
  const unheard: string[] = [];
  const state: PlaceState = {
    ...agentState(),
    onNotice: (text) => void (unheard.length < mostUnheard && unheard.push(text)),
    unheard,
    commands: [],
    onCommands: [],
    touched: new Set(),
    onNote: [],
    agents: new Map(),
  };
  return {
    state,
    async ask(raw, signal) {
      const ofAgent = agentQuestionSchema.safeParse(raw).data;
      const { ask } = (ofAgent ? state.agents.get(ofAgent.agent) : state) ?? {};
      const question = questionSchema.safeParse(ofAgent ? ofAgent.question : raw).data;
      if (!question || !ask) return undefined;
      // "always" would be written to a settings file there.
      const { file: _, ...asked } = question.kind === "permission" ? question : { ...question, file: undefined };
      const answer = await ask(asked as typeof question, signal);
      return answer && fits(asked as typeof question, answer) ? answer : undefined;
    },
    notice: (text) => state.onNotice(text),
    commands(raw) {
      const told = new Set(state.commands.flatMap(({ id, told }) => (told ? [id] : [])));
      state.commands = raw.flatMap((one) => commandSchema.safeParse(one).data ?? []).map((one) => ({ ...one, told: told.has(one.id) }));
      for (const listener of state.onCommands) listener();
    },
    forget() {
      for (const one of [state, ...state.agents.values()]) one.granted = [];
      state.commands = state.commands.map((one) =>
        one.state === "running" ? { ...one, state: "stopped", reason: "its hands are gone" } : one,
      );
      for (const listener of state.onCommands) listener();
    },
    introduce(place, cwd) {
      for (const listener of state.onNote) listener(newHandsText(place, cwd));
    },
  };
}

/** More is said only to somebody who listens. */
const mostUnheard = 20;

export function hear(state: PlaceState, onNotice: (text: string) => void): void {
  state.onNotice = onNotice;
  for (const text of state.unheard.splice(0)) onNotice(text);
}

const newHandsText = (place: string, cwd: string) =>
  `New hands work for you now, at the place "${place}"; there the working directory is ${cwd}. They go on from the end of your last turn with the ones before: look at what you have changed since then, and at what ran in the background.`;
