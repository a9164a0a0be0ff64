// What has changed in the working tree while a team was away, for who held a task there.
import { join, resolve } from "node:path";
import type { BoardDisk } from "../../board/disk.ts";

export type TreePorts = {
  disk: Pick<BoardDisk, "read" | "changedAt">;
  /** Files below the working directory that rules let the agent see. */
  paths: () => Promise<string[]>;
};

/** `git`: what moved the branch or its tip, oldest first. */
export type ChangedMeanwhile = { files: string[]; gone: string[]; git: string[] };

/** `own`: files that the task has written. Undefined when nothing has changed. */
export async function changedMeanwhile(
  { disk, paths }: TreePorts,
  { cwd, since, own }: { cwd: string; since: string; own: string[] },
): Promise<ChangedMeanwhile | undefined> {
  const changedAfter = (path: string) => (disk.changedAt(join(cwd, path))?.getTime() ?? 0) > Date.parse(since);
  const files = (await paths()).filter(changedAfter);
  const gone = own.filter((path) => disk.changedAt(join(cwd, path)) === undefined);
  const git = movesOfHead(disk, cwd).flatMap(({ at, what }) => (at > Date.parse(since) ? what : []));
  return files.length + gone.length + git.length > 0 ? { files, gone, git } : undefined;
}

/** From the log that git keeps itself: no program of the repository is started for it. */
function movesOfHead(disk: TreePorts["disk"], cwd: string): { at: number; what: string }[] {
  const folder = gitFolder(disk, cwd);
  const log = folder && disk.changedAt(`${folder}/logs/HEAD`) && disk.read(`${folder}/logs/HEAD`);
  return (log ? log.toString("utf8") : "").split("\n").flatMap((line) => {
    const [, seconds, what] = / (\d+) [+-]\d{4}\t(.*)$/.exec(line) ?? [];
    return seconds && what ? { at: Number(seconds) * 1000, what } : [];
  });
}

/** Of a worktree, `.git` is a file that names it. */
function gitFolder(disk: TreePorts["disk"], cwd: string): string | undefined {
  for (let folder = cwd; ; folder = join(folder, "..")) {
    const git = join(folder, ".git");
    if (disk.changedAt(git)) {
      const named = /^gitdir: (.*)$/m.exec(textOf(disk, git))?.[1];
      return named === undefined ? git : resolve(folder, named);
    }
    if (folder === "/") return undefined;
  }
}

function textOf(disk: TreePorts["disk"], path: string): string {
  try {
    return disk.read(path)?.toString("utf8") ?? "";
  } catch {
    return ""; // a folder, as it is outside worktrees
  }
}
