// Glob: finds files by name.

import { join } from "node:path";
import { z } from "zod";
import { plural } from "../../wording/figures.ts";
import { done, refused, unfinished } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import type { Disk } from "../disk.ts";
import type { Tool } from "../tool.ts";
import { globs } from "./globs.ts";

const input = z.strictObject({
  pattern: z.string().describe("Such as src/**/*.ts"),
  path: z.string().optional().describe("Folder"),
  sort: z.enum(["name", "time"]).optional().describe("time: newest first"),
});
type GlobInput = z.infer<typeof input>;

const aliases: Aliases = { file_path: "path", glob_pattern: "pattern", target_directory: "path", directory: "path" };

export function globTool(disk: Disk): Tool<GlobInput> {
  return {
    name: "Glob",
    description: "Find files by name pattern, without folders and what .gitignore excludes. At most 300.",
    input,
    aliases,
    readOnly: true,
    subject: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
    async run({ sort = "name", ...given }, { signal }) {
      const { pattern, path } = belowFolder(given);
      const cannot = (reason: string) => refused(`Cannot find "${pattern}" in "${path}": ${reason}`, "refused");
      const wanted = globs(pattern, { anywhere: false });
      if (!wanted.ok) return cannot(wanted.reason);
      const found = await disk.walk(path, signal);
      if (found.kind === "missing") return cannot("there is no such folder");
      if (found.kind === "refused") return cannot(found.reason);
      const matching = found.paths.filter(wanted.matches);
      const sorted = sort === "time" ? newestFirst(matching, await disk.modified(found.folder, matching)) : matching;
      const paths = sorted.map((name) => join(found.folder, name));
      if (paths.length === 0) return done(`No file matches${unfinished(found.cut)}`, "0 files");
      const shown = paths.slice(0, maxPaths);
      const rest = paths.length > shown.length ? `\n[${paths.length - shown.length} more; use a narrower pattern]` : "";
      return done(shown.join("\n") + rest + unfinished(found.cut), plural(paths.length, "file"));
    },
  };
}

/** Paths are matched relative to the folder: a pattern that begins elsewhere names another folder. */
function belowFolder({ pattern, path = "." }: GlobInput): { pattern: string; path: string } {
  const names = pattern.split("/");
  if (!pattern.startsWith("/") && names[0] !== "..") return { pattern, path };
  const plain = names.slice(0, -1).findIndex((name) => /[*?[{]/.test(name));
  const folder = names.slice(0, plain < 0 ? -1 : plain).join("/");
  return { pattern: names.slice(plain < 0 ? -1 : plain).join("/"), path: pattern.startsWith("/") ? folder || "/" : join(path, folder) };
}

function newestFirst(paths: string[], modified: number[]): string[] {
  const times = new Map(paths.map((path, at) => [path, modified[at] ?? 0]));
  return paths.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
}

const maxPaths = 300;
