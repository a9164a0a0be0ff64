// Ways to make git print or restore hidden files from a repository's history. Commands run git with attributes that keep it from printing
// their differences (edge/git/repository-history.ts); this file recognizes the commands that would get around those.
import type { HiddenHistory, OtherVersion } from "../../permissions/paths/hidden-history.ts";
import type { Analysis, SimpleCommand, Word } from "../words/analysis.ts";
import { subcommandAt } from "../words/subcommand.ts";
import { isGit } from "./is-git.ts";

/** Why the user must be asked, as a sentence without its full stop. `hidden` is relative to where the command starts. */
export function showsHidden(command: SimpleCommand, hidden: HiddenHistory, { text, commands }: Analysis): string | undefined {
  const [first] = hidden.paths;
  if (first === undefined || !isGit(command)) return undefined;
  const { words } = command;
  const at = subcommandAt("git", [{ text: "git", value: "git", start: "git" }, ...words.slice(1)]) ?? words.length;
  const name = words[at]?.value ?? "";
  const rest = words.slice(at + 1);
  const values = rest.map(({ value }) => value);
  const named = rest.find(({ value }) => value !== undefined && isIdOf(value, hidden.ids));
  if (named) return `${named.text} may be the content of a file that rules hide, such as ${first}`;
  const there = rest.find(({ value }) => value !== undefined && isPlaceOf(value, hidden.paths));
  if (there) return `${there.text} names a file that rules hide, such as ${first}`;
  const asked = (what: string) => `The repository contains files that rules hide, such as ${hidden.exposed[0] ?? first}, and ${what}`;
  const other = otherVersion(name, values, hidden);
  if (other)
    return `${other.revision} has another version of ${other.path}, which rules hide: git cannot write it to the disk here, but the user can`;
  if (/--work-tree|GIT_WORK_TREE/.test(text) && (switching.has(name) || bringing.has(name))) return asked("this writes them elsewhere");
  if (name === "worktree" && values.includes("add") && !values.includes("--no-checkout")) return asked("another working tree shows them");
  if (packing.has(name) || (name === "clone" && values.some(isHere))) return asked(`git ${name} would reveal all of it`);
  if (bringing.has(name) && rest.some((word) => covers(word, hidden.paths))) return asked(`git ${name} would bring them back`);
  if (name === "archive" && rest.some(({ value, start }) => (value ?? start).includes(":"))) return asked("this archive may hold them");
  if (!printing.has(name)) return undefined;
  if (rest.some(({ value, start }) => value === undefined && (start === "" || start.includes(":"))) && objects.has(name))
    return asked("what is shown is not known before it runs");
  if (name === "cat-file" && values.some((value) => /^--batch(?:=|$)|^--batch-c.*m/.test(value ?? "")))
    return asked("what is shown is not known before it runs");
  if (values.some((value) => isWhole(name, value ?? ""))) return asked("with this option git prints them whole");
  if (hidden.exposed.length > 0 && !values.some((value) => listing.test(value ?? "")) && printsContent(name, values))
    return asked("by its .gitattributes git prints them");
  if (/GIT_CONFIG|attributesfile|\benv\s+(?:-\w*i|-\s|--ig)/i.test(text) || commands.some(writesAttributes))
    return asked("the command may disable what keeps git from printing them");
  return undefined;
}

/** Subcommands that write the whole working tree. */
export const switching = new Set("checkout switch merge rebase pull reset cherry-pick revert stash bisect".split(" "));

/** The revisions that they use if the command names none. */
export const unnamed = { merge: "@{upstream}", rebase: "@{upstream}", pull: "@{upstream}", stash: "stash@{0}", "-": "@{-1}" };

/** The revision that the command switches to, if it contains a different version of a hidden file. */
function otherVersion(name: string, values: (string | undefined)[], { others }: HiddenHistory): OtherVersion | undefined {
  if (!switching.has(name) || others.length === 0 || (values.includes("--") && values.at(-1) !== "--")) return undefined;
  if (name === "reset" && !values.some((value) => /^--(?:hard|merge|keep)/.test(value ?? ""))) return undefined;
  if (name === "stash" && !/^(?:pop|apply|branch)$/.test(values[0] ?? "")) return undefined;
  const named = values.map((value) => (value === "-" ? unnamed["-"] : value));
  const own = named.some((value) => value !== undefined && !value.startsWith("-") && !(name === "stash" && value === values[0]));
  const there = own ? named : name in unnamed ? [unnamed[name as keyof typeof unnamed]] : [];
  const kind = name === "cherry-pick" || name === "revert" ? "change" : "whole";
  return others.find((other) => other.in === kind && there.includes(other.revision));
}

/** `deadbeef`, `deadbeef^{blob}`. */
function isIdOf(value: string, ids: string[]): boolean {
  const id = /^[0-9a-f]{4,64}/.exec(value.toLowerCase())?.[0];
  return id !== undefined && /^[0-9a-f]+(?:[\^~@:.].*)?$/i.test(value) && ids.some((each) => each.startsWith(id));
}

