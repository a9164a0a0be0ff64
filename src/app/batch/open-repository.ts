// Opens the repository of a batch. Worktrees are beside it, and files that rules hide from agents are not copied into them.
import { join } from "node:path";
import type { BatchRecord } from "../../batch/batch-record.ts";
import { worktreesFolder } from "../../batch/layout.ts";
import type { Repository } from "../../batch/repository.ts";
import { within } from "../../permissions/paths/places.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { openSettings } from "../settings/open-settings.ts";
import { closedIn } from "../settings/policy-here.ts";
import type { World } from "../world.ts";

/** Cleans up what a killed process of this batch left running or locked; the caller must hold the batch's claim. */
export async function openRepository(
  world: World,
  { id, root, started_in: startedIn = root, flags }: Pick<BatchRecord, "id" | "root" | "started_in" | "flags">,
): Promise<Repository> {
  const settings = await openSettings({ ...world, cwd: startedIn }, settingsFlags(flags as AgentFlags));
  return world.edges.batchRepository({
    env: world.env,
    forges: settings.effective.forges,
    owner: `batch-${id}`,
    root,
    home: worktreesFolder(root, id),
    ignored: ignoredFilesMode(root, settings.effective.worktrees?.ignoredFiles),
    closed: closedIn(world, startedIn, settingsFlags(flags as AgentFlags)),
  });
}

/** Sandboxed commands have their own /tmp, so a link into the person's /tmp would be broken. */
export const ignoredFilesMode = (root: string, wanted: "copy" | "link" = "copy"): "copy" | "link" =>
  within("/tmp", root) ? "copy" : wanted;

/**
 * Whether the units' agents see nothing of the person's tree: nothing that a unit needs is there, neither the target of a link nor a hook. A rule
 * about a file then cannot be got around by a program that opens it there.
 */
export async function isApart(world: World, batch: Pick<BatchRecord, "root" | "started_in" | "flags" | "commit_hooks">): Promise<boolean> {
  const { root, started_in: startedIn = root, flags, commit_hooks: hooks } = batch;
  const settings = await openSettings({ ...world, cwd: startedIn }, settingsFlags(flags as AgentFlags));
  const isHookThere = hooks !== undefined && within(root, hooks.folder) && !within(join(root, ".git"), hooks.folder);
  return ignoredFilesMode(root, settings.effective.worktrees?.ignoredFiles) === "copy" && !isHookThere;
}
