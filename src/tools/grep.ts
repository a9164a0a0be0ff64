// Grep: which lines of which files match a regular expression.
import { join } from "node:path";
import { z } from "zod";
import { done, refused, unfinished } from "./answer.ts";
import type { Disk, Match } from "./disk.ts";
import { globs } from "./globs.ts";
import { plural } from "./lines.ts";
import { type FileSource, sourceOf, type Tool } from "./tool.ts";

const input = z.object({
  pattern: z.string().describe("Regular expression"),
  path: z.string().optional().describe("File or folder"),
  glob: z.string().optional().describe("Such as *.ts"),
  output: z.enum(["content", "files", "count"]).optional(),
  ignore_case: z.boolean().optional(),
});
type GrepInput = z.infer<typeof input>;
type Output = NonNullable<GrepInput["output"]>;

export function grepTool(disk: Disk): Tool<GrepInput> {
  return {
    name: "Grep",
    description: "Search file contents line by line, without files that .gitignore excludes.",
    input,
    readOnly: true,
    subject: ({ pattern, path }) => `"${pattern}"${path ? ` in ${path}` : ""}`,
    async run({ pattern, path = ".", glob, output = "content", ignore_case = false }, { signal }) {
      const cannot = (reason: string) => refused(`Cannot search for "${pattern}" in "${path}": ${reason}`, "refused");
      const wanted = globs(glob ?? "**", { anywhere: true });
      if (!wanted.ok) return cannot(wanted.reason);
      const found = await disk.search(path, { pattern, ignoreCase: ignore_case, keep: wanted.matches, signal });
      if (found.kind === "missing") return cannot("there is no such file or folder");
      if (found.kind === "refused") return cannot(found.reason);
      const lines = show[output](found.matches.map((match) => ({ ...match, path: join(found.folder, match.path) })));
      if (lines.length === 0) return done(`No line matches${unfinished(found.cut)}`, "0 matches");
      const answer = done(fitting(lines) + unfinished(found.cut), plural(found.matches.length, "match", "matches"));
      return output === "content" ? { ...answer, sources: await sources(disk, found) } : answer;
    },
  };
}

/** The files whose lines are shown. */
async function sources(disk: Disk, { folder, matches }: { folder: string; matches: Match[] }): Promise<FileSource[]> {
  const paths = new Set(matches.slice(0, maxShown).map(({ path }) => join(folder, path)));
  const files = await Promise.all([...paths].map((path) => disk.read(path)));
  return files.flatMap((file) => (file.kind === "file" ? sourceOf(file) : []));
}

const show: Record<Output, (matches: Match[]) => string[]> = {
  content: (matches) => matches.map(({ path, line, text }) => `${path}:${line}:${text}`),
  files: (matches) => [...new Set(matches.map(({ path }) => path))],
  count: (matches) => {
    const counts = new Map<string, number>();
    for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
    return [...counts].map(([path, count]) => `${path}:${count}`);
  },
};

const maxShown = 300;
const maxBytes = 30 * 1024;

function fitting(lines: string[]): string {
  let bytes = 0;
  const kept = lines.slice(0, maxShown).filter((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes <= maxBytes;
  });
  const rest = lines.length - kept.length;
  return kept.join("\n") + (rest > 0 ? `\n[${rest} more; use a narrower path or pattern]` : "");
}
