// What a schema found wrong with a value, in our words instead of those of the library.
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** A predicate, such as `is missing` or `must be a list`; or the schema's own message. */
export function issueWords(issue: Issue): string {
  return ownMessage(issue) ?? predicate(issue);
}

/** A sentence about the place: `"call.tool" is missing`, or `"id": ` and the schema's own message. */
export function placedWords(issue: Issue): string {
  const place = issue.path.length > 0 ? `"${issue.path.join(".")}"` : "it";
  return `${place}${ownMessage(issue) === undefined ? "" : ":"} ${issueWords(issue)}`;
}

/** The message that the schema gives itself; undefined if it is the library's. */
export function ownMessage({ message }: Issue): string | undefined {
  return /^(?:Invalid|Too (?:small|big)|Unrecognized|Expected)\b/.test(message) ? undefined : message;
}

function predicate(issue: Issue): string {
  if (issue.code === "invalid_type")
    return issue.message.endsWith("received undefined") ? "is missing" : `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value")
    return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "too_small") return isNumber(issue.origin) ? `must be at least ${issue.minimum}` : "must not be empty";
  if (issue.code === "too_big" && isNumber(issue.origin)) return `must be at most ${issue.maximum}`;
  if (issue.code === "too_big") return `may have at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "entries"}`;
  if (issue.code === "unrecognized_keys") return `has an unknown key: ${issue.keys.join(", ")}`;
  return "has another form than expected";
}

const isNumber = (origin: string) => origin === "number" || origin === "int" || origin === "bigint";

const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
