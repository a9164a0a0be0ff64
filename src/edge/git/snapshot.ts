// What a working tree holds as a commit of no branch, packed for another repository: several steps of git in one process of the sandbox.
import { textOf } from "./changes/objects.ts";
import { gitFault, type OwnGit } from "./own-git.ts";
import { repositoriesInside, withIndexCopy } from "./staging.ts";

/** `there`: those of the commits that the other side has which are here too. `pack`: what it lacks; undefined if it lacks nothing. */
export type Packed = { commit: string; there: string[]; pack?: Buffer };

/** Everything that git does not ignore. `has`: ids of commits. Throws with a sentence that says what failed. */
export async function packedTree(git: OwnGit, folder: string, has: readonly string[]): Promise<Packed> {
  const made = await withIndexCopy(git, folder, async ({ own, mayHaveLinks }) => {
    const inside = await repositoriesInside(git, folder, { own, mayHaveLinks });
    if (!inside.ok) return inside;
    const { around, changes } = inside.value;
    const args = ["HEAD", changes === "" ? "tree" : "tree with links", ...has, "--", ...around];
    const end = await own(args, { script, input: changes, binary: true });
    return end.code === 0 ? { ok: true, value: packedIn(end.stdout) } : { ok: false, reason: gitFault(end) };
  });
  if (!made.ok) throw new Error(`Cannot look at the files of ${folder}: ${made.reason}`);
  if (made.value.commit === "") throw new Error(`Cannot send ${folder}: it has no commit yet`);
  return made.value;
}

/** A commit that is there. Throws with a sentence that says what failed. */
export async function packedCommit(
  git: OwnGit,
  folder: string,
  { commit, has }: { commit: string; has: readonly string[] },
): Promise<Packed> {
  const end = await git(folder, [commit, "commit", ...has, "--"], { script, binary: true });
  if (end.code !== 0) throw new Error(`Cannot pack the commit ${commit} of ${folder}: ${gitFault(end)}`);
  return packedIn(end.stdout);
}

/**
 * Arguments: a name of the commit to begin from, what to pack, ids, and after `--` what to stage. It prints the commit, a line with those of the
 * ids that are here, and the pack. Without history between two snapshots, git looks at what the earlier one holds only if told to, with
 * `--shallow`; of many commits that would take long.
 */
const script = `set -ef
name=$1 what=$2
shift 2
names=
while [ "$1" != -- ]; do
  names="$names$1^{commit}
"
  shift
done
[ "$what" = commit ] || git add --all "$@"
[ "$what" != 'tree with links' ] || git update-index -z --index-info
[ "$what" = commit ] || tree=$(git write-tree)
found=$(printf '%s^{commit}\\n%s^{tree}\\n%s' "$name" "$name" "$names" | git cat-file --batch-check='%(objectname)')
IFS='
'
set -- $found
commit=$1 before=$2 there=
shift 2
case $commit in *' missing') exit 0 ;; esac
for each; do
  case $each in *' missing') ;; *) there="$there$each
" ;; esac
done
[ "\${tree-$before}" = "$before" ] || commit=$(printf '${textOf({ tree: "%s", parents: ["%s"] })}' "$tree" "$commit" | git hash-object -t commit -w --stdin)
echo "$commit"
set -- $there
printf '%s ' "$@"
echo
for each; do [ "$each" != "$commit" ] || exit 0; done
[ $# != 1 ] || shallow=--shallow
{
  echo "$commit"
  for each; do echo "^$each"; done
} | git pack-objects --quiet --revs --thin $shallow --delta-base-offset --stdout
`;

function packedIn(stdout: string): Packed {
  const [commit = "", there = ""] = stdout.split("\n", 2);
  const pack = Buffer.from(stdout.slice(commit.length + there.length + 2), "latin1");
  const isEmpty = pack.length === 0 || pack.readUInt32BE(objectsAt) === 0;
  return { commit, there: there.split(" ").filter(Boolean), ...(!isEmpty && { pack }) };
}

/** Where a pack has the number of its objects. */
const objectsAt = 8;
