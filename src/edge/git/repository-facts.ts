// What a batch has to know of a repository before it spends a token. Looks, and writes nothing: not even the index is refreshed.
import { isAbsolute, resolve } from "node:path";
import type { Remote, RepositoryFacts } from "../../batch/repository.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { run } from "../processes/run.ts";
import { withoutFilters } from "./repository-files.ts";
import { withoutCredentials } from "./without-credentials.ts";

type Git = (...args: string[]) => Promise<string | undefined>;

export async function repositoryFacts(cwd: string): Promise<RepositoryFacts> {
  const program = helperProgram("git");
  if (program.kind === "missing") return unusable(`${program.why} A batch works in git worktrees: install git.`);
  const git = gitIn(cwd);
  const gitFolder = await git("rev-parse", "--git-common-dir");
  if (gitFolder === undefined) return unusable(`${cwd} is in no git repository. Make it one: git init, git add --all, git commit.`);
  if ((await git("rev-parse", "--is-bare-repository")) === "true")
    return unusable("This repository is bare: it has no working tree. Clone it, and start the batch in the clone.");
  const root = await git("rev-parse", "--show-toplevel");
  if (root === undefined) return unusable(`${cwd} is in the git folder of a repository. Start the batch in its working tree.`);
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (head === undefined)
    return unusable("This repository has no commit yet, and units start from one. Commit first: git add --all, git commit.");
  if ((await git("show-ref", "--verify", "--quiet", "refs/heads/tool")) !== undefined)
    return unusable('A branch is named "tool", so that git can make none below tool/. Rename it: git branch -m tool <other name>.');
  return usable(gitIn(root), { root, head, gitFolder: isAbsolute(gitFolder) ? gitFolder : resolve(cwd, gitFolder) });
}

const unusable = (reason: string): RepositoryFacts => ({ kind: "unusable", reason });

async function usable(git: Git, { root, head, gitFolder }: { root: string; head: string; gitFolder: string }): Promise<RepositoryFacts> {
  const filters = await withoutFilters(root);
  const branch = await git("symbolic-ref", "--quiet", "--short", "HEAD");
  const remote = await remoteOf(git, branch);
  const base = await baseOf(git, { branch, remote });
  const [changed, untracked, submodules, attributes, shallow, name, email, pushed] = await Promise.all([
    git(...filters, "diff", "--name-only", "-z", "--no-ext-diff", "--ignore-submodules=dirty", "HEAD"),
    git("ls-files", "--others", "--exclude-standard", "-z"),
    git("ls-files", "--stage", "-z"),
    git("grep", "-l", "-z", "-e", "filter=lfs", "HEAD", "--", ".gitattributes", "**/.gitattributes"),
    git("rev-parse", "--is-shallow-repository"),
    git("config", "user.name"),
    git("config", "user.email"),
    remote && base ? git("merge-base", "--is-ancestor", head, `refs/remotes/${remote.name}/${base}`) : undefined,
  ]);
  return {
    kind: "usable",
    root,
    gitFolder,
    head,
    branch,
    base,
    remote,
    changed: names(changed),
    untracked: names(untracked),
    submodules: names(submodules).flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : [])),
    lfs: names(attributes).length > 0,
    shallow: shallow === "true",
    headIsPushed: pushed !== undefined,
    hasIdentity: Boolean(name && email) || Boolean(process.env["GIT_AUTHOR_NAME"] && process.env["GIT_AUTHOR_EMAIL"]),
  };
}

/** The upstream's remote, else `origin`, else the only one. */
async function remoteOf(git: Git, branch: string | undefined): Promise<Remote | undefined> {
  const all = ((await git("remote")) ?? "").split("\n").filter(Boolean);
  const own = branch && (await git("config", `branch.${branch}.remote`));
  const name = own && all.includes(own) ? own : all.includes("origin") ? "origin" : all.length === 1 ? all[0] : undefined;
  const url = name && (await git("remote", "get-url", "--push", name));
  return name && url ? { name, url: withoutCredentials(url) } : undefined;
}

/** The branch at the remote that pull requests are for. */
async function baseOf(
  git: Git,
  { branch, remote }: { branch: string | undefined; remote: Remote | undefined },
): Promise<string | undefined> {
  const merged = branch && (await git("config", `branch.${branch}.merge`));
  if (merged) return merged.replace(/^refs\/heads\//, "");
  const remoteHead = remote && (await git("symbolic-ref", "--quiet", "--short", `refs/remotes/${remote.name}/HEAD`));
  return remoteHead && remote ? remoteHead.slice(remote.name.length + 1) : branch;
}

/** Undefined where git failed; otherwise what it printed without the last line break. */
function gitIn(folder: string): Git {
  return async (...args) => {
    const { code, stdout } = await run(["git", ...quiet, ...args], {
      cwd: folder,
      timeoutMs: 30_000,
      env: { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    });
    return code === 0 ? stdout.replace(/\n$/, "") : undefined;
  };
}

const quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
const names = (output: string | undefined) => (output ?? "").split("\0").filter(Boolean);
