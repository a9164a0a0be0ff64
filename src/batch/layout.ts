// Where a batch keeps its files, below the program's own folder.
import { join } from "node:path";

export type BatchLayout = {
  folder: string;
  plan: string;
  record: string;
  failures: string;
  claim: string;
  unit(id: string): string;
};

const batchesFolder = (configDir: string) => join(configDir, "batches");

export function batchLayout(configDir: string, id: string): BatchLayout {
  const folder = join(batchesFolder(configDir), id);
  return {
    folder,
    plan: join(folder, "plan.json"),
    record: join(folder, "batch.json"),
    failures: join(folder, "failures.jsonl"),
    claim: join(folder, "claim"),
    unit: (unit) => join(folder, "units", `${unit}.json`),
  };
}
