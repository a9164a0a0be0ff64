// Whether the sandbox contains all that a simple command does: it may name files outside, lose work inside, or run something unseen.
import { coveredInGit } from "../tables/git-subcommands.ts";
import type { FileUse, SimpleCommand } from "../words/analysis.ts";
import { subcommandAt } from "../words/subcommand.ts";
import { isGit } from "./is-git.ts";
import { loopbackOrigin } from "./loopback.ts";
import { effectsOf, wantsNetwork } from "./marks.ts";

/** Set if all that stays in the sandbox is allowed: what allows it, and what is needed to check it. */
export type Containment = {
  by: "default" | "grant";
  reason: string;
  /** A proxy asks for each host that is reached. */
  proxied: boolean;
  /** Whether the file is in a folder that commands may change. */
  isInside: (use: FileUse & { path: string }) => boolean;
  /** Whether overwriting the file loses nothing: it does not exist, or git has stored this version. */
  isKept: (use: FileUse & { path: string }) => boolean;
};

/** Why the command needs a question anyway, as a sentence without its full stop. */
export function leavesSandbox(command: SimpleCommand, { isInside, isKept, proxied }: Containment): string | undefined {
  const { files } = command;
  const outside = files.find((use) => isKnown(use) && !use.mention && !isInside(use));
  if (outside) return `${outside.path} is outside the working directory`;
  const effects = effectsOf(command);
  const isLocal = loopbackOrigin(command.words) !== undefined;
  if (effects.has("sends") && !isLocal) return "It sends something to another machine";
  if (!proxied && wantsNetwork(command) && !isLocal) return "It needs the network, and the sandbox has none";
  if (effects.has("loses work")) return "Work that git does not have may be lost";
  const lost = effects.has("loses its files")
    ? files.find((use) => losesFile(use, command) && !use.outputs && !(isKnown(use) && isKept(use)))
    : undefined;
  const checkedOut = isCheckout(command)
    ? command.files.find((use) => isKnown(use) && !use.path.startsWith(".git/") && !isKept(use))
    : undefined;
  if (lost ?? checkedOut) return `Git has no copy of the current ${(lost ?? checkedOut)?.path ?? "files"}, so the changes would be lost`;
  return undefined;
}

/** Whether a command that loses its files loses this one. git keeps its own. */
export const losesFile = ({ access, mention, path }: FileUse, command: SimpleCommand): boolean =>
  access === "write" && !mention && !(isGit(command) && path?.startsWith(".git/"));

const isKnown = (use: FileUse): use is FileUse & { path: string } => use.path !== undefined;

const verbOf = ({ words }: SimpleCommand) =>
  words[subcommandAt("git", [{ text: "git", value: "git", start: "git" }, ...words.slice(1)]) ?? -1]?.value;

/** `git checkout x` switches to the branch x, or else restores the file x. */
const isCheckout = (command: SimpleCommand) => isGit(command) && verbOf(command) === "checkout";

/** Unknown subcommands may be the user's aliases, or plumbing. */
export function isKnownGit(command: SimpleCommand): boolean {
  if (command.words[0]?.value?.includes("git-")) return false;
  const verb = verbOf(command);
  return verb === undefined
    ? command.words.slice(1).every(({ value }) => value?.startsWith("-"))
    : coveredInGit.has(verb) || innards.has(verb);
}

/** Known in addition to the everyday ones: these work inside .git, or print what a patch would change. */
const innards = new Set("am bundle commit-tree hash-object merge-tree mktree update-index verify-commit verify-tag write-tree".split(" "));
