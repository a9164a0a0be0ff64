// Which programs repositories would make git start in a command, without a sandbox. It is known only of repositories that were inspected: what is
// not there yet, or not certain to be the same when git comes to it, counts as one that starts programs.
import { dirname, join } from "node:path";
import { kernelPath, type Real } from "../../permissions/call.ts";
import { absolute, fromHome } from "../../permissions/paths/given-path.ts";
import { hiddenPlaces, type IsHidden } from "../../permissions/paths/hidden.ts";
import { within } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import { hidesByName } from "../../permissions/sandbox/sandbox-view.ts";
import { gitFolders, isGit } from "../../shell/uses/git-reach.ts";
import { effectsOf } from "../../shell/uses/marks.ts";
import type { Analysis } from "../../shell/words/analysis.ts";
import type { RepositoryChange } from "../ports/repository-port.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";

type Ports = Pick<WorkspacePorts, "repositoryPrograms" | "namesContents"> & { real: Real };

/** The working directory, and where else the command may run git: as a shell and as the kernel reads the path, which differ behind a link. */
export async function placesOfGit(analysis: Analysis, policy: Policy, { real }: Pick<Ports, "real">): Promise<string[]> {
  const others = gitFolders(analysis).map(async (folder) => {
    const byKernel = kernelPath(fromHome(folder, policy), policy, real).catch(() => unknown);
    return [absolute(folder, policy), await byKernel];
  });
  return [...new Set([policy.cwd, ...(await Promise.all(others)).flat()])];
}

const unknown = "/nonexistent";

/** What was known of other folders, and what is found of these now. In the sandbox such programs do no harm, and nothing is looked for. */
export async function programsIn(
  folders: readonly string[],
  { analysis, policy }: { analysis: Analysis; policy: Policy },
  ports: Ports,
): Promise<Policy["gitRuns"]> {
  if (policy.sandbox.kind === "active") return policy.gitRuns;
  const { repositoryPrograms } = ports;
  const known = new Map(policy.gitRuns);
  const change = await changeOf(analysis, policy, ports);
  const isSet = analysis.commands.some((command) => command.looks !== true && effectsOf(command).has("sets git"));
  for (const folder of folders) {
    const found =
      (isSet && "settings that this command itself changes") ||
      (folder !== policy.cwd && whyOther(folder, policy, change)) ||
      (await repositoryPrograms(folder, change));
    if (found === undefined) known.delete(folder);
    else known.set(folder, found);
  }
  return known;
}

type Facts = Ports & { showsHidden(folders: string[], isHidden: IsHidden): Promise<boolean | undefined> };

/** What a decision outside of a session has to know of all places where the command may run git. */
export async function gitFacts(analysis: Analysis, policy: Policy, ports: Facts): Promise<Pick<Policy, "gitRuns" | "showsHidden">> {
  const folders = await placesOfGit(analysis, policy, ports);
  const gitRuns = await programsIn(folders, { analysis, policy }, ports);
  if (policy.sandbox.kind === "active" || !analysis.commands.some(isGit)) return { gitRuns };
  const prints = (await printsContents(analysis, policy, ports)) || (hidesByName(policy) && bringsAnything(analysis));
  return { gitRuns, showsHidden: prints || (hidesByName(policy) ? await ports.showsHidden(folders, hiddenPlaces(policy)) : undefined) };
}

/** Whether a git of the command does more than look: what it adds or fetches, a later one may print, and no attributes hide it yet. */
export const bringsAnything = ({ commands }: Analysis): boolean => commands.some((command) => isGit(command) && command.looks !== true);

/** Whether a command has git print a file under another name than its path. In the sandbox what is hidden is not there. */
export async function printsContents(
  { commands }: Analysis,
  { cwd, sandbox }: Policy,
  { namesContents }: Pick<Ports, "namesContents">,
): Promise<boolean> {
  if (sandbox.kind === "active") return false;
  return namesContents(
    cwd,
    commands.filter(isGit).flatMap(({ words }) => words.slice(1).flatMap(({ choices = [] }) => choices)),
  );
}

/**
 * Why the place is not to be believed, whatever is found there now. Inside of the session's repository another one is not even read: however carefully
 * we read it, git might read it differently.
 */
function whyOther(folder: string, { cwd, isThere }: Policy, { written }: RepositoryChange): string | undefined {
  if (isThere?.(folder) === false || written.some((path) => within(path, folder)))
    return `the settings of a repository that may come to ${folder}`;
  const hasGit = (path: string) => isThere?.(join(path, ".git")) === true;
  const between = stepsUp(folder).filter((path) => path !== cwd && within(cwd, path));
  const inside = stepsUp(cwd).some(hasGit) ? between.find(hasGit) : undefined;
  return inside && `the settings of another repository, ${inside}`;
}

/** The folder and those above it. */
const stepsUp = (folder: string): string[] => (dirname(folder) === folder ? [folder] : [folder, ...stepsUp(dirname(folder))]);

/**
 * What the command itself changes before git looks: the index, and files and folders that it puts there, with the place that links lead them to.
 * What git ignores may be staged too if it is told so, or if the lists of what it ignores may change.
 */
async function changeOf({ commands }: Analysis, policy: Policy, { real }: Pick<Ports, "real">): Promise<RepositoryChange> {
  const named = commands.flatMap(({ files }) =>
    files.flatMap(({ access, mention, path }) => (access === "write" && !mention && path !== undefined ? [path] : [])),
  );
  const places = named.map(async (path) => [
    absolute(path, policy),
    await kernelPath(fromHome(path, policy), policy, real).catch(() => unknown),
  ]);
  const staging = commands.filter(({ looks }) => looks === "stages");
  const isForced = named.length > 0 || staging.some(({ words }) => words.some(({ value, start }) => /^-\w*f|^--f/.test(value ?? start)));
  return { stages: staging.length === 0 ? undefined : isForced ? "ignored too" : "as usual", written: (await Promise.all(places)).flat() };
}