/** `main:a/b`, where the path always begins at the repository's root. */
function isPlaceOf(value: string, paths: string[]): boolean {
  const path = /^[^:]*:(?:[0-3]:)?([^:].*)$/s.exec(value)?.[1];
  if (path === undefined || path.startsWith(".")) return false;
  return paths.some((each) => {
    const bare = each.replace(/^(?:\.\.\/)+/, "");
    return bare.endsWith("/") ? `/${path}/`.includes(`/${bare}`) : `/${path}`.endsWith(`/${bare}`);
  });
}

/** Subcommands whose output is the objects themselves, or patches that encode them. */
const packing = new Set(
  "fast-export format-patch pack-objects unpack-file unpack-objects merge-file merge-tree merge-one-file checkout-index read-tree bundle difftool send-email upload-pack upload-archive http-backend daemon instaweb".split(
    " ",
  ),
);

const isHere = (value: string | undefined) =>
  value === undefined || (!value.startsWith("-") && !/^\w[\w+.-]*:\/\/(?!\/)|^[\w.@-]+:(?!\/\/)/.test(value));

const bringing = new Set(["checkout", "restore"]);
const objects = new Set(["show", "diff", "cat-file", "blame", "annotate", "diff-tree"]);
const printing = new Set(
  "log show diff whatchanged reflog stash diff-tree diff-index diff-files range-diff grep cat-file blame annotate shortlog".split(" "),
);

/**
 * Whether the option prints binary files as text: also abbreviated, or combined with other letters. After some letters the rest is a value.
 */
function isWhole(name: string, value: string): boolean {
  if (/^--(?:te(?:xt?)?|bin(?:a(?:ry?)?)?)$/.test(value)) return true;
  return name !== "cat-file" && (name === "grep" ? /^-(?![ef])[A-Za-z]*a/ : /^-(?![SGLO])[A-Za-z]*a/).test(value);
}

const listing = /^--(?:stat|shortstat|numstat|name-only|name-status|dirstat|summary|quiet|raw|oneline)\b/;

function printsContent(name: string, values: (string | undefined)[]): boolean {
  if (name === "log" || name === "reflog" || name === "shortlog" || name === "stash")
    return values.some((value) =>
      /^(?:-p|-u|-c|-m|-W|-U\d*|--cc|--binary|--check|--patch.*|--unified.*|--word-diff.*|--color-words.*|--remerge-diff|--diff-merges.*)$/.test(
        value ?? "",
      ),
    );
  return name !== "cat-file" && name !== "blame" && name !== "annotate";
}

/** `HEAD:a`, `:a`; in `:/fix` and `HEAD@{9:30}` no file is named. */
const atPath = /^(?:[^:{]|\{[^}]*\})*:(?!\/)/;

/** The id of a file, as `git ls-tree` lists it. */
const mayBeBlob = (value: string | undefined) => value === undefined || /^[0-9a-f]{4,}$/i.test(value);

/** Whether it prints the contents of files that it does not name. `below`: only those below these paths. */
export function printsUnnamed({ words }: SimpleCommand): { below: string[] } | undefined {
  const at = subcommandAt("git", words) ?? words.length;
  const name = words[at]?.value ?? "";
  const values = words.slice(at + 1).map(({ value }) => value);
  if (!printing.has(name) || !(name === "cat-file" ? values.some(mayBeBlob) : printsContent(name, values))) return undefined;
  const options = values.filter((value) => value?.startsWith("-"));
  const isPatch = options.some((value) => /^(?:-p|-u|--patch)/.test(value!));
  const isList = name === "grep" ? /^-[a-z]*[lLc]$|^--(?:files|name-only|count)/ : /^(?:-s|--no-patch)$/;
  if (!isPatch && options.some((value) => listing.test(value!) || isList.test(value!))) return undefined;
  const operands = values.filter((value) => value === undefined || !value.startsWith("-"));
  if (name === "show" && operands.length > 0 && operands.every((value) => atPath.test(value ?? ""))) return undefined;
  const end = values.indexOf("--");
  const paths = end === -1 ? [] : values.slice(end + 1);
  return { below: paths.every((path) => /^[\w@+,=./-]+$/.test(path ?? "")) ? (paths as string[]) : [] };
}

/** Whether the word names a path, or is a pathspec, that is above or below a hidden file. */
function covers({ value, start }: Word, paths: string[]): boolean {
  if (value === undefined) return start === "" || start.includes("/");
  if (value.startsWith("-")) return value.startsWith("--pathspec-from-file");
  if (/[*?[]|^:/.test(value)) return true;
  const folder = value.replace(/^(?:\.\/)+/, "").replace(/\/*$/, "/");
  return paths.some((path) => folder === "./" || folder === "/" || path.startsWith("../") || path.startsWith(folder));
}

function writesAttributes({ files }: SimpleCommand): boolean {
  return files.some(({ access, path }) => access === "write" && /(?:^|\/)(?:\.gitattributes|info\/attributes)$/i.test(path ?? ""));
}
