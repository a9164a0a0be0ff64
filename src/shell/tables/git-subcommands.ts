// Git subcommands. A wildcard rule covers the ones that people use, except for the dangerous options listed beside them. Any other
// subcommand (git's plumbing, aliases, extensions) needs an exact rule. Source: the manual page of each on https://git-scm.com/docs.
import { type HazardEntry, runs, runsOrWrites, subcommandRows } from "./hazard-entry.ts";

/** Subcommands that change nothing, with any operands. */
export const lookingInGit = words(
  "status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep merge-base name-rev for-each-ref",
  "show-ref show-branch count-objects check-ignore check-attr diff-tree diff-index diff-files cherry range-diff whatchanged version",
);

/** Subcommands that a wildcard covers, except for the uses listed below. */
export const coveredInGit = new Set([
  ...lookingInGit,
  ...words(
    "add apply archive bisect branch check-mailmap checkout cherry-pick clean clone commit config fetch format-patch fsck gc help init",
    "ls-remote merge mv notes pull push rebase reflog remote reset restore revert rm sparse-checkout stash submodule switch symbolic-ref tag",
    "var worktree",
  ),
]);

/** Dangerous options shared by the subcommands. */
const common = "!--text --output --ext-diff --textconv --show-signature --upload-pack --receive-pack --exec --strategy --gpg-sign";

const further: HazardEntry[] = [
  ["grep", "-O --open-files-in-pager --no-index", runs],
  ["diff", "--no-index -O", runsOrWrites],
  ["format-patch", "-o --output-directory --signature-file", "writes a file that its options name"],
  ["blame annotate", "--contents -S", "reads another file"],
  ["cat-file", "--filters --batch-command", runs],
  ["archive", "-o --remote", runsOrWrites],
  ["clone", "-u -c --config --template --recurse-submodules --recursive --separate-git-dir --reference -o --bundle-uri", runs],
  ["fetch", "--recurse-submodules --recursive", runs],
  ["pull", "-x -s --recurse-submodules", runs],
  ["push", "-f --force --force-with-lease --force-if-includes --mirror --delete -d --prune =: =+", "may remove commits of others"],
  ["remote", "=add =set-url =update", "changes where git sends and fetches"],
  ["rebase", "-x -i --interactive -s --edit-todo", runs],
  ["merge", "-s", runs],
  ["commit", "--trailer -S", runs],
  ["tag", "-s --sign -u --local-user -v --verify", runs],
  ["branch", "--edit-description", runs],
  ["switch", "-f --force --discard-changes -C --force-create -m --merge", "may lose changes or commits"],
  ["reflog stash", "=expire =delete =drop =clear", "removes the means to restore lost work"],
  [
    "submodule",
    "=foreach =add =update =init =deinit =set-url =set-branch =sync =absorbgitdirs",
    "fetches or changes submodules, or runs commands in them",
  ],
  ["bisect", "=run =visualize =view", runs],
  ["worktree", "=add =move =remove =repair", "writes outside of the working tree"],
  ["init", "--template --separate-git-dir", "writes hooks that run later"],
  ["symbolic-ref", "=2", "changes references"],
  ["help", "-w --web -i --info", runs],
];

export const gitHazards: HazardEntry[] = [...subcommandRows("git", [[[...coveredInGit].join(" "), common, runsOrWrites], ...further])];

function words(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
