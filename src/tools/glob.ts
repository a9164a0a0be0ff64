// Glob: which files there are.
import { join } from "node:path";
import { z } from "zod";
import { done, refused, unfinished } from "./answer.ts";
import type { Aliases } from "./arguments.ts";
import type { Disk } from "./disk.ts";
import { globs } from "./globs.ts";
import { plural } from "./lines.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({ pattern: z.string().describe("Such as src/**/*.ts"), path: z.string().optional().describe("Folder") });
type GlobInput = z.infer<typeof input>;

const aliases: Aliases = { file_path: "path", glob_pattern: "pattern", target_directory: "path", directory: "path" };

export function globTool(disk: Disk): Tool<GlobInput> {
  return {
    name: "Glob",
    description: "Find files by name pattern, without those that .gitignore excludes.",
    input,
    aliases,
    readOnly: true,
    subject: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
    async run({ pattern, path = "." }, { signal }) {
      const cannot = (reason: string) => refused(`Cannot find "${pattern}" in "${path}": ${reason}`, "refused");
      const wanted = globs(pattern, { anywhere: false });
      if (!wanted.ok) return cannot(wanted.reason);
      const found = await disk.walk(path, signal);
      if (found.kind === "missing") return cannot("there is no such folder");
      if (found.kind === "refused") return cannot(found.reason);
      const paths = found.paths.filter(wanted.matches).map((name) => join(found.folder, name));
      if (paths.length === 0) return done(`No file matches${unfinished(found.cut)}`, "0 files");
      const shown = paths.slice(0, maxPaths);
      const rest = paths.length > shown.length ? `\n[${paths.length - shown.length} more; use a narrower pattern]` : "";
      return done(shown.join("\n") + rest + unfinished(found.cut), plural(paths.length, "file"));
    },
  };
}

const maxPaths = 300;
