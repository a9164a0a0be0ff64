// Which programs repositories would make git start in a command, without a sandbox. It is known only of repositories that were inspected: what is
// not there yet, or not certain to be the same when git comes to it, counts as one that starts programs.
import { kernelPath, type Real } from "../../permissions/call.ts";
import { absolute, fromHome } from "../../permissions/paths/given-path.ts";
import { within } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import { gitFolders } from "../../shell/uses/git-reach.ts";
import type { Analysis } from "../../shell/words/analysis.ts";
import type { RepositoryChange } from "../ports/repository-port.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";

type Ports = Pick<WorkspacePorts, "repositoryPrograms"> & { real: Real };

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
  { repositoryPrograms }: Pick<Ports, "repositoryPrograms">,
): Promise<Policy["gitRuns"]> {
  if (policy.sandbox.kind === "active") return policy.gitRuns;
  const known = new Map(policy.gitRuns);
  const change = changeOf(analysis, policy);
  const mayCome = (folder: string) => policy.isThere?.(folder) === false || change.written.some((path) => within(path, folder));
  for (const folder of folders) {
    const found =
      folder !== policy.cwd && mayCome(folder)
        ? `the settings of a repository that may come to ${folder}`
        : await repositoryPrograms(folder, change);
    if (found === undefined) known.delete(folder);
    else known.set(folder, found);
  }
  return known;
}

/** The same of all places where the command may run git. */
export const programsHere = async (analysis: Analysis, policy: Policy, ports: Ports): Promise<Policy["gitRuns"]> =>
  programsIn(await placesOfGit(analysis, policy, ports), { analysis, policy }, ports);

/** What the command itself changes before git looks: the index, and files and folders that it puts there. */
function changeOf({ commands }: Analysis, policy: Policy): RepositoryChange {
  const written = commands.flatMap(({ files }) =>
    files.flatMap(({ access, mention, path }) => (access === "write" && !mention && path !== undefined ? [absolute(path, policy)] : [])),
  );
  return { stages: commands.some(({ looks }) => looks === "stages"), written };
}
