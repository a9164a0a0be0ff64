// From the text of a command to every simple command that can run.
import type { Analysis } from "./analysis.ts";

/** Pure; never throws, whatever the text is. */
export function analyseCommand(text: string): Analysis {
  return { text, commands: [], unclear: "it is not taken apart yet" };
}
