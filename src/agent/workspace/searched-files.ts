// What a search reads that passes files over by itself: `git grep` all but what the index lists, rg what is hidden or ignored. Without a sandbox
// a search of a folder is asked about if a file with a name of secrets is below it. These two can tell which files they come to, and are asked.
import { dirname, join, resolve } from "node:path";
import { kernelPath, type Real } from "../../permissions/call.ts";
import { fromHome } from "../../permissions/paths/given-path.ts";
import { within } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import { grepOptions, rgOptions } from "../../shell/tables/looks.ts";
import { analyseCommand } from "../../shell/walk/analyse-command.ts";
import type { Analysis, FileUse, SimpleCommand } from "../../shell/words/analysis.ts";
import { readOptions } from "../../shell/words/options.ts";
import { harmlessDevice } from "../../shell/words/paths.ts";
import type { Searches } from "../ports/repository-port.ts";

type Ports = { searches: Searches; real: Real };

/** What to decide about, outside of a session. */
export const searchedBy = (command: string, policy: Policy, ports: Ports): Promise<Analysis> =>
  withSearchedFiles(analyseCommand(command), policy, ports);

/**
 * The same analysis, where searches that come to no such file read nothing below their folders. It stays as it is in the sandbox, where rules
 * restrict further files, and where a part of the command may change what a later one comes to.
 */
export async function withSearchedFiles(given: Analysis, policy: Policy, ports: Ports): Promise<Analysis> {
  const analysis = withNamedPlaces(given, policy);
  const searches = analysis.commands.filter((command) => command.looks === true && command.files.some(isBelow) && programOf(command));
  if (searches.length === 0 || policy.sandbox.kind === "active" || restrictsMore(policy) || !analysis.commands.every(onlyReads))
    return analysis;
  const sensitive = policy.outliers?.()?.sensitive ?? [];
  if (sensitive.length === 0) return analysis;
  const cleared = new Set<SimpleCommand>();
  for (const command of searches) {
    const comesTo = await reachOf(command, { analysis, policy, ports });
    if (comesTo && !sensitive.some(comesTo)) cleared.add(command);
  }
  const commands = analysis.commands.map((command) =>
    cleared.has(command) ? { ...command, files: command.files.map(withoutBelow) } : command,
  );
  return cleared.size === 0 ? analysis : { ...analysis, commands };
}

/** Of a search that names places alone only those: each is there, and git takes none that is a revision, too. Any word of it counts as a place. */
function withNamedPlaces(analysis: Analysis, policy: Policy): Analysis {
  const isNarrow = (command: SimpleCommand) =>
    command.looks === true && programOf(command) === "git" && namesRevisions(command, policy) === "none";
  if (!analysis.commands.some(isNarrow) || !analysis.commands.every(onlyReads) || analysis.commands.some(moves)) return analysis;
  const without = (command: SimpleCommand): SimpleCommand => {
    const around = command.files.findIndex((use) => isBelow(use) && use.path === ".");
    const isThere = ({ path = "/" }: FileUse) => policy.isThere?.(resolve(policy.cwd, path)) === true;
    return { ...command, files: command.files.filter((use, at) => at !== around && (!isBelow(use) || isThere(use))) };
  };
  return { ...analysis, commands: analysis.commands.map((command) => (isNarrow(command) ? without(command) : command)) };
}

const isBelow = ({ access, recursive }: FileUse) => access === "read" && recursive === true;
const withoutBelow = (use: FileUse): FileUse => (isBelow(use) ? { ...use, recursive: undefined } : use);

const programOf = ({ words: [name, verb] }: SimpleCommand): "git" | "rg" | undefined =>
  name?.value === "rg" ? "rg" : name?.value === "git" && verb?.value === "grep" ? "git" : undefined;

const restrictsMore = ({ ask, deny, ignore }: Policy) =>
  ignore.file !== undefined || [...ask, ...deny].some(({ kind }) => kind === "path" || kind === "file");

