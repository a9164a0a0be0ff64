// What a command would lose, for its question: the files that git has not stored as they are, or the commits of a branch alone.
import { resolve } from "node:path";
import type { LocatedCall } from "../permissions/call.ts";
import { losesWork, lostBy } from "../shell/uses/leaves-sandbox.ts";
import type { SimpleCommand } from "../shell/words/analysis.ts";
import { invocationOf } from "../shell/words/invocation.ts";
import { readOptions } from "../shell/words/options.ts";
import type { AtStake, Unstored } from "./ports/at-stake.ts";

/** Names what is lost, up to five, in one sentence without its full stop; undefined if nothing is found or it is not known. */
export async function lostWork({ subject }: LocatedCall, cwd: string, atStake: AtStake): Promise<string | undefined> {
  if (subject.kind !== "command") return undefined;
  const lost: string[] = [];
  let folder: string | undefined = cwd;
  for (const command of subject.analysis.commands) {
    folder = folderAfter(command, folder);
    if (folder === undefined) return undefined;
    if (losesWork(command, (path) => subject.kept?.get(path)) !== undefined)
      lost.push(...(await lostIn(command, { subject, folder, atStake })));
  }
  const named = [...new Set(lost)];
  const more = named.length - mostNamed;
  return named.length === 0 ? undefined : `Would be lost: ${named.slice(0, mostNamed).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

const mostNamed = 5;

/** Undefined where it is not known. */
function folderAfter({ words }: SimpleCommand, folder: string | undefined): string | undefined {
  const [program, to] = words.map(({ value }) => value);
  if (program !== "cd" && program !== "pushd") return folder;
  return words.length === 2 && to !== undefined && folder !== undefined && !/^[-~]/.test(to) ? resolve(folder, to) : undefined;
}

type Where = { subject: Extract<LocatedCall["subject"], { kind: "command" }>; folder: string; atStake: AtStake };

async function lostIn(command: SimpleCommand, { subject, folder, atStake }: Where): Promise<string[]> {
  const isGit = command.words[0]?.value === "git";
  const { verb, sub = 0, words } = invocationOf("git", command.words);
  const { given, operands } = readOptions(words, optionsOf[verb ?? ""] ?? "*", { from: sub + 1 });
  if (isGit && sub !== 1) return []; // an option before it may name another repository
  const has = (...names: string[]) => given.some(({ name }) => names.includes(name));
  if (isGit && verb === "branch") {
    const branches = operands.flatMap((at) => words[at]!.value ?? []);
    return has("-D") ? (await Promise.all(branches.map((branch) => atStake.commitsOnlyOn(folder, branch)))).flat() : [];
  }
  const whole = isGit ? wholeTree(verb, has, words[operands[0] ?? -1]?.value) : undefined;
  const lost = lostBy(command).flatMap(({ path = "" }) => (subject.kept?.get(path) === false && subject.files.get(path)?.real) || []);
  const named = isGit && verb === "clean" ? operands.map((at) => resolve(folder, words[at]!.value ?? ".")) : lost;
  if (!whole && named.length === 0) return [];
  const files = await atStake.uncommitted(folder, named.length === 0 && verb === "clean" ? [folder] : named);
  const isLost = whole ?? (isGit ? isTracked : () => true);
  return files.filter(isLost).map(({ path, state }) => `${path} (${state})`);
}

const optionsOf: Record<string, string> = {
  clean: "-d -f -x -X -n -q -i -e: --force --quiet --interactive --dry-run --exclude=",
  stash: "-u -a -k -p -q -S -m: --include-untracked --all --message= *",
  branch: "-D -f -r -q --force --quiet",
};

const isTracked = ({ state }: Unstored) => state === "changed";

/** Which files a command for the whole tree loses; undefined: those that it names, or none. */
function wholeTree(verb: string | undefined, has: (...names: string[]) => boolean, first: string | undefined) {
  switch (verb ?? "") {
    case "reset":
    case "switch":
    case "merge":
    case "rebase":
    case "cherry-pick":
    case "revert":
    case "am":
    case "read-tree":
      return isTracked;
    case "checkout":
      return has("-f", "--force") ? isTracked : undefined;
    case "stash": {
      const others = has("-u", "--include-untracked", "-a", "--all");
      if (first !== undefined && !["push", "save"].includes(first)) return undefined;
      return ({ state }: Unstored) => state === "changed" || (others && state === "untracked");
    }
    case "clean":
      return ({ path, state }: Unstored) =>
        (has("-d") || !path.endsWith("/")) && ((state === "untracked" && !has("-X")) || (state === "ignored" && has("-x", "-X")));
    default:
      return undefined;
  }
}
