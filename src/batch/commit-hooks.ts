// Runs the repository's own hooks before a unit's commit. Git's real `commit` runs them inside the unit's sandbox, on a scratch repository, because
// the common git folder is read-only for agents. The harness then commits what the hooks leave in the working tree.
import { relative } from "node:path";
import { z } from "zod";
import { quotedWord } from "../wording/shell-word.ts";

/** `folder`: the folder with the hooks of the person's working tree. */
export const commitHooksSchema = z.object({ folder: z.string(), names: z.array(z.string()) });
export type CommitHooks = z.infer<typeof commitHooksSchema>;

/** `message`: the commit message after the hooks. All texts are redacted. */
export const hooksRunSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("passed"), message: z.string() }),
  z.object({ kind: z.literal("refused"), output: z.string() }),
  z.object({ kind: z.literal("not_run"), why: z.string() }),
]);
export type HooksRun = z.infer<typeof hooksRunSchema>;

export type HooksCommand = {
  hooks: CommitHooks;
  /**
   * The top of the person's working tree. If the folder with the hooks is inside it, the worktree's own copy is used where one exists, as git does.
   */
  root: string;
  message: string;
  /** A line printed before the message. Hooks cannot know it. */
  mark: string;
};

/** A shell command for the top folder of the unit's worktree. Its exit code is 0 if the commit passes. */
export function hooksCommand({ hooks, root, message, mark }: HooksCommand): string {
  return `hooks=${quotedWord(hooks.folder)} own=${quotedWord(relative(root, hooks.folder))}
[ ! -d "$own" ] || hooks=$(realpath "$own")
[ -d "$hooks" ] || { echo "The folder of the hooks, $hooks, cannot be seen in the sandbox."; exit 1; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && common=$(git rev-parse --path-format=absolute --git-common-dir) &&
head=$(git rev-parse HEAD) && branch=$(git symbolic-ref HEAD) && index=$(git rev-parse --git-path index) &&
git init --quiet --bare --template= --object-format="$(git rev-parse --show-object-format)" "$scratch" &&
printf '%s\\n' "$common/objects" >"$scratch/objects/info/alternates" && cp "$index" "$scratch/index" || exit
export GIT_DIR="$scratch" GIT_WORK_TREE="$PWD"
git config include.path "$common/config" && git config core.bare false &&
git update-ref "$branch" "$head" && git symbolic-ref HEAD "$branch" &&
printf %s ${quotedWord(message)} >"$scratch/message" && git add --all || exit
git diff --cached --quiet HEAD && { echo ${quotedWord(mark)}; cat "$scratch/message"; exit; }
git -c core.hooksPath="$hooks" -c commit.gpgSign=false commit --quiet --file="$scratch/message" || exit
echo ${quotedWord(mark)} && git log -1 --format=%B`;
}

/** Parses what that command printed; `ending` is empty if the exit code was 0. */
export function hooksRun({ ending, output, mark }: { ending: string; output: string; mark: string }): HooksRun {
  const at = output.lastIndexOf(`${mark}\n`);
  if (ending !== "" || at === -1) return { kind: "refused", output: `${output.trim()}\n[${ending}]`.trim() };
  return { kind: "passed", message: `${output.slice(at + mark.length).trim()}\n` };
}

/** For example `pre-commit, commit-msg passed`. */
export function hooksText({ names }: CommitHooks, run: HooksRun): string {
  const named = names.join(", ");
  return run.kind === "not_run" ? `${named} did not run: ${run.why}` : `${named} ${run.kind}`;
}
