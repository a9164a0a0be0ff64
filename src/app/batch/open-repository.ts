// Opens the repository of a batch: its worktrees lie beside it, and what rules hide from agents is not brought into them.
import type { BatchRecord } from "../../batch/batch-record.ts";
import { worktreesFolder } from "../../batch/layout.ts";
import type { Repository } from "../../batch/repository.ts";
import { isSensitiveName } from "../../permissions/paths/places.ts";
import type { World } from "../world.ts";

/** What a killed process of this batch left running or locked is cleared away first: only for who has its claim. */
export function openRepository(world: World, { id, root }: Pick<BatchRecord, "id" | "root">): Promise<Repository> {
  return world.edges.batchRepository({
    env: world.env,
    owner: `batch-${id}`,
    root,
    home: worktreesFolder(root, id),
    ignored: "copy",
    isHidden: (path) => isSensitiveName(path),
  });
}
