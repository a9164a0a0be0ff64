// Schema errors of a plan in words for its author: which unit, which field, and what to write.
import type { z } from "zod";
import { unitSchema } from "./plan.ts";

type Issue = z.core.$ZodIssue;

/** One sentence for each mistake. `json`: the plan as it was read. */
export function planProblems(issues: readonly Issue[], json: unknown): string[] {
  if (!isRecord(json)) return ['A plan is an object with a list of units: { "units": [ … ] }.'];
  return issues.map((issue) => {
    const [first, index, field, ...rest] = issue.path;
    if (first !== "units") return `The plan: ${words(issue, String(first ?? ""))}.`;
    if (typeof index !== "number") return `The plan: ${words(issue, "units")}.`;
    const at = `Unit ${index + 1}${namedAs(json["units"], index)}`;
    return `${at}: ${words(issue, [field, ...rest.map((one) => Number(one) + 1)].filter((one) => one !== undefined).join(" "))}.`;
  });
}

function namedAs(units: unknown, index: number): string {
  const unit: unknown = Array.isArray(units) ? units[index] : undefined;
  return isRecord(unit) && typeof unit["id"] === "string" ? ` (${JSON.stringify(unit["id"].slice(0, 60))})` : "";
}

function words(issue: Issue, field: string): string {
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown key ${keys}${issue.path.length > 1 ? `; a unit has ${Object.keys(unitSchema.shape).join(", ")}` : ""}`;
  }
  if (issue.code === "invalid_type") {
    if (issue.message.endsWith("received undefined")) return `${field} is missing`;
    return `${field || "it"} must be ${kinds[issue.expected] ?? issue.expected}`;
  }
  const isNumber = "origin" in issue && (issue.origin === "number" || issue.origin === "int");
  if (issue.code === "too_small") return isNumber ? `${field} must be at least ${issue.minimum}` : `${field} must not be empty`;
  if (issue.code === "too_big") {
    if (isNumber) return `${field} must be at most ${issue.maximum}`;
    return `${field} may have at most ${issue.maximum} ${issue.origin === "array" ? "entries" : "characters"}`;
  }
  return `${field} ${issue.message}`;
}

const kinds: Record<string, string> = {
  string: "a text in quotes",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "an object",
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
