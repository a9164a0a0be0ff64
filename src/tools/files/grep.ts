// Grep: finds lines that match a regular expression, with lines of context if asked for.

import { join } from "node:path";
import { z } from "zod";
import { plural } from "../../wording/figures.ts";
import { done, refused, unfinished } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import type { Disk, FileRead, Match } from "../disk.ts";
import { type FileSource, sourceOf, type Tool } from "../tool.ts";
import { type Globs, globs } from "./globs.ts";
import { cutLine, linesOf, withinBytes } from "./lines.ts";

const around = z.number().int().min(0).max(50).optional();
const input = z.strictObject({
  pattern: z.string().describe("Regular expression"),
  path: z.string().optional().describe("File or folder"),
  glob: z.string().optional().describe("Such as *.ts"),
  type: z.string().optional().describe("Such as js, py, rust"),
  output: z.enum(["content", "files", "count"]).optional(),
  ignore_case: z.boolean().optional(),
  before: around.describe("Lines before each match"),
  after: around,
  multiline: z.boolean().optional(),
  head_limit: z.number().optional(),
});
type GrepInput = z.infer<typeof input>;
type Output = NonNullable<GrepInput["output"]>;

const aliases: Aliases = {
  file_path: "path",
  include: "glob",
  output_mode: { name: "output", words: { files_with_matches: "files" } },
  "-i": "ignore_case",
  "-n": { ignored: true },
  "-B": "before",
  "-A": "after",
  "-C": { each: ["before", "after"] },
  context: { each: ["before", "after"] },
};

export function grepTool(disk: Disk): Tool<GrepInput> {
  return {
    name: "Grep",
    description:
      "Search file contents, without files that .gitignore excludes. At most 300 results and 30 KB; long lines are cut. Use this, not grep or rg.",
    input,
    aliases,
    readOnly: true,
    subject: ({ pattern, path }) => `"${pattern}"${path ? ` in ${path}` : ""}`,
    async run({ pattern, path = ".", output = "content", before = 0, after = 0, ...asked }, { signal }) {
      const cannot = (reason: string) => refused(`Cannot search for "${pattern}" in "${path}": ${reason}`, "refused");
      const wanted = globs(asked.glob || "**", { anywhere: true });
      if (!wanted.ok) return cannot(wanted.reason);
      const typed = ofType(asked.type);
      if (!typed.ok) return cannot(typed.reason);
      const keep = (file: string) => wanted.matches(file) && typed.matches(file);
      const { ignore_case: ignoreCase = false, multiline = false } = asked;
      const found = await disk.search(path, { pattern, ignoreCase, multiline, keep, signal });
      if (found.kind === "missing") return cannot("there is no such file or folder");
      if (found.kind === "refused") return cannot(found.reason);
      const matches = found.matches.map((match) => ({ ...match, path: join(found.folder, match.path) }));
      if (matches.length === 0) return done(`No line matches${unfinished(found.cut)}`, "0 matches");
      const most = Math.min(Math.max(1, Math.floor(asked.head_limit || maxShown)), maxShown);
      const answer = (lines: string[]) =>
        done(fitting(lines, before + after > 0 ? lines.length : most) + unfinished(found.cut), plural(matches.length, "match", "matches"));
      if (output !== "content") return answer(summed[output](matches));
      const files = await filesOf(disk, matches.slice(0, most));
      const lines = before + after > 0 ? await withContext(matches, { files, before, after, most }) : matches.map(matchLine);
      return { ...answer(lines), sources: [...files.values()].map((file): FileSource => sourceOf(file)) };
    },
  };
}

const matchLine = ({ path, line, text }: Match) => `${path}:${line}:${text}`;

const summed: Record<Exclude<Output, "content">, (matches: Match[]) => string[]> = {
  files: (matches) => [...new Set(matches.map(({ path }) => path))],
  count: (matches) => {
    const counts = new Map<string, number>();
    for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
    return [...counts].map(([path, count]) => `${path}:${count}`);
  },
};

/** The files whose lines are shown, by path. */
async function filesOf(disk: Disk, matches: Match[]): Promise<Map<string, FileRead>> {
  const paths = [...new Set(matches.map(({ path }) => path))];
  const found = await Promise.all(paths.map(async (path) => [path, await disk.read(path)] as const));
  return new Map(found.flatMap(([path, file]) => (file.kind === "file" ? [[path, file] as const] : [])));
}

/** As grep prints it: `path-line-text` for context, `--` between groups. A line that matches is never shown as context. */
async function withContext(
  matches: Match[],
  { files, before, after, most }: { files: Map<string, FileRead>; before: number; after: number; most: number },
): Promise<string[]> {
  const shown: string[] = [];
  for (const [path, inFile] of groupedByPath(matches.slice(0, most))) {
    const file = files.get(path);
    const text = file ? ((await file.lines?.()) ?? linesOf(file.bytes.toString("utf8"))) : [];
    const matching = new Map(inFile.map((match) => [match.line, match]));
    let last = 0;
    for (const { line } of inFile) {
      const from = Math.max(last + 1, line - before);
      if (shown.length > 0 && (last === 0 || from > last + 1)) shown.push("--");
      const to = Math.max(line, Math.min(line + after, text.length));
      for (let at = from; at <= to; at++) {
        const match = matching.get(at);
        shown.push(match ? matchLine(match) : `${path}-${at}-${cutLine(text[at - 1] ?? "", maxContextLine)}`);
      }
      last = Math.max(last, to);
    }
  }
  if (matches.length > most) shown.push(`[${matches.length - most} more matches; use a narrower path or pattern]`);
  return shown;
}

function groupedByPath(matches: Match[]): Map<string, Match[]> {
  const groups = new Map<string, Match[]>();
  for (const match of matches) groups.set(match.path, [...(groups.get(match.path) ?? []), match]);
  return groups;
}

/** The file types that models ask for by name, as in ripgrep. */
const types: Record<string, string> = {
  c: "c h",
  cpp: "cc cpp cxx hh hpp hxx h",
  cs: "cs",
  css: "css scss less",
  go: "go",
  html: "html htm",
  java: "java",
  js: "js jsx mjs cjs",
  json: "json",
  kotlin: "kt kts",
  lua: "lua",
  md: "md markdown mdx",
  php: "php",
  py: "py pyi",
  ruby: "rb",
  rust: "rs",
  sh: "sh bash zsh",
  sql: "sql",
  swift: "swift",
  toml: "toml",
  ts: "ts tsx mts cts",
  yaml: "yaml yml",
};
const otherNames: Record<string, string> = {
  javascript: "js",
  typescript: "ts",
  tsx: "ts",
  jsx: "js",
  python: "py",
  rs: "rust",
  rb: "ruby",
};

function ofType(type: string | undefined): Globs {
  if (!type) return { ok: true, matches: () => true };
  const endings = types[otherNames[type] ?? type];
  if (!endings)
    return { ok: false, reason: `"${type}" is not a type; the types are ${Object.keys(types).join(", ")}. Use glob for others` };
  const known = new Set(endings.split(" "));
  return { ok: true, matches: (path) => known.has(path.slice(path.lastIndexOf(".") + 1)) };
}

const maxShown = 300;
const maxBytes = 30 * 1024;
const maxContextLine = 300;

function fitting(lines: string[], most: number): string {
  const kept = withinBytes(lines.slice(0, most), maxBytes);
  const rest = lines.length - kept.length;
  return kept.join("\n") + (rest > 0 ? `\n[${rest} more; use a narrower path or pattern]` : "");
}
