// Write: a whole file. An existing file is replaced only if this agent has read it.

import { z } from "zod";
import { plural } from "../../wording/figures.ts";
import { done, refused, writtenIn } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import type { Disk, ReadOutcome } from "../disk.ts";
import type { Tool } from "../tool.ts";
import { lineCount, replacedLines, showCount, unifiedDiff } from "./diff.ts";
import { linesOf } from "./lines.ts";
import { changedSince, type ReadVersions, unseen } from "./versions.ts";

const input = z.strictObject({ path: z.string(), content: z.string() });
type WriteInput = z.infer<typeof input>;

const aliases: Aliases = {
  file_path: { name: "path", absolute: true },
  notebook_path: { name: "path", absolute: true },
  filename: "path",
  contents: "content",
  file_text: "content",
};

export function writeTool(disk: Disk, seen: ReadVersions): Tool<WriteInput> {
  return {
    name: "Write",
    description: "Write a whole file, making its folders. Read a file before you write over it; prefer Edit for changes.",
    input,
    aliases,
    readOnly: false,
    subject: ({ path }) => path,
    async obstacle({ path }) {
      const before = await disk.read(path, { toWrite: true });
      const reason = before.kind === "refused" ? undefined : inTheWay(before, seen);
      return reason === undefined ? undefined : refused(`Cannot write "${path}": ${reason}`, "refused");
    },
    async replaces({ path, content }) {
      const before = await disk.read(path, { toWrite: true });
      return before.kind === "file" ? replacedLines({ before: before.bytes.toString("utf8"), after: content }) : undefined;
    },
    async run({ path, content }) {
      const before = await disk.read(path, { toWrite: true });
      const obstacle = inTheWay(before, seen);
      if (obstacle) return refused(`Cannot write "${path}": ${obstacle}`, "refused");
      const bytes = Buffer.from(content, "utf8");
      const outcome = await disk.write(path, { bytes, expected: before.kind === "file" ? before.version : undefined });
      switch (outcome.kind) {
        case "refused":
          return refused(`Cannot write "${path}": ${outcome.reason}`, "refused");
        case "changed":
          return refused(`Cannot write "${path}": ${changedSince(outcome.path)}`, "changed meanwhile");
        case "written": {
          seen.set(outcome.path, outcome.version);
          const texts = { before: before.kind === "file" ? before.bytes.toString("utf8") : "", after: content };
          const summary = before.kind === "file" ? showCount(lineCount(texts)) : plural(linesOf(content).length, "line");
          const detail = unifiedDiff(outcome.path, texts);
          const where = writtenIn(outcome);
          const text = `${before.kind === "file" ? "Replaced" : "Created"} ${outcome.path} (${summary})${where.text}`;
          return {
            ...done(text, `${summary}${where.summary}`, [outcome.path]),
            detail,
            wrote: [{ path: outcome.path, sha256: outcome.version, bytes: outcome.size ?? bytes.length }],
          };
        }
      }
    },
  };
}

function inTheWay(before: ReadOutcome, seen: ReadVersions): string | undefined {
  switch (before.kind) {
    case "missing":
      return undefined;
    case "folder":
      return "it is a folder. Give the path of a file";
    case "refused":
      return before.reason;
    case "file":
      return unseen(seen, before.path, before.version);
  }
}
