// Edit: replaces exact text in a file that this agent has read and nobody has changed since.
import { z } from "zod";
import { done, refused, writtenIn } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import type { Disk, ReadOutcome } from "../disk.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { lineCount, replacedLines, showCount, unifiedDiff } from "./diff.ts";
import { linesOf, numbered } from "./lines.ts";
import { type Replacement, replaceText } from "./replace.ts";
import { changedSince, type ReadVersions, unseen } from "./versions.ts";

const input = z.strictObject({
  path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
type EditInput = z.infer<typeof input>;

const aliases: Aliases = {
  file_path: { name: "path", absolute: true },
  notebook_path: { name: "path", absolute: true },
  filename: "path",
  old_str: "old_string",
  new_str: "new_string",
  edits: { one: ["old_string", "new_string", "replace_all"] },
};

export function editTool(disk: Disk, seen: ReadVersions): Tool<EditInput> {
  /** `hidden`: the file cannot be read yet, but may be once permission is given. */
  const prepare = async ({ path, old_string, new_string, replace_all = false }: EditInput) => {
    const cannot = (reason: string, summary = "refused") => ({ ok: false as const, hidden: false, result: refusal(path, reason, summary) });
    const before = await disk.read(path, { toWrite: true });
    if (before.kind !== "file") return { ...cannot(notAFile(before)), hidden: before.kind === "refused" };
    const stale = unseen(seen, before.path, before.version);
    if (stale) return cannot(stale);
    const replacement = replaceText(before.bytes, {
      old: old_string,
      new: new_string,
      all: replace_all,
      placeholders: before.placeholders,
    });
    return replacement.ok ? { ok: true as const, before, replacement } : cannot(replacement.reason, "no match");
  };
  return {
    name: "Edit",
    description:
      "Replace exact text, whitespace included, in a file that you have read. It must be there once, or use replace_all. Line numbers are not part of the text.",
    input,
    aliases,
    readOnly: false,
    subject: ({ path }) => path,
    async obstacle(edit) {
      const prepared = await prepare(edit);
      return prepared.ok || prepared.hidden ? undefined : prepared.result;
    },
    async replaces(edit) {
      const prepared = await prepare(edit);
      if (!prepared.ok) return undefined;
      const { before, replacement } = prepared;
      return replacedLines({ before: before.bytes.toString("utf8"), after: replacement.bytes.toString("utf8") });
    },
    async run(edit) {
      const { path } = edit;
      const prepared = await prepare(edit);
      if (!prepared.ok) return prepared.result;
      const { before, replacement } = prepared;
      const outcome = await disk.write(path, { bytes: replacement.bytes, expected: before.version });
      switch (outcome.kind) {
        case "refused":
          return refusal(path, outcome.reason);
        case "changed":
          return refusal(path, changedSince(outcome.path), "changed meanwhile");
        case "written": {
          seen.set(outcome.path, outcome.version);
          const texts = { before: before.bytes.toString("utf8"), after: replacement.bytes.toString("utf8") };
          const summary = showCount(lineCount(texts));
          const { path, version, size = replacement.bytes.length } = outcome;
          const detail = unifiedDiff(path, texts);
          const where = writtenIn(outcome);
          const answer = done(`Edited ${path} (${summary})${where.text}\n${excerpt(replacement)}`, `${summary}${where.summary}`, [path]);
          return { ...answer, detail, sources: [{ path, sha256: version, bytes: size }] };
        }
      }
    },
  };
}

function refusal(path: string, reason: string, summary = "refused"): ToolResult {
  return refused(`Cannot edit "${path}": ${reason}`, summary);
}

function notAFile(found: Exclude<ReadOutcome, { kind: "file" }>): string {
  switch (found.kind) {
    case "missing":
      return "there is no such file. Use Write to make it";
    case "folder":
      return "it is a folder";
    case "refused":
      return found.reason;
  }
}

/** The first changed place with two lines around it, as Read shows it. */
function excerpt({ bytes, first, places }: Extract<Replacement, { ok: true }>): string {
  const from = Math.max(1, first.from - around);
  const to = Math.min(first.to + around, from + maxExcerpt - 1);
  const lines = numbered(linesOf(bytes.toString("utf8")).slice(from - 1, to), from);
  if (places > 1) lines.push(`[and ${places - 1} more]`);
  return lines.join("\n");
}

const around = 2;
const maxExcerpt = 12;
