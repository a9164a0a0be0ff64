// Schema errors of a plan in words for its author: which unit, which field, and what to write.

import type { z } from "zod";
import { isRecord } from "../../wording/is-record.ts";
import { issueWords } from "../../wording/issue-words.ts";
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
  return `${field || "it"} ${issueWords(issue)}`;
}
