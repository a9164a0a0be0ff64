// The hooks of one session, as its agent, its permission rules and its questions call them.

import type { AgentHooks } from "../agent/agent-hooks.ts";
import type { Input } from "../agent/events.ts";
import type { Clock } from "../agent/ports/clock.ts";
import type { Permit } from "../agent/ports/permit.ts";
import type { Ask } from "../permissions/permit.ts";
import type { Question } from "../permissions/questions/question.ts";
import { capital } from "../wording/capital.ts";
import type { EventInput } from "./event-inputs.ts";
import type { EndReason } from "./events.ts";
import type { HookRunner } from "./hook-runner.ts";
import { hookedPermit } from "./pre-tool-use.ts";
import { type Blocking, blockedBy, blockIn, hookName, type Verdict } from "./verdict.ts";

type HookTask = EventInput<"TaskCreated">["task"];

/** What somebody needs the person for, in words for a notification. */
export type Need = { kind: "question" | "agent_ended" | "team_completed" | "teammate_waits"; text: string };

/** Tells the person by a way of their own. Never rejects. */
export type Tell = (need: Need, signal: AbortSignal) => Promise<void>;

export interface SessionHooks {
  agent: AgentHooks;
  /** For agents that the session starts: they have no UserPromptSubmit, and SubagentStop replaces Stop. */
  subagent: AgentHooks;
  permit(permit: Permit): Permit;
  ask(ask: Ask): Ask;
  /** Starts the SessionStart hooks; what they add enters before the first input. */
  start(source: EventInput<"SessionStart">["source"]): void;
  /** Resolves when the SessionEnd hooks have ended. */
  end(reason: EndReason): Promise<void>;
  /** Returns without waiting for the hooks. */
  notify(notification: EventInput<"Notification">): void;
  /** Tells the person, without waiting for it; for a question `ask` does. */
  alert(need: Need): void;
  taskCreated(task: HookTask): void;
  /** The reason why the task must not be completed yet, if there is one. */
  beforeTaskCompleted(task: HookTask, summary: string | null, signal: AbortSignal): Promise<string | undefined>;
  /** Work for a teammate that would otherwise become idle. */
  beforeIdle(): Promise<Input | undefined>;
  subagentStarts(input: EventInput<"SubagentStart">): void;
  subagentStops(input: EventInput<"SubagentStop">): void;
}

/** How long the end of a session waits for hooks that nobody waited for before. */
const lastMs = 5_000;

/** After so many blocks in a row the teammate becomes idle anyway. */
const mostIdleBlocks = 5;

/** `agent`: who asks. */
export function sessionHooks(
  runner: HookRunner,
  { clock, agent: asker, tell }: { clock: Pick<Clock, "sleep">; agent: string; tell: Tell },
): SessionHooks {
  let starting: Promise<Input[]> | undefined;
  const ending = new AbortController();
  let idleBlocks = 0;
  const underWay = new Set<Promise<unknown>>();
  const unwaited = (fired: Promise<unknown>) => {
    underWay.add(fired);
    void fired.finally(() => underWay.delete(fired));
  };
  const notify = (input: EventInput<"Notification">) => {
    unwaited(runner.fire({ event: "Notification", matched: input.notification_type, input, signal: ending.signal }));
  };
  const alert = (need: Need) => unwaited(tell(need, ending.signal));
  const agent = agentHooks(runner, async (signal) => {
    const first = starting && (await Promise.race([starting, untilAborted(signal)]));
    if (first) starting = undefined;
    return first ?? [];
  });
  return {
    agent,
    subagent: { ...agent, inputs: async (inputs) => ({ inputs }), beforeStop: async () => undefined },
    permit: (permit) => hookedPermit(permit, runner),
    ask: (ask) => async (question, signal) => {
      const tool = toolOf(question);
      if (runner.has("PermissionRequest")) {
        const input = { tool_name: tool, ...askedFor(question) };
        const blocking = blockIn(await runner.fire({ event: "PermissionRequest", matched: tool, input, signal }));
        if (blocking) return { kind: "no", reason: `${hookName(blocking.hook)} blocked it: ${blocking.blocks}` };
      }
      notify({ notification_type: "permission_request", message: `A question waits: ${tool}` });
      alert({ kind: "question", text: `${asker} ${questionWords(question)}` });
      return ask(question, signal);
    },
    start(source) {
      if (!runner.has("SessionStart")) return;
      starting = runner
        .fire({ event: "SessionStart", matched: source, input: { source }, signal: ending.signal })
        .then((verdicts) => verdicts.flatMap((verdict) => contextOf("SessionStart", verdict)));
    },
    async end(reason) {
      const last = runner.fire({ event: "SessionEnd", matched: reason, input: { reason }, signal: new AbortController().signal });
      if (underWay.size > 0) await Promise.race([Promise.all(underWay), clock.sleep(lastMs)]);
      ending.abort();
      await Promise.all([last, ...underWay]);
    },
    notify,
    alert,
    taskCreated: (task) => unwaited(runner.fire({ event: "TaskCreated", input: { task }, signal: ending.signal })),
    async beforeTaskCompleted(task, summary, signal) {
      const blocking = blockIn(await runner.fire({ event: "TaskCompleted", input: { task, summary }, signal }));
      if (signal.aborted) return "It was interrupted before the hooks had ended";
      return blocking && blockedBy(blocking);
    },
    async beforeIdle() {
      const fired = runner.fire({ event: "TeammateIdle", input: {}, signal: ending.signal });
      unwaited(fired);
      const blocking = blockIn(await fired);
      idleBlocks = blocking ? idleBlocks + 1 : 0;
      return blocking && idleBlocks <= mostIdleBlocks ? wanted("TeammateIdle", blocking) : undefined;
    },
    subagentStarts(input) {
      unwaited(runner.fire({ event: "SubagentStart", matched: input.agent_name, input, signal: ending.signal }));
    },
    subagentStops(input) {
      unwaited(runner.fire({ event: "SubagentStop", matched: input.agent_name, input, signal: ending.signal }));
      if (input.background) notify({ notification_type: "agent_completed", message: `Agent ${input.agent_id}: ${input.status}` });
    },
  };
}

