// The part of `tool import` that copies texts: instructions become a part of one file, a command and a definition get a file of their own.
import { basename, join } from "node:path";
import type { BoardDisk } from "../../board/disk.ts";
import type { Addition, Remark } from "../../settings/elsewhere/found.ts";
import { type ReadText, type TextSource, textSources } from "../../settings/elsewhere/texts.ts";
import { errorText } from "../../wording/error-text.ts";
import { plural } from "../../wording/figures.ts";
import { isFolder } from "../is-folder.ts";

type From = { from: string };
type Target = { file: string; text: string; add: (Addition & From)[] };
export type TextPlan = { targets: Target[]; changed: (Remark & From)[]; leftOut: (Remark & From)[] };

/** `root`: of the project; undefined where it is the home, whose files are the person's. */
export type Places = { disk: Pick<BoardDisk, "read" | "list" | "size">; home: string; configDir: string; root: string | undefined };

export function plannedTexts(places: Places): TextPlan {
  const plan: TextPlan = { targets: [], changed: [], leftOut: [] };
  for (const source of textSources) {
    if (source.scope === "project" && places.root === undefined) continue;
    for (const { file, below } of filesOf(source, places)) add(plan, { source, file, below }, places);
  }
  return plan;
}

type SourceFile = { source: TextSource; file: string; below: string };

function add(plan: TextPlan, { source, file, below }: SourceFile, places: Places): void {
  const read = readFile(source, file, places);
  if (read.kind === "left out") return void plan.leftOut.push({ what: "all of it", why: read.why, from: file });
  if (read.text.trim() === "") return;
  const to = targetOf(source, below, places);
  const planned = plan.targets.find((one) => one.file === to);
  const before = planned?.text ?? places.disk.read(to)?.toString("utf8") ?? "";
  if (before.replaceAll("\r\n", "\n").includes(read.text.trim())) return;
  if (source.kind !== "instructions" && before.trim() !== "")
    return void plan.leftOut.push({ what: "all of it", why: `${to} has another text, which stays.`, from: file });
  const text = before.trim() === "" ? `${read.text.trim()}\n` : `${before.trimEnd()}\n\n${read.text.trim()}\n`;
  const addition = { path: ["text"], value: read.text, shown: plural(read.text.trim().split("\n").length, "line"), from: file };
  if (planned) Object.assign(planned, { text, add: [...planned.add, addition] });
  else plan.targets.push({ file: to, text, add: [addition] });
  plan.changed.push(...read.changed.map((why) => ({ what: "its text", why, from: file })));
}

/** Instructions go where those of this folder are read from already: a first AGENTS.md beside a CLAUDE.md would take its place. */
function targetOf({ scope, kind, ending = "" }: TextSource, below: string, { disk, configDir, root = "" }: Places): string {
  if (kind !== "instructions") return join(scope === "user" ? configDir : join(root, ".tool"), `${kind}s`, below.replace(ending, ".md"));
  const folder = scope === "user" ? configDir : root;
  const there = ["AGENTS.md", "TOOL.md", "CLAUDE.md"].find((name) => disk.size(join(folder, name)) !== undefined);
  return join(folder, there ?? "AGENTS.md");
}

function readFile({ read }: TextSource, file: string, { disk }: Places): ReadText {
  try {
    if ((disk.size(file) ?? 0) > mostBytes) return { kind: "left out", why: "It is larger than 256 KB." };
    return read(disk.read(file)?.toString("utf8") ?? "");
  } catch (error) {
    return { kind: "left out", why: `It cannot be read: ${errorText(error)}.` };
  }
}

const mostBytes = 256 * 1024;
const mostFiles = 500;

/** `below`: the path within the folder of the source. */
function filesOf({ scope, path, ending }: TextSource, { disk, home, root = "" }: Places): { file: string; below: string }[] {
  const whole = join(scope === "user" ? home : root, path);
  if (disk.size(whole) === undefined) return [];
  if (ending === undefined) return isFolder(disk, whole) ? [] : [{ file: whole, below: basename(whole) }];
  const within = (folder: string, depth: number): string[] =>
    disk.list(join(whole, folder)).flatMap((name) => {
      const one = join(folder, name);
      if (depth > 0 && isFolder(disk, join(whole, one))) return within(one, depth - 1);
      return name.endsWith(ending) ? [one] : [];
    });
  const found = isFolder(disk, whole) ? within("", 5) : [];
  return found.slice(0, mostFiles).map((below) => ({ file: join(whole, below), below }));
}
