// Writes a settings file that a person changes by a command, and keeps the project trusted if they trust it.
import { basename, dirname, join } from "node:path";
import type { BoardDisk } from "../../board/disk.ts";
import { loadSettings, localRulesFile, projectRoot } from "../../settings/files.ts";
import { keepOutOfGit, localSettings, removeEmptySettings } from "../../settings/local-ignore.ts";
import { powerFiles, recordTrust } from "../../settings/trust.ts";
import type { World } from "../world.ts";
import { settingsPlaces } from "./open-settings.ts";

/** Whose file it is: yours in all projects, everybody's in this project, or yours in this project. */
export type OwnScope = "user" | "project" | "local";

export function settingsFiles(
  { cwd, configDir }: Pick<World, "cwd" | "configDir">,
  disk: Pick<BoardDisk, "size">,
): Record<OwnScope, string> {
  const root = projectRoot(disk, cwd);
  return {
    user: join(configDir, "settings.json"),
    project: join(root, ".tool/settings.json"),
    local: localRulesFile({ root, configDir }),
  };
}

/**
 * Settings of a repository that set nothing any more are removed. Returns false if settings from others wait for trust: then the change waits too.
 */
export async function writeSettings(world: World, { file, text }: { file: string; text: string }): Promise<boolean> {
  const isOwn = dirname(file) === world.configDir;
  return trusted(world, file, (disk) => {
    if (!isOwn && Object.keys(JSON.parse(text)).length === 0) return removeEmptySettings(disk, file);
    disk.makeFolder(dirname(file), { shared: !isOwn });
    if (basename(file) === localSettings) keepOutOfGit(disk, file);
    // A person's own settings may be a link to where they keep such files; a repository's link might lead anywhere.
    // Rules that are only yours stay readable by you alone.
    disk.replace(file, text, { throughLink: isOwn, shared: !isOwn && basename(file) !== localSettings });
  });
}

/** The same for a file of another kind, such as instructions. */
export async function writeText(world: World, { file, text }: { file: string; text: string }): Promise<boolean> {
  return trusted(world, file, (disk) => {
    const isOwn = file.startsWith(`${world.configDir}/`);
    disk.makeFolder(dirname(file), { shared: !isOwn });
    disk.replace(file, text, { throughLink: isOwn, shared: !isOwn });
  });
}

/** Keeps the project trusted if a person who trusts it changes what it brings, and also if this is the first that it brings. */
async function trusted(world: World, file: string, write: (disk: BoardDisk) => void): Promise<boolean> {
  const [disk, clock] = await Promise.all([world.edges.disk(), world.edges.clock()]);
  const before = loadSettings(disk, settingsPlaces(world));
  const isTrusted =
    before.ok &&
    (before.trust.state === "trusted" || powerFiles(disk, { root: before.root, configDir: world.configDir }).files.length === 0);
  write(disk);
  const after = loadSettings(disk, settingsPlaces(world));
  if (!after.ok || after.trust.state === "trusted" || !file.startsWith(`${after.root}/`)) return true;
  if (!isTrusted || after.hash === undefined) return false;
  recordTrust(disk, { configDir: world.configDir, root: after.root, hash: after.hash, at: clock.now() });
  return true;
}
