// Which of the files that a command would take away can be had again, so that nothing is lost with them.

import { effectsOf } from "../shell/uses/marks.ts";
import type { At, LocatedCall } from "./call.ts";
import { containedBy } from "./contained.ts";
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Whether nothing is there, or git has it as it is, by absolute path; links are not followed. */
export type KeptByGit = (path: string) => Promise<boolean>;

/** The same call, with what was found out; it is looked for only where the answer counts. */
export async function withKept(call: LocatedCall, policy: Policy, keptByGit: KeptByGit | undefined): Promise<LocatedCall> {
  const { subject } = call;
  if (!keptByGit || subject.kind !== "command" || !containedBy(policy)) return call;
  const { commands } = subject.analysis;
  const losing = commands.filter((command) => effectsOf(command).has("loses its files"));
  const named = new Set(losing.flatMap(({ files }) => files.flatMap(({ path, pattern }) => (path === undefined || pattern ? [] : [path]))));
  const kept = new Set<string>();
  for (const path of named) {
    const at = subject.files.get(path);
    if (at && (isOfSession(at, policy) || ((await keptByGit(at.real)) && (await keptByGit(at.written))))) kept.add(path);
  }
  return { ...call, subject: { ...subject, kept } };
}

/** In the sandbox that folder begins empty, and nobody but this session sees it. */
function isOfSession({ real, written }: At, { cwd, directories }: Policy): boolean {
  const isScratch = (path: string) =>
    path !== "/tmp" && within("/tmp", path) && ![cwd, ...directories].some((folder) => within(folder, path) || within(path, folder));
  return isScratch(real) && isScratch(written);
}
