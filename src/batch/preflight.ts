// The conditions for starting a batch, checked before it spends tokens. Pure: decides from what git and the forge answered.
import type { Forge, ForgeAnswer, ForgeChoice, ForgeLogin } from "./forge.ts";
import type { GitAnswer, LackingFiles, RepositoryFacts } from "./repository.ts";

type Usable = Extract<RepositoryFacts, { kind: "usable" }>;

/** A decision that only the person can make: asked in a terminal, refused elsewhere unless `flag` was given. */
export type Choice = { about: "operation_under_way" | "uncommitted_changes" | "branches_only"; text: string; flag: "--yes" | "--no-pr" };

export type Preflight =
  | { kind: "refused"; reasons: string[] }
  | { kind: "ready"; facts: Usable; forge: Forge | undefined; choices: Choice[]; notices: string[] };

export type PreflightInput = {
  facts: RepositoryFacts;
  /** Undefined with `--no-pr`. */
  forge: ForgeChoice | undefined;
  /** The result of the forge's own preflight. */
  login: ForgeAnswer<ForgeLogin> | undefined;
  /** The result of a push on trial, if the login works. */
  push?: GitAnswer | undefined;
};

/** Reports every problem at once, each with its remedy, because a list is fixed faster than one finding after another. */
export function preflight({ facts, forge, login, push }: PreflightInput): Preflight {
  if (facts.kind === "unusable") return { kind: "refused", reasons: [facts.reason] };
  const reasons: string[] = [];
  if (!facts.hasIdentity) reasons.push('Git has no author for commits. Set one: git config user.name "…" and git config user.email "…".');
  if (facts.lfs === "missing") reasons.push(lfsMissing);
  if (reasons.length > 0) return { kind: "refused", reasons };
  const unavailable = unavailableForge(facts, forge, { login, push });
  return {
    kind: "ready",
    facts,
    forge: unavailable === undefined && forge?.kind === "forge" ? forge.forge : undefined,
    choices: [...underWay(facts), ...uncommitted(facts), ...(unavailable === undefined ? [] : [branchesOnly(unavailable)])],
    notices: [...notices(facts, forge !== undefined && unavailable === undefined), ...((login?.ok && login.value.notices) || [])],
  };
}

const lfsMissing =
  "Files of this repository are kept by git-lfs, which git is told to need (filter.lfs.required) and which is not installed: no worktree can be checked out. Install git-lfs, or: git config --global filter.lfs.required false.";

/** Why no pull request can be opened; undefined if one can, or if none is wanted. */
function unavailableForge(
  facts: Usable,
  forge: ForgeChoice | undefined,
  { login, push }: Pick<PreflightInput, "login" | "push">,
): string | undefined {
  if (forge === undefined) return undefined;
  if (facts.remote === undefined) return "This repository has no remote. Add one: git remote add origin <address>.";
  if (forge.kind === "none") return forge.reason;
  if (login?.ok === false) return login.error.reason;
  if (facts.base === undefined)
    return "HEAD is not on a branch, and the remote has no branch to open pull requests against. Check out a branch.";
  if (push?.ok === false) return `${push.error.reason}.`;
  return undefined;
}

function underWay({ underWay: operation }: Usable): Choice[] {
  if (operation === undefined) return [];
  const text = `A ${operation} is not finished, and units would start from HEAD as it is now. To finish it first, see git status.`;
  return [{ about: "operation_under_way", text, flag: "--yes" }];
}

function uncommitted({ changed }: Usable): Choice[] {
  if (changed.length === 0) return [];
  const text = `${filesText(changed)} not committed. Units start from HEAD and do not see these changes.`;
  return [{ about: "uncommitted_changes", text, flag: "--yes" }];
}

function branchesOnly(reason: string): Choice {
  return { about: "branches_only", text: `No pull requests can be opened: ${reason} Branches can still be made.`, flag: "--no-pr" };
}

/** What no worktree and no copy of one at a place has, in sentences. */
export function lackingInCopies({ submodules, lfs }: LackingFiles): string[] {
  return [
    ...(submodules.length > 0 ? [`Submodules are empty in a worktree: ${submodules.join(", ")}.`] : []),
    ...(lfs === "none" ? [] : ["Files of git-lfs are pointers in a worktree; tests that read their content fail."]),
  ];
}

function notices(facts: Usable, withPullRequests: boolean): string[] {
  const found: string[] = [];
  if (facts.untracked.length > 0) found.push(`${filesText(facts.untracked)} untracked. Units see no untracked files.`);
  found.push(...lackingInCopies(facts));
  if (withPullRequests && facts.hooks.names.includes("pre-push"))
    found.push("The repository's hook pre-push does not run when a batch pushes.");
  if (facts.signsCommits) found.push("Commits of a batch are not signed, though commit.gpgSign is on.");
  if (facts.shallow)
    found.push("The repository is shallow: a remote may refuse what is pushed from it. Complete it: git fetch --unshallow.");
  if (withPullRequests && !facts.headIsPushed) {
    found.push(`HEAD is not in ${facts.base} at the remote, as far as this clone knows: pull requests will show those commits too.`);
  }
  return found;
}

const mostNamed = 8;

function filesText(paths: string[]): string {
  const named = paths.slice(0, mostNamed).join(", ");
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return `${named}${more} ${paths.length === 1 ? "is" : "are"}`;
}
