// Read: a text file with line numbers, in portions that fit a context window.

import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { plural } from "../../wording/figures.ts";
import { nearNames } from "../../wording/near-names.ts";
import { done, refused } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import type { Disk, FileRead } from "../disk.ts";
import { sourceOf, type Tool, type ToolResult } from "../tool.ts";
import { isCut, linesOf, numbered, withinBytes } from "./lines.ts";
import { readMedia } from "./media.ts";
import type { ReadVersions } from "./versions.ts";

const input = z.strictObject({
  path: z.string(),
  offset: z.number().optional().describe("First line, from 1"),
  limit: z.number().optional(),
});
type ReadInput = z.infer<typeof input>;

const aliases: Aliases = { file_path: { name: "path", absolute: true }, notebook_path: { name: "path", absolute: true }, filename: "path" };

/** Records what it reads in `seen`, which allows this agent to change those files. */
export function readTool(disk: Disk, seen: ReadVersions): Tool<ReadInput> {
  return {
    name: "Read",
    description:
      "Read a file: at most 2,000 lines and 60 KB, long lines cut; go on with offset. Lines come as number, tab, text. Images (PNG, JPEG, GIF, WebP) and PDF are shown. For a folder use Glob.",
    input,
    aliases,
    readOnly: true,
    subject: ({ path, offset }) => (offset ? `${path}:${offset}` : path),
    async run(wanted) {
      const found = await disk.read(wanted.path);
      switch (found.kind) {
        case "missing":
          return refused(await missing(disk, wanted.path), "not found");
        case "folder":
          return refused(`Cannot read "${wanted.path}": it is a folder. Use Glob with this path to see its files`, "a folder");
        case "refused":
          return refused(`Cannot read "${wanted.path}": ${found.reason}`, "refused");
        case "file": {
          const seenAs = readMedia(found.path, found.bytes);
          if (seenAs.kind === "refused") return refused(`Cannot read "${wanted.path}": ${seenAs.reason}`, "refused");
          if (seenAs.kind === "media")
            return { ...withSource(done(`${found.path}: ${seenAs.shows}`, seenAs.shows), found), media: [seenAs.media] };
          if (found.bytes.subarray(0, 8192).includes(0)) return refused(binary(found), "binary");
          seen.set(found.path, found.version);
          return withSource(portion(found, wanted), found);
        }
      }
    },
  };
}

function portion(file: FileRead, { offset = 1, limit = maxLines }: ReadInput): ToolResult {
  const text = file.bytes.toString("utf8").replace(/^\uFEFF/, "");
  const lines = linesOf(text);
  if (lines.length === 0) return done("(the file is empty)", "0 lines");
  const first = Math.max(1, Math.floor(offset));
  if (first > lines.length) {
    return refused(`Cannot read "${file.path}" from line ${first}: it has ${plural(lines.length, "line")}`, "past the end");
  }
  const shown = withinBytes(numbered(lines.slice(first - 1, first - 1 + Math.max(1, Math.floor(limit))), first), maxBytes);
  const last = first + shown.length - 1;
  if (lines.slice(first - 1, last).some(isCut)) shown.push("[long lines are cut; Grep shows the part around a match]");
  if (last < lines.length) shown.push(`[lines ${first}-${last} of ${lines.length}; go on with offset ${last + 1}]`);
  const wasAsked = limit === last - first + 1 || last === lines.length;
  return done(shown.join("\n"), wasAsked ? plural(last - first + 1, "line") : `${last - first + 1} of ${plural(lines.length, "line")}`);
}

function withSource(result: ToolResult, file: FileRead): ToolResult {
  return result.isError ? result : { ...result, sources: [sourceOf(file)] };
}

const maxLines = 2000;
const maxBytes = 60 * 1024;

async function missing(disk: Disk, path: string): Promise<string> {
  const names = await disk.names(dirname(path));
  if (names.includes(basename(path))) return `Cannot read "${path}": it is a link to a file that is not there`;
  const near = nearNames(basename(path), names);
  const advice = near.length === 0 ? "Use Glob to find it" : `Did you mean ${near.map((name) => join(dirname(path), name)).join(" or ")}?`;
  return `Cannot read "${path}": there is no such file. ${advice}`;
}

function binary(file: FileRead): string {
  return `Cannot read "${file.path}": it is a binary file of ${plural(file.bytes.length, "byte")}. Use a command that understands it`;
}
