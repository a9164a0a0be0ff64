// Checks in a sandbox that was just made that its mounts are where they belong. bubblewrap follows links in their paths, and another command
// that runs in the same tree may replace a folder by a link while it does: then a folder outside would be writable, or a cover elsewhere.
import type { SandboxView } from "../../../agent/ports/mounts.ts";
import { quotedWord } from "../../../wording/shell-word.ts";

/** For bash, before anything else: ends it with a message of bubblewrap's kind if one is not in place. Empty if no mount is below `folders`. */
export function mountCheck({ mounts }: SandboxView, folders: string[]): string {
  const below = (path: string, folder: string) => path.startsWith(`${folder}/`);
  const hidden = mounts.filter(({ kind }) => kind === "hidden").map(({ path }) => path);
  const expected = mounts
    .filter(({ path, kind }) => kind !== "scratch" && folders.some((folder) => below(path, folder)))
    .map(({ path, kind }) => ({ path: asListed(path), isItself: kind !== "hidden" && !hidden.some((folder) => below(path, folder)) }));
  if (expected.length === 0) return "";
  const table = expected.map(({ path, isItself }) => `[${quotedWord(path)}]=${isItself ? "itself" : "cover"}`).join(" ");
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
  elif [[ \${want[$at]} ]]; then want[$at]=; fi
  have[$at]="$3 $4"
done
missing="\${want[*]}"; [[ -z \${missing// } ]] || { echo 'bwrap: the files changed while the sandbox was made' >&2; exit 1; }
set -- "\${arguments[@]}"; `;

const asListed = (path: string) => path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);
