// What an agent's definition, the agents above it and the skills in use leave it: naming a tool does not permit its calls yet.
import { refusal, type Verdict } from "../shell/judge/verdict.ts";
import type { LocatedCall } from "./call.ts";
import { coversCommand } from "./commands/command-decision.ts";
import type { Narrowing, Policy } from "./policy.ts";
import { allows, type Rule } from "./rules.ts";

export function outsideDefinition(call: LocatedCall, { only, narrowed }: Policy): Verdict | undefined {
  if (call.tool === "Network" || ownCommands.includes(call.tool)) return undefined; // whoever may run a command may let it ask
  const lack = only && whatLacks(only, call);
  if (lack) return refusal(`This agent's definition does not give it ${lack}`);
  if (ownBusiness.includes(call.tool)) return undefined;
  for (const one of narrowed) {
    const missing = whatLacks(one.only, call);
    if (missing) return refusal(`${narrowerWords(one)} does not allow ${missing}`);
  }
  return undefined;
}

const narrowerWords = (one: Narrowing) =>
  "skill" in one ? `The skill "${one.skill}"` : `The definition of ${one.agent}, which is above this agent,`;

/** The tool, if none of these rules names it for this call. */
function whatLacks(only: Rule[], call: LocatedCall): string | undefined {
  const own = only.filter(({ tool }) => tool === call.tool || (tool.startsWith("mcp__") && call.tool.startsWith(`${tool}__`)));
  const { subject } = call;
  // The tool's bare name includes all its uses; the rules decide which of them need a question.
  const isWhole = own.some(({ kind }) => kind === "any");
  const isNamed = isWhole || (subject.kind === "command" ? coversCommand(own, subject) : own.some((rule) => allows(rule, call)));
  return isNamed ? undefined : `${call.tool}${own.length > 0 ? " here" : ""}`;
}

/** Tools that only lead to others: an agent's own commands, which it was allowed to start, and tools of servers, each decided by its own name. */
const ownCommands = ["BashOutput", "KillBash", "McpSearch", "McpCall"];

/** Tools about an agent's own work, which every skill leaves it. */
const ownBusiness = [
  ..."TaskCreate TaskUpdate TaskGet TaskList SendMessage SubmitPlan SubmitBatchPlan".split(" "),
  ..."CheckAgent Skill RecordFailure TodoWrite AskUser".split(" "),
  ...ownCommands,
];

/** Tools that need no permission: those, and what starts agents, whose own calls are judged. */
const freeTools = new Set([...ownBusiness, "Agent", "StartWorker", "SpawnTeammate", "StopTeammate"]);

export const isFree = (tool: string): boolean => freeTools.has(tool);
