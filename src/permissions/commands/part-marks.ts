// The marks on each part of a command that the user is asked about.
import { givesCode, type Mark, marksOf } from "../../shell/uses/marks.ts";
import { harmlessDevice } from "../../shell/words/paths.ts";
import type { LocatedCall } from "../call.ts";
import { placeOf } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

/** Of the part at this index of the decision's. */
export function partMarks({ subject }: LocatedCall, policy: Policy, part: number): Mark[] {
  const command = subject.kind === "command" ? subject.analysis.commands[part] : undefined;
  if (subject.kind !== "command" || !command) return [];
  const isOutside = command.files.some(({ path, mention }) => {
    const at = path === undefined || mention === "possible" || harmlessDevice.test(path) ? undefined : subject.files.get(path);
    return at !== undefined && !placeOf(at, policy).inside;
  });
  return [...marksOf(command), ...(isOutside ? (["outside"] as const) : []), ...(givesCode(command) ? (["any code"] as const) : [])];
}
