// What `/rewind` has undone in the files of sessions, as change sets: from the contents that it put back to those that it replaced.
import { relative } from "node:path";
import { openFileVersions, type UndoneFile } from "../../agent/rewind/file-versions.ts";
import { projectName } from "../../agent/session/transcript.ts";
import type { ChangeSet } from "../../changes/change-set.ts";
import type { ChangesRepository, MadeFile } from "../../changes/repository.ts";
import { duration } from "../../wording/figures.ts";
import type { World } from "../world.ts";

/** Of each session the newest rewind, as long as the contents are kept. */
export async function rewindSets({ configDir, edges }: World, git: Pick<ChangesRepository, "root" | "made">): Promise<ChangeSet[]> {
  const [disk, clock] = await Promise.all([edges.disk(), edges.clock()]);
  const projects = `${configDir}/projects`;
  const beginning = projectName(git.root).slice(0, 100); // sessions of its folders as well; a long name is cut
  const folders = disk.list(projects).flatMap((project) => {
    if (!project.startsWith(beginning)) return [];
    return disk.list(`${projects}/${project}`).map((session) => ({ session, folder: `${projects}/${project}/${session}/versions` }));
  });
  const sets = folders.map(async ({ session, folder }): Promise<ChangeSet[]> => {
    if (disk.size(`${folder}/changes.jsonl`) === undefined) return [];
    const versions = openFileVersions(disk, folder);
    const newest = versions.undone();
    const files = newest && filesBelow(git.root, newest.files, versions.content);
    const made = files && files.length > 0 ? await git.made(files) : undefined;
    if (!newest || !made) return [];
    const id = rewindId(session);
    const what = `undone by /rewind ${duration(Math.max(0, clock.now().getTime() - Date.parse(newest.at)))} ago`;
    return [{ id, what, by: "", evidence: { words: "", failed: false }, atWork: false, content: { kind: "range", ...made, whole: id } }];
  });
  return (await Promise.all(sets)).flat();
}

export const rewindId = (session: string) => `rewind/${session.slice(0, 8)}`;

/** Undefined if a content is not kept any more. */
function filesBelow(root: string, files: readonly UndoneFile[], content: (digest: string) => Buffer | undefined): MadeFile[] | undefined {
  const made: MadeFile[] = [];
  for (const { path, from, to } of files) {
    const place = relative(root, path);
    if (place.startsWith("..") || place === "") continue;
    const [before, after] = [to, from].map((digest) => (digest === null ? null : content(digest)));
    if (before === undefined || after === undefined) return undefined;
    made.push({ path: place, before, after });
  }
  return made;
}
