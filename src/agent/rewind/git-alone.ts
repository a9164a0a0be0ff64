// Whether a text consists of git's own work alone, so that a person sees in it what git notes and moves: the steps of a branch (rebase, merge, …) and
// what git hears from other machines. Told by the words that it may have, as shell/tables/looks.ts tells what only looks.
import type { Analysis, SimpleCommand, Word } from "../../shell/words/analysis.ts";
import { harmlessDevice } from "../../shell/words/paths.ts";

/** The options of each, without a value but for the message behind `-m`; no operand of `remote` words is a refspec or the repository itself. */
const subcommands: Record<string, { options: string; first?: RegExp; remote?: true }> = {
  rebase: {
    options:
      "-i -q -v -r -n --abort --continue --skip --quit --onto --root --keep-base --autostash --no-autostash --autosquash --rebase-merges --update-refs --no-update-refs --no-ff --force-rebase --apply --merge --stat --no-verify --interactive --quiet",
  },
  merge: {
    options: "-m -q -v --abort --continue --quit --ff --no-ff --ff-only --no-commit --no-edit --squash --autostash --no-verify --quiet",
  },
  "cherry-pick": { options: "-m -n -x --abort --continue --skip --quit --no-commit --no-edit --allow-empty --mainline --ff" },
  revert: { options: "-m -n --abort --continue --skip --quit --no-commit --no-edit --mainline" },
  am: { options: "-q -3 --abort --continue --skip --quit --resolved --3way --quiet" },
  bisect: { options: "", first: /^(?:start|good|bad|old|new|skip|reset|log)$/ },
  commit: { options: "-m -a -q --all --amend --no-edit --allow-empty --no-verify --quiet --message" },
  reset: { options: "-q --hard --soft --mixed --merge --keep --quiet" },
  checkout: { options: "-b -q --ours --theirs --detach --quiet --track" },
  switch: { options: "-c -q --detach --create --quiet --track" },
  restore: { options: "--ours --theirs --staged --worktree" },
  stash: { options: "-u -q -m --include-untracked --keep-index --quiet", first: /^(?:push|pop|apply|drop|list|show)?$/ },
  mv: { options: "-k" },
  rm: { options: "-q -r -f --cached --quiet" },
  fetch: { options: "-a -p -q -v -t --all --prune --tags --no-tags --quiet --verbose", remote: true },
  pull: { options: "-q -v -p --rebase --no-rebase --ff --no-ff --ff-only --autostash --no-edit --prune --tags --quiet", remote: true },
  push: {
    options: "-u -q -v -f -d --set-upstream --tags --follow-tags --force --force-with-lease --all --delete --no-verify --quiet",
    remote: true,
  },
};

/** `isForeign`: whether agents or repositories may have put the program of that name where it is found. */
export function isGitAlone({ commands, plain, unclear }: Analysis, isForeign: (program: string) => boolean): boolean {
  const isKnown = (command: SimpleCommand) => {
    const { looks, words, files } = command;
    const program = words[0]?.value;
    const writes = files.some(({ access, path, mention }) => access === "write" && !mention && !(path && harmlessDevice.test(path)));
    if (writes || program === undefined || isForeign(program)) return false;
    return isStep(command) || (looks !== false && command.unclear === undefined && command.assignments.length === 0);
  };
  return unclear === undefined && plain && commands.every(isKnown);
}

function isStep({ words, assignments, unclear }: SimpleCommand): boolean {
  const [program, name, ...rest] = words;
  const row = program?.value === "git" && name?.value !== undefined && Object.hasOwn(subcommands, name.value) && subcommands[name.value];
  const areQuiet = assignments.every(({ name: variable, value = "" }) => editors.test(variable) && /^(?:true|:)$/.test(value));
  if (!row || !areQuiet || (unclear !== undefined && assignments.length === 0)) return false;
  const options = new Set(row.options.split(" "));
  const [first] = rest;
  const isFirst = row.first === undefined || row.first.test(first?.value ?? "");
  return isFirst && rest.every((word, at) => isMessage(word, rest[at - 1]) || isWord(word.value, options, row.remote));
}

const editors = /^GIT_(?:SEQUENCE_)?EDITOR$/;

const isMessage = (word: Word, before: Word | undefined) => !word.many && /^(?:-\w*m|--message)$/.test(before?.value ?? "");

function isWord(word: string | undefined, options: ReadonlySet<string>, remote = false): boolean {
  if (word === undefined) return false;
  if (word === "--" || options.has(word)) return true;
  if (/^-[A-Za-z]{2,}$/.test(word)) return Array.from(word.slice(1)).every((letter) => options.has(`-${letter}`));
  return remote ? /^\w[\w./@-]*$/.test(word) : !word.startsWith("-");
}