const onlyReads = ({ looks, files }: SimpleCommand) =>
  looks === true && files.every(({ access, path }) => access === "read" || (path !== undefined && harmlessDevice.test(path)));

type Place = { analysis: Analysis; policy: Policy; ports: Ports };

/** Whether the search comes to a file; undefined if that cannot be told. */
async function reachOf(command: SimpleCommand, { analysis, policy, ports }: Place): Promise<((path: string) => boolean) | undefined> {
  const places = await Promise.all(command.files.filter(isBelow).map((use) => placeOf(use, policy, ports.real)));
  if (!areKnown(places)) return undefined;
  if (programOf(command) === "git") {
    const { cwd, repository: top = cwd, showsHidden } = policy;
    if (showsHidden !== undefined || namesRevisions(command, policy) === "some" || !places.every((place) => isIn(top, place, policy)))
      return undefined;
    const listed = await ports.searches.tracked(top);
    return listed && ((path) => listed.files.has(path) || listed.repositories.some((inside) => within(inside, path)));
  }
  const args = listingArgs(command);
  if (!args || (analysis.commands.some(moves) && args.some((arg) => /^-(?:g|-i?glob)/.test(arg)))) return undefined; // globs count from the folder where rg runs
  const listed = await ports.searches.ripgrep(policy.cwd, [...args, "--", ...places]);
  return listed && ((path) => listed.has(path));
}

const placeOf = async ({ path, pattern }: FileUse, policy: Policy, real: Real) =>
  path === undefined || pattern ? undefined : kernelPath(fromHome(path, policy), policy, real).catch(() => undefined);

const areKnown = <Known>(list: (Known | undefined)[]): list is Known[] => !list.includes(undefined);

/** Whether git works in the repository at the top, and in none between. */
function isIn(top: string, place: string, { isThere }: Policy): boolean {
  const hasGit = (folder: string) => isThere?.(join(folder, ".git")) === true;
  for (let at = place; within(top, at); at = dirname(at)) if (hasGit(at)) return at === top;
  return false;
}

const moves = ({ words: [name] }: SimpleCommand) => /^(?:cd|pushd|popd)$/.test(name?.value ?? "");

/** Whether it may search what git has stored, which may have other files. `none`: it names places alone. */
function namesRevisions({ words }: SimpleCommand, { cwd, isThere }: Policy): "some" | "none" | undefined {
  const { operands, given } = readOptions(words, grepOptions, { from: 2, exact: true });
  const end = words.findIndex(({ value }) => value === "--");
  const isPattern = !given.some(({ name }) => name === "-e" || name === "-f");
  const named = operands.slice(isPattern ? 1 : 0).filter((at) => end === -1 || at < end);
  if (named.some((at) => !isThere?.(resolve(cwd, words[at]!.value ?? "\0")))) return "some";
  return end === -1 && named.length > 0 ? "none" : undefined;
}

/** The options of rg by which it chooses files, to list those with. Undefined if the value of one is not known, or a file says more. */
function listingArgs({ words }: SimpleCommand): string[] | undefined {
  const given = readOptions(words, rgOptions, { exact: true }).given.filter(({ name }) => choosing.test(name));
  const args = given.map(({ name, value }) => (value ? joined(name, value.value) : takesValue.test(name) ? undefined : name));
  return areKnown(args) && !given.some(({ name }) => name === "--ignore-file") ? args : undefined;
}

const joined = (name: string, value: string | undefined) => value && (name.length === 2 ? name + value : `${name}=${value}`);

const choosing = /^(?:-[gtTdu]+|--(?:i?glob|type(?:-not|-add)?|max-depth|max-filesize|hidden|no-ignore\S*|unrestricted|ignore-file))$/;
const takesValue = /^(?:-[gtTd]|--(?:i?glob|type(?:-not|-add)?|max-\S+))$/;
