// The text of a unit's commit and pull request. The agent's words are redacted already; the plan's only text here is the title, which was redacted
// too.

import { isNamed } from "./plan/file-patterns.ts";
import type { Unit } from "./plan/plan.ts";
import type { TestBefore, UnitRecord } from "./unit-record.ts";

export function commitMessage(unit: Unit, { title, summary }: Pick<UnitRecord, "title" | "summary">): string {
  const body = summary?.trim();
  return `${title ?? unit.title}${body ? `\n\n${body}` : ""}\n`;
}

export type PullRequestAbout = {
  batch: string;
  needed: readonly { title: string; url: string | undefined }[];
  /** How its test ended before its agent began. */
  before?: TestBefore | undefined;
};

export function pullRequestBody(unit: Unit, record: UnitRecord, { batch, needed, before }: PullRequestAbout): string {
  const { summary, tests, hooks, files = [], changed_tests: changed = [] } = record;
  const outside = files.filter(({ path }) => !isNamed(path, unit.files)).map(({ path }) => path);
  const deleted = files.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  const deletedTests = changed.filter(({ kind }) => kind === "deleted").length;
  const sections = [
    changed.length > 0 &&
      `**Its test was changed**: ${list(changed.map(({ path }) => path))}${deletedTests > 0 ? ` (${deletedTests} deleted)` : ""}. The result below is that of the test as it is now${before ? `; before the change it was: ${before.tests}` : ""}.`,
    summary?.trim() || unit.title,
    `Tests: \`${unit.test}\`: ${tests ?? "not run"}${before?.passed === false ? ` (was red before: ${before.tests})` : ""}`,
    hooks !== undefined && `Hooks: ${hooks}`,
    outside.length > 0 && `Changed outside the unit's own files: ${list(outside)}`,
    deleted.length > 0 && `Deleted: ${list(deleted)}`,
    needed.length > 0 && `Needs first:\n${needed.map(({ title, url }) => `- ${title}${url ? ` (${url})` : ""}`).join("\n")}`,
    `Unit ${unit.id} of batch ${batch}.`,
  ];
  return sections.filter(Boolean).join("\n\n");
}

const most = 20;

/** Formats a path that the agent chose as one code span, whatever characters it has. */
function code(path: string): string {
  const shown = path.replaceAll(/\p{Cc}/gu, "?");
  return shown.includes("`") ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}

function list(paths: string[]): string {
  const more = paths.length > most ? ` and ${paths.length - most} more` : "";
  return `${paths.slice(0, most).map(code).join(", ")}${more}`;
}
