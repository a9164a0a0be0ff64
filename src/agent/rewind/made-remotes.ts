// The references of other machines that commands have made: no other machine need have what they lead to. Written down for each repository, since a
// later session would take their commits for safe.
import { createHash } from "node:crypto";
import type { References } from "../ports/repository-port.ts";
import { beginningOfLine, jsonLines } from "../session/json-lines.ts";
import type { VersionsDisk } from "./file-versions.ts";

export type MadeRemotes = {
  /** What other machines have: where their references lead, and for those that a command has moved, where they led before. */
  believed(now: References): string[];
  /** A command has moved them from there (ids by name). */
  moved(before: ReadonlyMap<string, string>, now: References): void;
};

/** `before`: where it led when no command had moved it yet. */
type Made = { ref: string; id: string; before?: string | undefined };

/** A longer record is written anew. */
const mostBytes = 1024 * 1024;

/** `folder`: of the records of all repositories. */
export function madeRemotes(disk: VersionsDisk, folder: string): MadeRemotes {
  const fileOf = ({ commonDir }: References) => `${folder}/${createHash("sha256").update(commonDir).digest("hex").slice(0, 32)}.jsonl`;
  return {
    believed(now) {
      const file = fileOf(now);
      const bytes = disk.read(file);
      const made = madeIn(bytes);
      if (bytes && bytes.length > mostBytes) {
        const standing = [...made.values()].filter(({ ref, id }) => now.ids.get(ref) === id);
        disk.replace(file, standing.map((one) => `${JSON.stringify(one)}\n`).join(""));
      }
      return remotesOf(now).flatMap(([ref, id]) => {
        const own = made.get(ref);
        return own?.id === id ? (own.before ?? []) : id;
      });
    },
    moved(before, now) {
      const made = remotesOf(now).flatMap(([ref, id]): Made[] => (before.get(ref) === id ? [] : [{ ref, id, before: before.get(ref) }]));
      if (made.length === 0) return;
      disk.makeFolder(folder);
      const file = fileOf(now);
      disk.append(file, `${beginningOfLine(disk.read(file))}${made.map((one) => `${JSON.stringify(one)}\n`).join("")}`);
    },
  };
}

function madeIn(bytes: Buffer | undefined): Map<string, Made> {
  const made = new Map<string, Made>();
  for (const { ref, id, before } of jsonLines<Made>(bytes?.toString("utf8") ?? "")) {
    const last = made.get(ref);
    made.set(ref, { ref, id, before: last?.id === before ? last?.before : before });
  }
  return made;
}

/** What stands for another reference moves with that one. */
const remotesOf = ({ ids, symbolic }: References) => [...ids].filter(([ref]) => ref.startsWith("refs/remotes/") && !symbolic.has(ref));
