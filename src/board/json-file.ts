// Checks the content of a team's JSON files.
import type { z } from "zod";
import { errorText } from "../wording/error-text.ts";
import { placedWords } from "../wording/issue-words.ts";

/** Undefined if there is none, or if it is not what the schema says: damaged, or written by another program. */
export function contentOf<T>(text: Buffer | string | undefined, schema: z.ZodType<T>): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text.toString())).data;
  } catch {
    return undefined; // not JSON
  }
}

/** The system's words about a text that is not JSON, which quote it: its control characters are left out. */
export function notJson(error: unknown): string {
  return errorText(error).replaceAll(/\p{Cc}/gu, "�");
}

/** The first problem, such as `"members.0.name" must be a string`. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  return issue ? placedWords(issue) : "";
}
