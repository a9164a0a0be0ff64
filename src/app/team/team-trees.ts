// Opens the worktrees of a team in one of its processes, from the team's record.
import { basename, dirname, join, relative } from "node:path";
import { lackingInCopies } from "../../batch/preflight.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { settingsInWorktree } from "../../settings/worktree-settings.ts";
import type { Launch } from "../../team/launch.ts";
import type { TeamTrees, TreesRecord } from "../../team/worktrees.ts";
import { settingsFlags } from "../agent-flags.ts";
import { note } from "../note.ts";
import { closedIn } from "../settings/policy-here.ts";
import { UsageError, type World } from "../world.ts";

/** For a new team. Throws UsageError, with nothing written, if worktrees are not possible. */
export async function newTrees(world: World, { cwd, mark }: { cwd: string; mark: string }): Promise<TreesRecord> {
  const facts = await world.edges.repositoryFacts(cwd);
  if (facts.kind === "unusable") throw new UsageError(`--worktrees cannot be used: ${facts.reason} Nothing was started.`);
  if (!facts.hasIdentity)
    throw new UsageError(
      '--worktrees makes commits, and git has no author for them. Set one: git config user.name "…" and git config user.email "…".',
    );
  const unseen = facts.changed.length + facts.untracked.length;
  if (unseen > 0)
    world.stderr.write(
      `tool: ${unseen} ${unseen === 1 ? "file is" : "files are"} changed or new here, and not committed. Worktrees begin at HEAD, without that.\n`,
    );
  for (const sentence of lackingInCopies(facts)) note(world, sentence);
  return { id: mark, root: facts.root, base: facts.head };
}

/** Absent if the team works in one tree. Without `options` the caller makes no worktree. */
export async function openTrees(
  world: World,
  { worktrees, team, name, cwd, options }: Pick<Launch, "worktrees" | "team" | "name" | "cwd"> & Partial<Pick<Launch, "options">>,
): Promise<TeamTrees | undefined> {
  if (!worktrees) return undefined;
  const { root, id, base } = worktrees;
  const real = await world.edges.realPath();
  return world.edges.teamTrees({
    owner: `team-${team}:${name}`,
    root,
    home: homeOf(worktrees),
    closed: options ? closedIn(world, cwd, settingsFlags(options)) : async () => () => true,
    within: relative(root, await real(cwd)),
    id,
    base,
  });
}

/** The settings of the team's folder as they apply in a worktree. */
export function settingsOfTree(
  settings: LoadedSettings,
  worktrees: TreesRecord,
  { name, cwd }: { name: string; cwd: string },
): LoadedSettings {
  return settingsInWorktree(settings, { top: rootOfTree(worktrees, name), cwd });
}

/** The top of a teammate's worktree. */
export const rootOfTree = (worktrees: TreesRecord, name: string) => join(homeOf(worktrees), name);

/** Beside the person's tree, where each agent of the team writes only in its own worktree. */
export function homeOf({ root, id }: TreesRecord): string {
  return join(dirname(root), `${basename(root)}-team-${id}`);
}
