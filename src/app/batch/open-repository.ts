// Opens the repository of a batch: its worktrees lie beside it, and what rules hide from agents is not brought into them.
import type { BatchRecord } from "../../batch/batch-record.ts";
import { worktreesFolder } from "../../batch/layout.ts";
import type { Repository } from "../../batch/repository.ts";
import { hiddenPlaces } from "../../permissions/paths/hidden-history.ts";
import { isSensitiveName, within } from "../../permissions/paths/places.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { openSettings } from "../open-settings.ts";
import { policyHere } from "../policy-here.ts";
import type { World } from "../world.ts";

/** What a killed process of this batch left running or locked is cleared away first: only for who has its claim. */
export async function openRepository(world: World, { id, root, flags }: Pick<BatchRecord, "id" | "root" | "flags">): Promise<Repository> {
  const there = { ...world, cwd: root };
  const settings = await openSettings(there, settingsFlags(flags as AgentFlags));
  const hides = hiddenPlaces((await policyHere(there, settings)).policy);
  return world.edges.batchRepository({
    env: world.env,
    owner: `batch-${id}`,
    root,
    home: worktreesFolder(root, id),
    ignored: broughtHow(root, settings.effective.worktrees?.ignoredFiles),
    isHidden: (path, kind) => isSensitiveName(path) || hides(path, kind),
  });
}

/** Commands in the sandbox have a /tmp of their own: a link into the person's leads nowhere there. */
export const broughtHow = (root: string, wanted: "copy" | "link" = "copy"): "copy" | "link" => (within("/tmp", root) ? "copy" : wanted);
