// What the git of an agent's commands finds around itself: hooks that look through commits, and attributes by which it prints nothing of
// hidden files; and what is to be known of a repository before a command in it is decided.
import { dirname } from "node:path";
import type { HeadMark } from "../edge/new-commits.ts";
import { gitFolders, passedProblem } from "../permissions/commit-gate.ts";
import { withAttributes, withCommitHooks } from "../permissions/environment.ts";
import { attributeLine, hiddenPlaces, type IsHidden, seenFrom } from "../permissions/hidden-history.ts";
import { within } from "../permissions/places.ts";
import type { Policy } from "../permissions/policy.ts";
import { hidesByName } from "../permissions/sandbox-view.ts";
import type { Scanner } from "../permissions/secrets.ts";
import type { Shell } from "../tools/shell.ts";
import type { Ground } from "./ground.ts";

export type GitView = {
  environment(env: Record<string, string>): Record<string, string>;
  /** What must be seen inside the sandbox, wherever it lies. */
  shared: string[];
  /** Before each command. */
  look(input: unknown): Promise<void>;
  /** The same shell, which says after a command what that has committed past the hooks. */
  watched(shell: Shell): Shell;
  close(): void;
};

/** `stateFolder`: this agent's own, for the file of attributes. */
export function gitView(policy: Policy, { stateFolder, scanner }: { stateFolder: string; scanner: Scanner }, ground: Ground): GitView {
  let mark: HeadMark | undefined;
  const { commitHooks } = ground;
  const attributes = `${stateFolder}/attributes`;
  const history = ground.repositoryHistory({ file: attributes, lineOf: attributeLine });
  let rules: { deny: unknown; ignore: unknown; isHidden: IsHidden | undefined } | undefined;
  const programs = commitHooks && dirname(commitHooks.folder);
  const isOwn = programs !== undefined && ![policy.cwd, ...policy.directories].some((top) => within(top, programs)); // else it stays as the tree is
  return {
    environment: (env) => withAttributes(commitHooks ? withCommitHooks(env, commitHooks) : env, attributes),
    shared: [...(isOwn ? [programs] : []), attributes],
    async look(input) {
      const command = typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
      const folders = gitFolders(command, policy.cwd);
      await lookForPrograms(folders, policy, ground);
      const { deny, ignore } = policy;
      const isNew = rules?.deny !== deny || rules.ignore !== ignore;
      if (isNew) rules = { deny, ignore, isHidden: hidesByName(policy) ? hiddenPlaces(policy) : undefined };
      if (isNew || (rules?.isHidden && /git/i.test(command)))
        policy.hiddenInGit = seenFrom(policy.cwd, await history.look(folders, rules?.isHidden));
    },
    watched: (shell) => ({
      async run(request) {
        mark = mark ? ground.commits.markOf(mark.log) : await ground.commits.headMark(policy.cwd);
        const before = mark;
        const ran = await shell.run(request);
        const now = before && ground.commits.markOf(before.log);
        if (!before || !now || now.bytes === before.bytes) return ran;
        const problem = await passedProblem(ground.commits.madeSince(policy.cwd, before), scanner);
        if (problem) request.onOutput(Buffer.from(`\n[${problem}]\n`));
        return ran;
      },
    }),
    close: history.close,
  };
}

/** Inside the sandbox it does no harm what a repository makes git start, and without one a person may have wanted that. */
async function lookForPrograms(folders: string[], policy: Policy, { repositoryPrograms }: Ground): Promise<void> {
  if (policy.sandbox === "active" || policy.sandbox === "off") return;
  for (const folder of folders) {
    const runs = await repositoryPrograms(folder);
    if (runs === undefined) policy.gitRuns.delete(folder);
    else policy.gitRuns.set(folder, runs);
  }
}
