// Whether a simple command does nothing that the sandbox does not hold: what is named may leave it, be lost in it, or be run unseen.
import { coveredInGit } from "../tables/git-subcommands.ts";
import type { FileUse, SimpleCommand } from "../words/analysis.ts";
import { subcommandAt } from "../words/subcommand.ts";
import { isGit } from "./is-git.ts";
import { loopbackOrigin } from "./loopback.ts";
import { effectsOf, wantsNetwork } from "./marks.ts";

/** Everything that stays in the sandbox is allowed: by whom, and what has to be known for it. */
export type Containment = {
  by: "rule" | "grant";
  reason: string;
  /** Whether the file lies in a folder that commands may change. */
  isInside: (use: FileUse & { path: string }) => boolean;
  /** Whether nothing is lost when the file is: it is not there, or git has it as it is. */
  isKept: (use: FileUse & { path: string }) => boolean;
};

/** Why it must be asked for anyway, as a sentence without its full stop. */
export function leavesSandbox(command: SimpleCommand, { isInside, isKept }: Containment): string | undefined {
  const { files, hazards, unclear } = command;
  if (unclear !== undefined) return `It is asked for because ${unclear}`;
  const outside = files.find((use) => isKnown(use) && !use.mention && !isInside(use));
  if (outside) return `${outside.path} is outside the working directory`;
  const unseen = hazards.find((hazard) => hazard.unseen);
  if (unseen) return `What it runs cannot be seen: ${unseen.does}`;
  if (wantsNetwork(command) && loopbackOrigin(command.words) === undefined) return "It wants the network, and the sandbox has none";
  const effects = effectsOf(command);
  if (effects.has("loses work")) return "Work that git does not have may be lost";
  const lost = effects.has("loses its files")
    ? files.find((use) => !use.mention && use.access === "write" && !use.outputs && !(isKnown(use) && isKept(use)))
    : undefined;
  const checkedOut = isCheckout(command)
    ? command.files.find((use) => isKnown(use) && !use.path.startsWith(".git/") && !isKept(use))
    : undefined;
  if (lost ?? checkedOut) return `Git does not have ${(lost ?? checkedOut)?.path ?? "the files"} as it is, so it would be lost`;
  return isGit(command) && !isKnownGit(command) ? "What this git command does is not known here" : undefined;
}

const isKnown = (use: FileUse): use is FileUse & { path: string } => use.path !== undefined;

const verbOf = ({ words }: SimpleCommand) =>
  words[subcommandAt("git", [{ text: "git", value: "git", start: "git" }, ...words.slice(1)]) ?? -1]?.value;

/** `git checkout x` takes the branch of that name, or else the file. */
const isCheckout = (command: SimpleCommand) => isGit(command) && verbOf(command) === "checkout";

/** The others may be a person's own, by an alias, or work on git's innards. */
function isKnownGit(command: SimpleCommand): boolean {
  if (command.words[0]?.value?.includes("git-")) return false;
  const verb = verbOf(command);
  return verb === undefined
    ? command.words.slice(1).every(({ value }) => value?.startsWith("-"))
    : coveredInGit.has(verb) || innards.has(verb);
}

/** Beside the everyday ones: their work is in git's own folder, or what a patch says of the working tree. */
const innards = new Set("am bundle commit-tree hash-object merge-tree mktree update-index verify-commit verify-tag write-tree".split(" "));
