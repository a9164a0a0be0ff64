// Checks in a sandbox that was just made that its mounts are where they belong. bubblewrap follows links in their paths, and another command
// that runs in the same tree may replace a folder by a link while it does: then a folder outside would be writable, or a cover elsewhere.
import { readFileSync } from "node:fs";
import type { SandboxView } from "../../../agent/ports/mounts.ts";
import { quotedWord } from "../../../wording/shell-word.ts";
import { ifPossible } from "../../system-error.ts";

/**
 * For bash, before anything else: ends it with a message of bubblewrap's kind if one is not in place, such as one of the `folders`, which a command
 * of a session around them may have replaced. `here`: what `mountedHere` says of each. Empty if there is nothing to check.
 */
export function mountCheck({ mounts }: SandboxView, folders: string[], here: string[]): string {
  const below = (path: string, folder: string) => path.startsWith(`${folder}/`);
  const hidden = mounts.filter(({ kind }) => kind === "hidden").map(({ path }) => path);
  const expected = mounts
    .filter(({ path, kind }) => kind !== "scratch" && folders.some((folder) => below(path, folder)))
    .map(({ path, kind }) => [path, kind !== "hidden" && !hidden.some((folder) => below(path, folder)) ? "itself" : "cover"] as const);
  const whole = folders.flatMap((folder, at) =>
    here[at] && mounts.some(({ path }) => path === folder) ? [[folder, here[at]] as const] : [],
  );
  if (expected.length + whole.length === 0) return "";
  const table = [...expected, ...whole].map(([path, what]) => `[${quotedWord(asListed(path))}]=${quotedWord(what)}`).join(" ");
  return `declare -A want=(${table}) have; ${check}`;
}

/** proc(5): mountinfo has the device, the path in its file system, and where it is mounted. A mount of a folder on itself continues the one around it. */
const check = `
set -f; arguments=("$@"); mapfile -t lines </proc/self/mountinfo
for line in "\${lines[@]}"; do
  set -- $line; at=$5
  if [[ \${want[$at]} == itself ]]; then
    around=$at; until [[ \${have[$around]} || $around == / ]]; do around=\${around%/*}; around=\${around:-/}; done
    below=\${at#"$around"}; [[ $around == / ]] && below=$at
    from=\${have[$around]%/}$below; [[ $from == *' ' ]] && from+=/
    [[ "$3 $4" == "$from" ]] && want[$at]=
  elif [[ \${want[$at]} == *:* ]]; then
    [[ "$3 $4" == "\${want[$at]}" ]] && want[$at]=
  elif [[ \${want[$at]} ]]; then want[$at]=; fi
  have[$at]="$3 $4"
done
missing="\${want[*]}"; [[ -z \${missing// } ]] || { echo 'bwrap: the files changed while the sandbox was made' >&2; exit 1; }
set -- "\${arguments[@]}"; `;

const asListed = (path: string) => path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);

type MountPoint = { id: string; parent: string; device: string; root: string; at: string };

/** The device of each folder, and where it is in that: what a mount of the folder on itself is listed with. Empty if that is not known. */
export function mountedHere(folders: string[]): string[] {
  const lines = (ifPossible(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "").split("\n");
  const mounts = lines.flatMap((line): MountPoint[] => {
    const [id, parent, device, root, at] = line.split(" ");
    return id && parent && device && root && at ? [{ id, parent, device, root, at }] : [];
  });
  const top = mounts.find(({ at, parent }) => at === "/" && !mounts.some(({ id }) => id === parent));
  return folders.map((folder) => (top === undefined ? "" : listedFor(asListed(folder), top, mounts)));
}

/** path_resolution(7): from the top on, what is mounted at the next folder of the way. */
function listedFor(path: string, mount: MountPoint, mounts: MountPoint[]): string {
  const next = mounts
    .filter(({ parent, at }) => parent === mount.id && (path === at || at === "/" || path.startsWith(`${at}/`)))
    .toSorted((a, b) => a.at.length - b.at.length)[0];
  if (next) return listedFor(path, next, mounts);
  const way = mount.at === "/" ? path : path.slice(mount.at.length);
  return `${mount.device} ${`${mount.root === "/" ? "" : mount.root}${way === "/" ? "" : way}` || "/"}`;
}
