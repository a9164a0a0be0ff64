// What the person has granted to a whole team: one file in the team's folder, which every member reads before each call. Only what runs
// for the person writes it: the lead's screen and the person's own commands. No agent can, since the folder is this program's own.
import { z } from "zod";
import type { BoardDisk, Lock } from "../board/disk.ts";
import type { TeamLayout } from "../board/layout.ts";
import { everythingInside } from "../permissions/grants.ts";
import type { Answer } from "../permissions/questions/question.ts";

/** `rule` as it is shown, or `everythingInside`. */
export type KeptGrant = { rule: string; since: string };

export type TeamGrants = {
  /** The current grants; none if the file cannot be read. */
  list(): KeptGrant[];
  /** Writes what the answer grants to the whole team, if anything. Throws if the file is damaged or cannot be written. */
  keep(answer: Answer): Promise<void>;
  /** False when there is no such grant. */
  withdraw(rule: string): Promise<boolean>;
  /** The rights of changed settings that the user has accepted, one right a line. */
  accepted: { list(): string[]; add(lines: string[]): Promise<void> };
};

export type TeamGrantsPorts = { disk: Pick<BoardDisk, "read" | "replace">; lock: Pick<Lock, "withLock">; now(): Date };

const schema = z.object({
  version: z.literal(1),
  grants: z.array(z.object({ rule: z.string(), since: z.string() })),
  accepted: z.array(z.string()).optional(),
});
type Kept = z.infer<typeof schema>;

export function teamGrants({ disk, lock, now }: TeamGrantsPorts, { grants: path, grantsLock }: TeamLayout): TeamGrants {
  const read = (): Kept => {
    const bytes = disk.read(path);
    if (!bytes) return { version: 1, grants: [] };
    try {
      return schema.parse(JSON.parse(bytes.toString("utf8")));
    } catch {
      throw new Error(`Cannot read what the team was granted: ${path} is damaged. Remove it, and grant again what the team needs`);
    }
  };
  /** Damaged: nobody is granted anything by it, and the next answer says so. */
  const readable = (): Kept => {
    try {
      return read();
    } catch {
      return { version: 1, grants: [] };
    }
  };
  const edit = (change: (before: Kept) => Kept): Promise<boolean> =>
    lock.withLock(grantsLock, () => {
      const before = read();
      const after = change(before);
      const isChanged = JSON.stringify(after) !== JSON.stringify(before);
      if (isChanged) disk.replace(path, `${JSON.stringify(after, null, 2)}\n`);
      return isChanged;
    });
  const change = (grants: (before: KeptGrant[]) => KeptGrant[]) => edit((before) => ({ ...before, grants: grants(before.grants) }));
  return {
    list: () => readable().grants,
    accepted: {
      list: () => readable().accepted ?? [],
      async add(lines) {
        await edit((before) => ({ ...before, accepted: [...new Set([...(before.accepted ?? []), ...lines])] }));
      },
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

/** The rules that an answer gives to the whole team. */
export function grantedTo(answer: Answer): string[] {
  if (answer.kind === "team") return answer.rules;
  return answer.kind === "sandbox" && answer.for === "team" ? [everythingInside] : [];
}
