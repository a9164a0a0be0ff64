// What a worker is told of files that others have made: at its next turn, once, below what it was told before.
import type { Input } from "../agent/events.ts";
import type { Mail } from "../agent/session.ts";
import type { AgentRecord } from "./record.ts";
import { namesNewFile, newFilesText } from "./worker-prompt.ts";

export type NewFilesOrder = {
  /** The worker that is told. */
  id: string;
  records: () => readonly AgentRecord[];
  /** Whether the file is there now; by its path below the working directory. */
  exists: (path: string) => boolean;
  /** Texts that its conversation has already. */
  told: readonly string[];
};

/** An inbox that holds only such notices. It wakes nobody. */
export function newFilesMail({ id, records, exists, told }: NewFilesOrder): Mail {
  const known = new Set<string>();
  return {
    take(): Input[] {
      const made = records().flatMap(({ id: other, worker }) =>
        worker && other !== id ? worker.newFiles.map((path) => ({ path, component: worker.component })) : [],
      );
      const fresh = made.filter(({ path }) => !known.has(path) && !told.some((text) => namesNewFile(text, path)) && exists(path));
      for (const { path } of fresh) known.add(path);
      if (fresh.length === 0) return [];
      const shown = `  new files: ${fresh.map(({ path }) => path).join(", ")}`;
      return [{ source: { kind: "harness" }, text: newFilesText(fresh), shown }];
    },
    recorded() {}, // which are known follows from the conversation itself
  };
}
