// The paths of a batch: its files in the program's own folder, and its worktrees beside the repository, because agents never write in our folder.
import { basename, dirname, join } from "node:path";

export type BatchLayout = {
  folder: string;
  plan: string;
  record: string;
  failures: string;
  claim: string;
  units: string;
  unit(id: string): string;
};

export const batchesFolder = (configDir: string) => join(configDir, "batches");

export function batchLayout(configDir: string, id: string): BatchLayout {
  const folder = join(batchesFolder(configDir), id);
  const units = join(folder, "units");
  return {
    folder,
    plan: join(folder, "plan.json"),
    record: join(folder, "batch.json"),
    failures: join(folder, "failures.jsonl"),
    claim: join(folder, "claim"),
    units,
    unit: (unit) => join(units, `${unit}.json`),
  };
}

/** The folder with a batch's worktrees, such as `../app-batch-7f3a`. */
export function worktreesFolder(root: string, id: string): string {
  return join(dirname(root), `${basename(root)}-batch-${id}`);
}
