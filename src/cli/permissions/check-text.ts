// Prints a decision for people, with each simple command of a shell line on its own line.
import type { Decision } from "../../permissions/decision.ts";
import { visible } from "../../wording/visible.ts";

export function checkText(call: string, { decision, reason, file, parts = [] }: Decision): string {
  const first = `${decision.padEnd(5)}  ${visible(call)}\n       ${visible(reason)}${file === undefined ? "" : `  (${visible(file)})`}`;
  const rest =
    parts.length > 1
      ? parts.map(({ text, where, decision }) => `       ${decision.padEnd(5)}  ${visible(text)}${where ? `  (${visible(where)})` : ""}`)
      : [];
  return [first, ...rest].join("\n");
}
