// What a command prints, redacted while it runs: a secret is found only in a line that has come to its end, and a key of several lines only with its
// last one.
import { unfinishedKey } from "../formats/private-keys.ts";
import type { Redactor } from "./redactor.ts";

/** A longer line is not shown while it comes; the result has it. */
const longestLine = 64 * 1024;

/** `say` gets whole lines. What is held at the end is in the command's result only. */
export function liveLines({ now }: Pick<Redactor, "now">, say: (lines: string) => void): (text: string) => void {
  let held = "";
  return wholeLines((lines) => {
    held += lines;
    const safe = held.slice(0, unfinishedKey(held));
    if (safe !== "") say(now(safe));
    held = held.slice(safe.length);
  });
}

function wholeLines(say: (lines: string) => void): (text: string) => void {
  let rest: string | undefined = ""; // undefined: within a line that is too long
  return (text) => {
    const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    if (end > 0) {
      const ended = text.slice(0, end);
      say(rest === undefined ? ended.slice(ended.search(/[\n\r]/)) : rest + ended);
      rest = text.slice(end);
    } else if (rest !== undefined) rest += text;
    if (rest !== undefined && rest.length > longestLine) rest = undefined;
  };
}
