// Limits the length of every tool result. Tools have their own limits, with better ways to get the rest; this backstop ensures that no tool can fill
// the window with one call.
import type { OutputStore } from "../../tools/output.ts";
import type { ToolResult } from "../../tools/tool.ts";
import { cutNote } from "../prompt.ts";

/** Characters; about 20,000 tokens. */
export const mostCharacters = 80_000;

export function withinBudget(result: ToolResult, outputs?: OutputStore): ToolResult {
  if (result.text.length <= mostCharacters) return result;
  const file = outputs?.begin();
  file?.append(Buffer.from(result.text));
  return { ...result, text: cutMiddle(result.text, { limit: mostCharacters, whole: file?.path }) };
}

/** The beginning and the end of a text that has more than `limit` characters, and how much is missing. `whole` is where all of it is. */
export function cutMiddle(text: string, { limit = Number.POSITIVE_INFINITY, whole }: { limit?: number; whole?: string }): string {
  if (text.length <= limit) return text;
  const [head, tail] = [Math.ceil(limit / 3), Math.floor((2 * limit) / 3)];
  const [first, last] = [wholeEnd(text.slice(0, head)), wholeStart(text.slice(text.length - tail))];
  return `${first}\n${cutNote(text.length - first.length - last.length, whole)}\n${last}`;
}

/** Does not split a surrogate pair: half of one cannot be sent. */
const wholeEnd = (text: string) => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);
const wholeStart = (text: string) => (/^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text);
