// Agent: the tool with which a model starts an agent for one piece of work. CheckAgent: the tool with which it asks for an agent's state.

import { z } from "zod";
import type { Session } from "../agent/session/session.ts";
import { done, refused } from "../tools/answer.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import { otherAgentNames } from "../wording/agent-names.ts";
import { evidenceWords } from "../wording/evidence.ts";
import { plural } from "../wording/figures.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { agentsPrompt } from "./agents-prompt.ts";
import { generalAgent } from "./definitions/built-in.ts";
import type { Definition, Mistake } from "./definitions/definition.ts";
import { findDefinition } from "./definitions/definitions.ts";
import { endedNote } from "./ended-note.ts";
import { type Isolated, placeOf } from "./isolated.ts";
import { agentToolText } from "./prompt.ts";
import { type AgentRecord, stateWords } from "./record.ts";
import { statusText } from "./status-text.ts";
import type { StartResult, Subagents } from "./subagents.ts";

const agentInput = z.strictObject({
  description: z.string().describe("the work in three to six words, for the person"),
  prompt: z.string(),
  subagent_type: z.string().optional().describe(`which agent; ${generalAgent.name} when left out`),
  name: z.string().max(64).optional(),
  background: z.boolean().optional().describe("the report arrives by itself"),
  model: z.string().optional().describe("haiku, sonnet, opus or a model's id"),
});

/** Where the person's settings have places, an agent may be started at one. */
const isolationInput = (places: readonly string[]) =>
  agentInput.extend({
    isolation: z
      .enum(["worktree", ...places.map((name) => `place:${name}` as const)])
      .optional()
      .describe(
        "a worktree of its own, or files and commands on another machine, in a copy of the repository; what it leaves is kept apart",
      ),
  });

export type AgentToolSetup = {
  /** Of the person's settings. */
  places?: readonly string[];
  host: Subagents;
  definitions: readonly Definition[];
  /** Those of their files: an agent that cannot be used is refused with what is wrong in it. */
  mistakes?: readonly Mistake[];
  /** The most bytes that the list of agents may take in each request. */
  listBytes: number;
  /** Built-in agents that the list leaves out. They can still be started by name. */
  unlisted?: readonly string[] | undefined;
  /** Resolves a tier, a model id or `inherit` to a model id. */
  modelOf: (wanted: string) => string;
  /** The agent that has this tool; absent for the session itself. */
  self?: AgentRecord;
  clockMs: () => number;
};

export function agentTool({
  host,
  definitions,
  mistakes = [],
  listBytes,
  unlisted = [],
  modelOf,
  self,
  places = [],
}: AgentToolSetup): Tool<z.infer<typeof agentInput> & { isolation?: Isolated | undefined }> {
  const listed = definitions.filter(({ name, scope }) => scope !== "built-in" || !unlisted.includes(name));
  return {
    name: "Agent",
    description: agentToolText.description(agentsPrompt(listed, listBytes)),
    input: places.length > 0 ? isolationInput(places) : agentInput,
    aliases: { run_in_background: "background", subagent_type: { name: "subagent_type", words: otherNamesBeside(definitions) } },
    readOnly: false,
    sideBySide: true,
    subject: ({ subagent_type = generalAgent.name, description }) => `${subagent_type}: ${description}`,
    async run(input, { signal, call = "" }): Promise<ToolResult> {
      const { subagent_type = generalAgent.name, name, description, prompt, background = false, model, isolation } = input;
      const found = findDefinition(subagent_type, { list: [...definitions], mistakes: [...mistakes] });
      if (!found) return refused(unknownAgent(subagent_type, definitions), "unknown agent");
      if ("broken" in found) return refused(`Cannot start this agent: ${found.broken}`, "broken definition");
      const { definition } = found;
      if (definition.context === "fork" && placeOf(isolation) !== undefined)
        return refused("A fork works where its parent works: leave isolation out, or start another agent.", "refused");
      if (prompt.trim() === "") return refused("Cannot start an agent without a prompt: it knows nothing but that.", "blank prompt");
      // A fork keeps its parent's model, because the prompt cache of one model is useless to another.
      const chosen = definition.context === "fork" ? "inherit" : (model ?? definition.model);
      const order = { definition, name, description, prompt, background, call, parent: self, model: modelOf(chosen), isolation };
      return startedResult(await host.start(order, signal));
    },
  };
}

/** Names that other products have for our agents: rules and hooks see ours. A person's own definition keeps its name. */
function otherNamesBeside(definitions: readonly Definition[]): Record<string, string> {
  return Object.fromEntries(Object.entries(otherAgentNames).filter(([name]) => !definitions.some((one) => one.name === name)));
}

/** The result of a start, worded for the model that asked for it. */
export function startedResult(result: StartResult): ToolResult {
  switch (result.kind) {
    case "refused":
      return refused(result.reason, "refused");
    case "background": {
      const { id } = result.record;
      const text = result.sent ? agentToolText.movedToBackground(id) : agentToolText.startedInBackground(id);
      return done(text, `in the background as ${id}`);
    }
    case "ended": {
      const { id, state, report = "", turns, reason, evidence } = result.record;
      const tests = evidence ? `, ${evidenceWords(evidence)}` : "";
      const summary = state === "completed" ? `${plural(turns, "turn")}${tests}` : `${stateWords(state)}: ${reason ?? ""}`;
      return { text: `${report}${endedNote(id, `${stateWords(state)}${tests}`)}`, isError: state !== "completed", summary };
    }
  }
}

function unknownAgent(wanted: string, definitions: readonly Definition[]): string {
  const names = definitions.map(({ name }) => name);
  const near = nearestName(wanted, names);
  return `There is no agent "${wanted}". ${near ? `Did you mean "${near}"?` : `There are: ${names.slice(0, 40).join(", ")}`}`;
}

const checkInput = z.strictObject({ agent: z.string().optional().describe("its id or name; all when left out") });

export function checkAgentTool(
  { host, clockMs }: Pick<AgentToolSetup, "host" | "clockMs">,
  textOf: (record: AgentRecord) => string,
): Tool<z.infer<typeof checkInput>> {
  return {
    name: "CheckAgent",
    description:
      "How an agent that you started is doing: its state, what it does now, its last words. For when the person asks: a report arrives by itself.",
    input: checkInput,
    readOnly: true,
    waits: true,
    subject: ({ agent = "" }) => agent,
    async run({ agent }): Promise<ToolResult> {
      const records = host.list();
      if (agent === undefined) {
        const lines = records.map((record) => statusText(record, clockMs()));
        return done(lines.join("\n") || "This session has started no agents.", plural(records.length, "agent"));
      }
      const record = host.find(agent);
      if (!record) {
        const near = nearestName(
          agent,
          records.flatMap(({ id, name }) => [id, name]),
        );
        return refused(`This session has no agent "${agent}".${near ? ` Did you mean "${near}"?` : ""}`, "unknown agent");
      }
      return done(`${statusText(record, clockMs())}\n${textOf(record)}`.trim(), stateWords(record.state));
    },
  };
}

/** What an agent's model wrote last in its session. */
export function lastWords(session: Session | undefined): string {
  const messages = session?.agent.history.messages() ?? [];
  const last = messages.findLast(({ role }) => role === "assistant");
  const texts = (last?.content ?? []).flatMap((block) => (block.type === "text" ? block.text : []));
  return texts.length > 0 ? `Its last words: ${texts.join(" ").slice(0, 1_000).toWellFormed()}` : "";
}
