// `tool take`: one at a time in a repository, for the person.
import { isAbsolute, join, relative } from "node:path";
import { paths as pathsOf, type Seen } from "../../changes/change-set.ts";
import type { ChangesRepository } from "../../changes/repository.ts";
import { abortTake, continueTake, recover, stopped, type TakeEnd, take } from "../../changes/take.ts";
import type { TakeMode } from "../../changes/taking.ts";
import { nearNames } from "../../wording/near-names.ts";
import { holderWords } from "../holder-words.ts";
import { errorLine } from "../print/error-line.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { type Changes, lookAt, openChanges } from "./open-changes.ts";
import { takeLines } from "./take-lines.ts";

export type TakeFlags = { as?: TakeMode; continue?: boolean; abort?: boolean; json?: boolean };

/** `paths`: as typed, from the working directory. */
export type TakeRequest = { ids: string[]; paths: string[]; flags: TakeFlags };

export async function takeChanges(world: World, request: TakeRequest): Promise<ExitCode> {
  const { ids, flags } = request;
  if (flags.continue && flags.abort) throw new UsageError("Choose one of --continue and --abort.");
  if (ids.length === 0 && !flags.continue && !flags.abort)
    throw new UsageError(`Which changes? Name their ids. To list them: ${world.command} changes`);
  const changes = await openChanges(world);
  const lock = await world.edges.lock();
  const claim = lock.claimForLife(changes.store.claim);
  if (!claim.ok)
    throw new UsageError(
      `Another take is under way in ${changes.git.root}, in ${holderWords(claim.holder)}. Wait for its end and try again.`,
    );
  try {
    return report(world, changes, { end: await ended(world, changes, request), json: flags.json });
  } finally {
    claim.release();
  }
}

async function ended(world: World, changes: Changes, { ids, paths, flags }: TakeRequest): Promise<TakeEnd> {
  if (flags.continue) return continueTake(changes);
  if (flags.abort) return abortTake(changes);
  const facts = await world.edges.repositoryFacts(world.cwd);
  if (facts.kind === "usable" && facts.underWay)
    throw new UsageError(
      `A ${facts.underWay} is not finished here. Finish it (git ${facts.underWay} --continue or --abort), and take it then.`,
    );
  const recovered = await recover(changes);
  if (recovered?.kind === "taken") world.stderr.write(`tool: a take that was interrupted is finished: ${recovered.ids.join(", ")}.\n`);
  if (recovered?.kind === "refused") return recovered;
  const waiting = changes.store.read();
  if (waiting) {
    world.stderr.write(`tool: ${ids.join(", ")} was not taken: an earlier take waits for you here.\n`);
    return stopped(waiting);
  }
  const seen = await lookAt(changes, ids);
  for (const { set } of seen.filter(({ set: { atWork } }) => atWork))
    world.stderr.write(`tool: ${set.id} is still at work: you get what it has now.\n`);
  return take(changes, { seen, as: flags.as ?? "merge", paths: fromRoot(world, changes.git, { seen, paths }) });
}

/** Throws UsageError for a path that none of the sets changes. */
function fromRoot({ cwd }: World, { root }: Pick<ChangesRepository, "root">, { seen, paths }: { seen: Seen[]; paths: string[] }): string[] {
  const changed = [...new Set(seen.flatMap(pathsOf))];
  return paths.map((path) => {
    const below = relative(root, isAbsolute(path) ? path : join(cwd, path));
    if (changed.some((each) => each === below || each.startsWith(`${below}/`))) return below;
    const near = nearNames(below, changed);
    throw new UsageError(
      `${seen.map(({ set }) => set.id).join(", ")} has no changes in ${path}. ${near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `It changes ${changed.slice(0, 5).join(", ")}.`}`,
    );
  });
}

function report(world: World, { git, sets }: Changes, { end, json }: { end: TakeEnd; json: boolean | undefined }): ExitCode {
  const lines = takeLines(end, { world, root: git.root, sets });
  const code = end.kind === "taken" || end.kind === "undone" ? 0 : 1;
  if (json) world.stdout.write(`${JSON.stringify(jsonOf(end, lines))}\n`);
  else if (end.kind === "refused") world.stderr.write(errorLine(lines.join("\n")));
  else world.stdout.write(`${lines.join("\n")}\n`);
  return code;
}

function jsonOf(end: TakeEnd, lines: string[]): Record<string, unknown> {
  const about = { kind: end.kind, text: lines };
  switch (end.kind) {
    case "taken":
      return { ok: true, ...about, taken: end.ids, nothing_new: end.nothing, from: end.taking.start };
    case "conflict":
      return { ok: false, ...about, id: end.id, files: end.files, taken: end.done, still_to_come: end.rest };
    case "undone":
      return { ok: true, ...about, at: end.start };
    case "refused":
      return { ok: false, ...about, error: end.reason };
  }
}