/** `opening`: what the SessionStart hooks add; used once. */
function agentHooks(runner: HookRunner, opening: (signal: AbortSignal) => Promise<Input[]>): AgentHooks {
  return {
    async inputs(inputs, signal) {
      const first = await opening(signal);
      const { inputs: passed, refused } = runner.has("UserPromptSubmit") ? await submitted(inputs, runner, signal) : { inputs };
      return { inputs: [...first, ...passed], ...(refused !== undefined && { refused }) };
    },
    stopped: runner.stopped,
    async afterCall({ id, tool, input, shown, text, isError }, signal) {
      if (!runner.has("PostToolUse")) return undefined;
      const verdicts = await runner.fire({
        event: "PostToolUse",
        matched: tool,
        call: { tool, input },
        input: {
          tool_name: tool,
          tool_input: shown?.(runner.cwd()) ?? (input as Record<string, unknown>),
          tool_use_id: id,
          tool_response: { text, is_error: isError },
        },
        signal,
      });
      const said = verdicts.flatMap(({ hook, blocks, context }) =>
        [blocks, context].flatMap((words) => (words ? [`[${capital(hookName(hook))} says]\n${words}`] : [])),
      );
      return said.length > 0 ? said.join("\n\n") : undefined;
    },
    async beforeCompaction({ cause, focus }, signal) {
      const trigger = cause === "asked" ? "manual" : "auto";
      const input = { trigger, focus: focus ?? null } as const;
      const blocking = blockIn(await runner.fire({ event: "PreCompact", matched: trigger, input, signal }));
      return blocking && blockedBy(blocking);
    },
    async beforeStop({ text, again }, signal) {
      const input = { stop_hook_active: again, last_message: text };
      const blocking = blockIn(await runner.fire({ event: "Stop", input, signal }));
      return blocking && wanted("Stop", blocking);
    },
  };
}

/** The lines that the person typed, each followed by what hooks add to it; a blocked line is left out. */
async function submitted(inputs: Input[], runner: HookRunner, signal: AbortSignal): Promise<{ inputs: Input[]; refused?: string }> {
  const passed: Input[] = [];
  let refused: string | undefined;
  for (const input of inputs) {
    const typed = input.source.kind === "user" || input.source.kind === "skill";
    const verdicts = typed ? await runner.fire({ event: "UserPromptSubmit", input: { prompt: input.text }, signal }) : [];
    const blocking = blockIn(verdicts);
    if (typed && signal.aborted) refused = "What was typed was not sent: it was interrupted before the hooks had ended";
    else if (blocking) refused = blockedBy(blocking, "what was typed");
    else passed.push(input, ...verdicts.flatMap((verdict) => contextOf("UserPromptSubmit", verdict)));
  }
  return { inputs: passed, ...(refused !== undefined && { refused }) };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });

function contextOf(event: string, { hook, context }: Verdict): Input[] {
  if (context === undefined) return [];
  const name = capital(hookName(hook));
  return [
    { source: { kind: "hook", event }, text: `[${name} adds]\n${context}`, shown: `  ${name} adds ${context.trim().split("\n", 1)[0]}` },
  ];
}

function wanted(event: string, { hook, blocks }: Blocking): Input {
  const name = capital(hookName(hook));
  return { source: { kind: "hook", event }, text: `[${name} wants this done before you stop]\n${blocks}` };
}

function toolOf(question: Question): string {
  switch (question.kind) {
    case "plan":
      return "SubmitPlan";
    case "choice":
      return "AskUser";
    case "permission":
      return question.tool;
  }
}

/** Nothing of what the question contains: others may see the notification. */
function questionWords(question: Question): string {
  if (question.kind === "plan") return "has a plan for you";
  return question.kind === "choice" ? "has a question for you" : `needs your permission: ${question.tool}`;
}

function askedFor(question: Question): { parts: string[]; reason: string } {
  if (question.kind === "plan") return { parts: [question.plan], reason: "A plan is submitted" };
  if (question.kind === "choice") return { parts: [question.text, ...question.options], reason: "The agent asks the person" };
  return { parts: question.parts.map(({ text }) => text), reason: question.reason };
}
