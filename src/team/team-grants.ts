// What the person has granted to a whole team: one file in the team's folder, which every member reads before each call. Only what runs
// for the person writes it: the lead's screen and the person's own commands. No agent can, since the folder is this program's own.
import { z } from "zod";
import type { BoardDisk, Lock } from "../board/disk.ts";
import type { TeamLayout } from "../board/layout.ts";
import { everythingInside } from "../permissions/grants.ts";
import type { Answer } from "../permissions/question.ts";

/** `rule` as it is shown, or `everythingInside`. */
export type KeptGrant = { rule: string; since: string };

export type TeamGrants = {
  /** Those that hold now; none where the file cannot be read. */
  list(): KeptGrant[];
  /** Writes down what the answer grants the team; nothing, when it is about less. Throws where the file is damaged or cannot be written. */
  keep(answer: Answer): Promise<void>;
  /** False when there is no such grant. */
  withdraw(rule: string): Promise<boolean>;
};

export type TeamGrantsPorts = { disk: Pick<BoardDisk, "read" | "replace">; lock: Pick<Lock, "withLock">; now(): Date };

const schema = z.object({ version: z.literal(1), grants: z.array(z.object({ rule: z.string(), since: z.string() })) });

export function teamGrants({ disk, lock, now }: TeamGrantsPorts, { grants: path, grantsLock }: TeamLayout): TeamGrants {
  const read = (): KeptGrant[] => {
    const bytes = disk.read(path);
    if (!bytes) return [];
    try {
      return schema.parse(JSON.parse(bytes.toString("utf8"))).grants;
    } catch {
      throw new Error(`Cannot read what the team was granted: ${path} is damaged. Remove it, and grant again what the team needs`);
    }
  };
  const change = (edit: (before: KeptGrant[]) => KeptGrant[]): Promise<boolean> =>
    lock.withLock(grantsLock, () => {
      const before = read();
      const grants = edit(before);
      if (grants.length !== before.length) disk.replace(path, `${JSON.stringify({ version: 1, grants }, null, 2)}\n`);
      return grants.length !== before.length;
    });
  return {
    list() {
      try {
        return read();
      } catch {
        return []; // damaged: nobody is granted anything by it, and the next answer says so
      }
    },
    async keep(answer) {
      const rules = grantedTo(answer);
      const since = now().toISOString();
      const isNew = (before: KeptGrant[], rule: string) => !before.some((one) => one.rule === rule);
      if (rules.length === 0) return;
      await change((before) => [...before, ...rules.filter((rule) => isNew(before, rule)).map((rule) => ({ rule, since }))]);
    },
    withdraw: (rule) => change((before) => before.filter((one) => one.rule !== rule)),
  };
}

function grantedTo(answer: Answer): string[] {
  if (answer.kind === "team") return answer.rules;
  return answer.kind === "sandbox" && answer.for === "team" ? [everythingInside] : [];
}
