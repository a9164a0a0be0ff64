// Matches lines against a regular expression from a model, in a separate context, because only there a pattern that would take forever can
// be stopped.
import { runInNewContext } from "node:vm";

/** The session is blocked meanwhile. */
const mostMs = 250;

/** Undefined if it takes too long. Throws if the pattern is not a regular expression. */
export function matchingLines(lines: string[], pattern: string, ignoreCase = false): string[] | undefined {
  const regexp = new RegExp(pattern, ignoreCase ? "i" : "");
  try {
    const fits = runInNewContext("lines.map((line) => pattern.test(line))", { lines, pattern: regexp }, { timeout: mostMs }) as boolean[];
    return lines.filter((_, index) => fits[index]);
  } catch (error) {
    // It may be an Error of that other context.
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
