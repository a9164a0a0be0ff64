// What the program keeps of takes, for each repository: the one that is under way, and the trees that were taken.
import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import type { TakingStore } from "../../changes/take.ts";
import { takingSchema } from "../../changes/taking.ts";
import { UsageError } from "../world.ts";

export type TakesStore = TakingStore & { taken(): ReadonlyMap<string, string>; claim: string };

const takenSchema = z.record(z.string(), z.string());

/** Reading throws UsageError for a damaged file, which is kept. */
export function openStore(disk: BoardDisk, folder: string): TakesStore {
  const [current, taken] = [`${folder}/take.json`, `${folder}/taken.json`];
  const write = (path: string, value: unknown) => {
    disk.makeFolder(folder);
    disk.replace(path, `${JSON.stringify(value, null, 1)}\n`);
  };
  const trees = () => read(disk, taken, takenSchema) ?? {};
  return {
    claim: `${folder}/claim`,
    read: () => read(disk, current, takingSchema),
    write: (taking) => write(current, taking),
    clear: () => disk.remove(current),
    taken: () => new Map(Object.entries(trees())),
    remember: (more) => write(taken, { ...trees(), ...more }),
  };
}

function read<T>(disk: Pick<BoardDisk, "read">, path: string, schema: z.ZodType<T>): T | undefined {
  const text = disk.read(path)?.toString("utf8");
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`Cannot read ${path}: it is damaged. It says what a take has done so far; move it away to begin anew.`);
  }
}
