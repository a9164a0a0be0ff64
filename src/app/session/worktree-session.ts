// `tool --worktree [name]`: a session that works apart from the person's tree, in a worktree beside it, with the person's settings. Its record
// is written before git begins, so that `tool changes` knows what is in it.
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { projectName } from "../../agent/session/transcript.ts";
import { lackingInCopies } from "../../batch/preflight.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { errorText } from "../../wording/error-text.ts";
import { type SessionFlags, settingsFlags } from "../agent-flags.ts";
import { holderWords } from "../holder-words.ts";
import { note } from "../note.ts";
import { closedIn } from "../settings/policy-here.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { sessionsHere } from "./open-session.ts";

const recordSchema = z.object({
  name: z.string(),
  folder: z.string(),
  branch: z.string(),
  from: z.string(),
  started_at: z.string(),
  /** Where its session had its hands, if not on this machine. */
  place: z.string().optional(),
  /** Nothing was made in it, so that it was removed; its session may go on in a new one. */
  unused: z.literal(true).optional(),
});
export type SessionWorktree = z.infer<typeof recordSchema>;

/** Where the records of a repository's worktrees are, and the claim of the session that works in one. */
const recordsFolder = (configDir: string, root: string) => `${configDir}/worktrees/${projectName(root)}`;
export const claimOf = (configDir: string, root: string, name: string) => `${recordsFolder(configDir, root)}/${name}.claim`;

