// The settings of a repository as data, and the stand-in that is made of them: once for each state of its settings files.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../wording/error-text.ts";
import { ownConfig, type Setting } from "./own-settings.ts";
import type { RepositoryPlace } from "./places.ts";
import { standInFor } from "./stand-in.ts";
import { readUntrusted } from "./untrusted-file.ts";

/** Takes the text of a settings file apart. */
export type ReadSettings = (text: Buffer) => Promise<{ ok: true; settings: Setting[] } | { ok: false; why: string }>;

const most = 1024 * 1024;

/** Its own and the worktree's, which counts after it. */
export const settingsFilesOf = ({ gitDir, commonDir }: RepositoryPlace): string[] => [
  join(commonDir, "config"),
  join(gitDir, "config.worktree"),
];

/** The one ends before the other begins, also behind a backslash. Throws nothing: what is not a plain file is left out by places.ts already. */
function textOf(place: RepositoryPlace): Buffer {
  const files = settingsFilesOf(place).map((path) => readUntrusted(path, { most }));
  return Buffer.concat(files.flatMap((file) => (file.kind === "read" ? [file.bytes, Buffer.from("\n\n")] : [])));
}

/** Undefined if git cannot read them. */
export async function settingsOf(place: RepositoryPlace, read: ReadSettings): Promise<readonly Setting[] | undefined> {
  const found = await read(textOf(place));
  return found.ok ? found.settings : undefined;
}

const prepared = new Map<string, { mark: string; folder: string }>();

/** The folder of a stand-in that has the present settings. */
export async function preparedStandIn(
  place: RepositoryPlace,
  read: ReadSettings,
): Promise<{ ok: true; folder: string } | { ok: false; why: string }> {
  const mark = markOf(place);
  const known = prepared.get(place.gitDir);
  if (known?.mark === mark) return { ok: true, folder: known.folder };
  try {
    const standIn = standInFor(place);
    const text = textOf(place);
    if (standIn.madeFrom(text) === undefined) {
      // A new worktree has the settings of its repository, whose stand-in is there: one process of git less.
      const main = standInFor({ ...place, gitDir: place.commonDir }).madeFrom(text);
      const found = main === undefined ? await read(text) : undefined;
      if (found?.ok === false) return { ok: false, why: `the settings of ${place.top} cannot be read: ${found.why}` };
      standIn.fill(main ?? ownConfig(found?.settings ?? []), text);
    }
    prepared.set(place.gitDir, { mark, folder: standIn.folder });
    return { ok: true, folder: standIn.folder };
  } catch (error) {
    return { ok: false, why: `git's settings for ${place.top} cannot be written: ${errorText(error)}` };
  }
}

function markOf(place: RepositoryPlace): string {
  return settingsFilesOf(place)
    .map((path) => {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : "none";
    })
    .join(" ");
}
