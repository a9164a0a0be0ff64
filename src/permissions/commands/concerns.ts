// Whether a permission rule is about a call: for a hook that is to run only then. Nothing is decided here.
import { forbids as forbidsCommand } from "../../shell/judge/forbids.ts";
import { type Call, locate } from "../call.ts";
import type { Places } from "../paths/given-path.ts";
import { forbids, type Rule } from "../rules.ts";

/** True in doubt, as for a deny rule: a hook that guards must not be left out. Links on the disk are not followed. */
export async function concerns(rule: Rule, call: Pick<Call, "tool" | "input">, places: Places): Promise<boolean> {
  const located = await locate(call, places, async (path) => path);
  const { subject } = located;
  if (rule.kind !== "command") return subject.kind === "unclear" ? rule.tool === call.tool : forbids(rule, located);
  if (call.tool !== "Bash") return false;
  if (subject.kind !== "command" || subject.analysis.unclear !== undefined) return true;
  return subject.analysis.commands.some((command) => command.unclear !== undefined || forbidsCommand(rule.pattern, command) !== "no");
}
