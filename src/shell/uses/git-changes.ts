// The files that the simplest git commands change: named files, the index, or the current branch. They lose nothing that git has stored.
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal } from "../words/literal.ts";
import { intoFolder } from "./copied-files.ts";
import type { Use } from "./named-files.ts";

/** Every file that is written; undefined if the command may do more than that. */
export function gitChanges({ program, words, sub, verb = "" }: Invocation): Use[] | undefined {
  if (program !== "git" || sub === undefined || !changing.has(verb) || words.slice(1, sub).some(({ value }) => value !== "--no-pager"))
    return undefined;
  const rest = words.slice(sub + 1);
  const values = rest.map(({ value }) => value);
  if (values.includes(undefined)) return undefined;
  const text = [verb, ...values].join(" ");
  if (newBranch.test(text)) return [inGit("HEAD")];
  if (unstaging.test(text)) return [inGit("index")];
  const operands = rest.filter(({ value }) => !value!.startsWith("-"));
  if (verb === "add") return staging.test(text) ? [inGit("index"), ...staged(operands)] : undefined;
  const isPlain = operands.every(({ value }) => /^[\w@+,=./-]+$/.test(value!));
  const options = moving[verb];
  const isMoved = options && isPlain && operands.length > 0 && values.every((value) => !value!.startsWith("-") || options.test(value!));
  if (!isMoved && !restoring.test(text)) return undefined;
  const into = verb === "mv" ? intoFolder(operands, undefined).filter(({ access }) => access === "write") : [];
  return [inGit("index"), ...operands.map((word): Use => ({ word, access: "write", recursive: true, purpose: true })), ...into];
}

/** Whether it only gives files the content that the index has. What they contain is lost, unless git has stored it. */
export function restoresFiles({ program, words, sub, verb }: Invocation): boolean {
  if (program !== "git" || sub === undefined || words.some(({ value }) => value === undefined)) return false;
  return restoring.test([verb, ...words.slice(sub + 1).map(({ value }) => value)].join(" "));
}

const inGit = (name: string): Use => ({ word: literal(`.git/${name}`), access: "write", purpose: true });

/** `git add` reads what it stages: the whole tree if no path is given. */
const staged = (operands: Word[]) =>
  (operands.length > 0 ? operands : [literal(".")]).map((word): Use => ({ word, access: "read", recursive: true }));

const changing = new Set("add checkout switch branch restore reset mv rm".split(" "));

/** The new branch starts at the current commit, so no file changes. */
const newBranch = /^(?:checkout(?: -q)? -b|switch(?: -q)? (?:-c|--create)|branch) (?!HEAD$)[A-Za-z0-9][\w./@+-]*$/;

/** Options of `git add` that neither add ignored files nor open an editor. */
const staging = /^add(?: (?:-[AuvN]+|--all|--update|--verbose|--intent-to-add|--|[\w@+,=.][\w@+,=./-]*))+$/;

/** A single word after `git reset` may be a revision. */
const unstaging = /^(?:restore (?:--staged|-S)(?: [^\s-]\S*)+|reset(?: -q)?(?: HEAD(?: --)?(?: [^\s-]\S*)*| --(?: [^\s-]\S*)+)?)$/;

const restoring = /^(?:restore(?: -q| --quiet)?(?: --)?|checkout(?: -q| --quiet)? --)(?: (?![.-])[\w@+,=./-]+)+$/;

/** git refuses to move or remove files that are untracked or modified. */
const moving: Record<string, RegExp> = { mv: /^(?:-[vk]+|--)$/, rm: /^(?:-[rqn]+|--|--cached|--quiet)$/ };
