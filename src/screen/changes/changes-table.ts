// Change sets as a table, and what taking one would do in a few words.
import { type ChangeSet, type FileChange, type Into, linesOf, type Seen } from "../../changes/change-set.ts";
import { plural } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { aligned, cell, headRow } from "../table.ts";
import { shortened, visibleLine } from "../visible-text.ts";

export type ChangesView = { style: Style; columns: number; branch: string; command: string };

const widestWhat = 34;

export function changesTable(seen: readonly Seen[], view: ChangesView): string {
  const { style, columns, branch, command } = view;
  if (seen.length === 0) return "Nothing was made apart from this tree: no team, batch or agent has changes here that are left.";
  const into = `into ${visibleLine(branch)}`;
  const isNarrow = columns < 120; // what taking it would do, and whether its tests pass, matter more than the rest
  const heads = headRow(isNarrow ? ["id", " ", into, "files"] : ["id", "what", "by", "files", "evidence", into], style);
  const rows = seen.map((each) => {
    const { set } = each;
    const [id, files, result] = [cell(set.id), cell(countsText(each)), intoCell(each, style)];
    if (isNarrow) return [id, evidenceSign(set, style), { ...result, text: shortened(result.text, Math.max(20, columns - 32)) }, files];
    const by = shortened(visibleLine(set.by) || "–", 12);
    return [id, cell(shortened(visibleLine(set.what), widestWhat)), cell(by), files, evidenceCell(set, style), result];
  });
  const help = isNarrow
    ? helpLines(command)
    : [
        `  ${helpLines(command)
          .map((line) => line.trim())
          .join("     ")}`,
      ];
  return [...aligned([heads, ...rows]), ...help.map(style.dim)].map((line) => clamp(line, columns)).join("\n");
}

const helpLines = (command: string) => [
  `  ${command} changes <id>  its diff`,
  `  ${command} take <id…>  merges it (--as commits|edits)`,
  `  ${command} drop <id…>  removes it`,
];

/** `3  +41 −12`, below the word "files". */
function countsText(seen: Pick<Seen, "files">): string {
  const { added, removed } = linesOf(seen);
  return `${seen.files.length}  +${added} −${removed}`;
}

/** `3 files, +41 −12`. */
export function sizeText(seen: Pick<Seen, "files">): string {
  const { added, removed } = linesOf(seen);
  return `${plural(seen.files.length, "file")}, +${added} −${removed}`;
}

function evidenceCell({ evidence, atWork }: ChangeSet, style: Style) {
  const words = atWork ? `${style.symbol("working")} at work` : visibleLine(evidence.words);
  const state: State | undefined = atWork ? "working" : evidence.failed ? "failed" : undefined;
  return cell(shortened(words, 40), (text) => (state ? style.state(state, text) : style.dim(text)));
}

function evidenceSign({ evidence, atWork }: ChangeSet, style: Style) {
  const state: State | undefined = atWork ? "working" : evidence.failed ? "failed" : evidence.words.includes("✓") ? "done" : undefined;
  return state === undefined ? cell("") : cell(style.symbol(state), (text) => style.state(state, text));
}

function intoCell(seen: Seen, style: Style) {
  const { words, state } = intoText(seen);
  return cell(visibleLine(words), (text) => (state ? style.state(state, text) : text));
}

const named = (files: readonly string[]) => `${files.slice(0, 2).join(", ")}${files.length > 2 ? ` and ${files.length - 2} more` : ""}`;

export function intoText({ into, rivals }: Pick<Seen, "into" | "rivals">): { words: string; state?: State } {
  const own = intoWords(into);
  const [rival, ...others] = rivals;
  if (into.kind === "taken" || !rival) return own;
  const more = others.length > 0 ? ` and ${plural(others.length, "other")}` : "";
  return { ...own, words: `${own.words}; not with ${rival.id}${more}: ${named(rival.files)}` };
}

function intoWords(into: Into): { words: string; state?: State } {
  switch (into.kind) {
    case "merges":
      return { words: "merges", state: "done" };
    case "taken":
      return { words: "taken" };
    case "conflicts":
      return { words: `conflicts: ${named(into.files)}`, state: "failed" };
    case "in_the_way":
      return { words: `not committed here: ${named(into.files)}`, state: "needs_you" };
  }
}

const signs: Record<FileChange["kind"], string> = {
  added: "A",
  changed: "M",
  deleted: "D",
  renamed: "R",
  mode: "mode",
  submodule: "submodule",
};

/** One line for each file, as `git diff --stat` has it. */
export function statText({ files, uncommitted }: Seen, style: Style): string {
  const open = new Set(uncommitted);
  const rows = files.map(({ path, from, kind, added, removed }) => [
    cell(`  ${signs[kind]}`),
    cell(added === null ? "binary" : `+${added} −${removed}`),
    cell(visibleLine(`${from === undefined ? "" : `${from} → `}${path}${open.has(path) ? "  (not committed)" : ""}`)),
  ]);
  const modules = files.some(({ kind }) => kind === "submodule")
    ? [style.dim("  A submodule is taken as the commit that it names: git submodule update brings its files.")]
    : [];
  return [...aligned(rows), ...modules].join("\n");
}

/** The lines of a diff in their colours, with nothing in them that a terminal would carry out. `text` is visible already. */
export function colouredDiff(text: string, style: Style): string {
  return text
    .split("\n")
    .map((line) => {
      if (/^(?:diff --git|index |--- |\+\+\+ |(?:new|deleted) file|rename |similarity |old mode|new mode)/.test(line))
        return style.bold(line);
      if (line.startsWith("@@")) return style.syntax(line, "keyword");
      if (line.startsWith("+")) return style.syntax(line, "added");
      return line.startsWith("-") ? style.syntax(line, "removed") : line;
    })
    .join("\n");
}

/** For `--json`. */
export function changesJson({ set, tip, files, uncommitted, into, rivals }: Seen): Record<string, unknown> {
  const { id, what, by, evidence, atWork, content } = set;
  const place = content.kind === "branch" ? { branch: content.branch, worktree: content.folder } : { part_of: content.whole };
  return {
    id,
    what,
    by,
    evidence: evidence.words,
    tests_failed: evidence.failed,
    at_work: atWork,
    ...place,
    from: content.from,
    tip,
    files,
    uncommitted,
    into: into.kind,
    into_files: "files" in into ? into.files : [],
    conflicts_with: rivals,
  };
}