/** The oldest first. A record that cannot be read is left out. */
export function sessionWorktrees(disk: Pick<BoardDisk, "list" | "read">, configDir: string, root: string): SessionWorktree[] {
  const folder = recordsFolder(configDir, root);
  const records = disk.list(folder).flatMap((file) => {
    const text = file.endsWith(".json") ? disk.read(join(folder, file))?.toString("utf8") : undefined;
    const parsed = text === undefined ? undefined : recordSchema.safeParse(jsonOf(text));
    return parsed?.success ? [parsed.data] : [];
  });
  return records.toSorted((a, b) => a.started_at.localeCompare(b.started_at));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Run = (world: World) => Promise<ExitCode>;

/** Throws UsageError if no worktree can be made of it. */
export async function repositoryHere({ edges, cwd }: Pick<World, "edges" | "cwd">): Promise<RepositoryHere> {
  const found = await edges.usableRepository(cwd);
  if (found.kind === "unusable") throw new UsageError(found.reason);
  return found;
}

type RepositoryHere = { root: string; head: string };

/** `repository`: where it has been looked at already. */
export type WorktreeFlags = SessionFlags & { repository?: RepositoryHere };

/** What is not in a worktree, nor at a place. */
async function sayLacking(world: World, root: string): Promise<void> {
  for (const sentence of lackingInCopies(await world.edges.lackingFiles(root))) note(world, sentence);
}

/** Runs a session in the worktree of that name, which is made if it is not there; says at the end how its work is taken. */
export async function inWorktree(world: World, { repository, ...flags }: WorktreeFlags, run: Run): Promise<ExitCode> {
  const { root, head } = repository ?? (await repositoryHere(world));
  const [disk, lock] = await Promise.all([world.edges.disk(), world.edges.lock()]);
  const known = sessionWorktrees(disk, world.configDir, root);
  const name = nameOf(world, flags, known);
  const claim = lock.claimForLife(claimOf(world.configDir, root, name));
  if (!claim.ok)
    throw new UsageError(`A session works in the worktree "${name}" already, in ${holderWords(claim.holder)}. Choose another name.`);
  try {
    const [{ cwd, made, settle }] = await Promise.all([openWorktree(world, flags, { root, head, name, known }), sayLacking(world, root)]);
    const copyOf = { root, from: world.cwd, name, ...(made !== undefined && { made }) };
    const code = await settledAfter(() => run({ ...world, cwd, copyOf }), settle);
    const id = `worktree/${name}`;
    const isLeft = sessionWorktrees(disk, world.configDir, root).some((record) => record.name === name && !record.unused);
    world.stderr.write(
      isLeft
        ? `What it made: ${world.command} changes ${id}. To take it into your branch: ${world.command} take ${id}\n`
        : `It made nothing: its worktree ${name} is removed.\n`,
    );
    return code;
  } finally {
    claim.release();
  }
}

async function settledAfter(run: () => Promise<ExitCode>, settle: Opened["settle"]): Promise<ExitCode> {
  try {
    return await run();
  } finally {
    await settle();
  }
}

/** The worktree whose session `--continue` means, if it is newer than those of the folder itself. Says so. */
export async function newestApart(world: World): Promise<string | undefined> {
  const { configDir, cwd, edges } = world;
  const disk = await edges.disk();
  if (disk.list(`${configDir}/worktrees`).length === 0) return undefined;
  const facts = await edges.usableRepository(cwd);
  if (facts.kind === "unusable") return undefined;
  const { root } = facts;
  const places = sessionWorktrees(disk, configDir, root).filter(({ folder, unused }) => unused || disk.list(folder).length > 0);
  const newest = async (where: string) => (await sessionsHere({ ...world, cwd: where }, 1))[0]?.changedAt.getTime() ?? 0;
  const [own, ...apart] = await Promise.all([cwd, ...places.map(({ folder }) => join(folder, relative(root, cwd)))].map(newest));
  const latest = Math.max(...apart);
  const name = latest > (own ?? 0) ? places[apart.indexOf(latest)]?.name : undefined;
  if (name !== undefined) world.stderr.write(`tool: the newest session of this folder is in the worktree ${name}: it goes on there.\n`);
  return name;
}

/** Where the session that continues in the worktree of these flags had its hands; undefined for this machine. */
export async function placeBefore({ edges, cwd, configDir }: World, { worktree }: SessionFlags): Promise<string | undefined> {
  const facts = await edges.usableRepository(cwd);
  if (facts.kind === "unusable") return undefined;
  const known = sessionWorktrees(await edges.disk(), configDir, facts.root);
  return (worktree === true ? known.at(-1) : known.find(({ name }) => name === worktree))?.place;
}

/** Without a name a new one, or that of the newest worktree to continue there. */
function nameOf({ uniqueId, command }: World, { worktree, continue: goesOn, resume }: SessionFlags, known: SessionWorktree[]): string {
  if (worktree === true) return (goesOn || resume ? known.at(-1)?.name : undefined) ?? `w-${uniqueId().slice(0, 4)}`;
  const name = worktree ?? "";
  if (/^\w[\w-]{0,40}$/.test(name)) return name;
  throw new UsageError(
    `"${name}" cannot name a worktree: a name has letters, digits, - and _. Without a name: ${command} "what to do" --worktree`,
  );
}

type Wanted = RepositoryHere & { name: string; known: SessionWorktree[] };

/**
 * `cwd`: the person's folder, in the worktree. `made`: the commit of a new one. `settle`: where the session had its hands elsewhere and nothing
 * came home, the worktree goes. One whose commands ran here may have made files that git ignores.
 */
type Opened = { cwd: string; made?: string; settle(): Promise<void> };

async function openWorktree(world: World, flags: SessionFlags, { root, head, name, known }: Wanted): Promise<Opened> {
  const { edges, cwd, configDir } = world;
  const home = join(dirname(root), `${basename(root)}-agents-sessions`);
  const within = relative(root, cwd);
  const closed = closedIn(world, cwd, settingsFlags(flags));
  const owner = `worktree/${projectName(root)}/${name}`;
  const own = { folder: join(home, name), branches: `sessions/${name}` };
  const trees = await edges.agentWorktrees({ owner, root, home, closed, within, own });
  const earlier = known.find((record) => record.name === name && !record.unused);
  const place = earlier ?? { folder: join(home, name), branch: `tool/sessions/${name}`, from: head };
  const { folder: at, branch, from } = place;
  const startedAt = (await edges.clock()).now().toISOString();
  const record: SessionWorktree = { folder: at, branch, from, name, started_at: startedAt, ...(flags.place && { place: flags.place }) };
  const disk = await edges.disk();
  const folder = recordsFolder(configDir, root);
  disk.makeFolder(folder);
  const write = (now: SessionWorktree) => disk.replace(`${folder}/${name}.json`, `${JSON.stringify(now, null, 1)}\n`);
  write(record);
  const isNew = (await trees.add(place)) === "new";
  return {
    cwd: join(place.folder, within),
    ...(isNew && { made: from }),
    async settle() {
      const kept = flags.place === undefined ? "it may have ignored files" : await trees.removeUnused(place).catch(errorText);
      if (kept === undefined) write({ ...record, unused: true });
    },
  };
}
