// The marks on each part of a command that the user is asked about.

import type { ShellPart } from "../../shell/judge/judge-shell.ts";
import { givesCode, type Mark, marksOf } from "../../shell/uses/marks.ts";
import type { SimpleCommand } from "../../shell/words/analysis.ts";
import { harmlessDevice } from "../../shell/words/paths.ts";
import type { LocatedCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import { placeOf } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

export type MarkedPart = ShellPart & { marks?: Mark[] };

/** The parts of the decision in order, each with its marks. */
export function withMarks(decision: Decision, { subject }: LocatedCall, policy: Policy): Decision & { parts?: MarkedPart[] } {
  if (subject.kind !== "command" || !decision.parts) return decision;
  const { analysis, files } = subject;
  const leaves = ({ files: uses }: SimpleCommand) =>
    uses.some(({ path, mention }) => {
      const at = path === undefined || mention === "possible" || harmlessDevice.test(path) ? undefined : files.get(path);
      return at !== undefined && !placeOf(at, policy).inside;
    });
  const parts = decision.parts.map((part, at): MarkedPart => {
    const command = analysis.commands[at];
    const found = command ? marksOfPart(command, leaves(command)) : [];
    return found.length > 0 ? { ...part, marks: found } : part;
  });
  return { ...decision, parts };
}

function marksOfPart(command: SimpleCommand, isOutside: boolean): Mark[] {
  return [...marksOf(command), ...(isOutside ? (["outside"] as const) : []), ...(givesCode(command) ? (["any code"] as const) : [])];
}
