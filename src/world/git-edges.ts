// Git work of the harness itself: worktrees of agents and teams, and the repository of a batch. Loaded when the first of them is wanted.
import type { AgentWorktreesOrder, BatchRepositoryOrder, TeamTreesOrder, TryPushOrder } from "../app/world.ts";
import type { GitAnswer, LackingFiles, Repository, RepositoryFacts, UsableRepository } from "../batch/repository.ts";
import type { ChangesRepository } from "../changes/repository.ts";
import { agentWorktrees } from "../edge/git/agent-worktrees.ts";
import { batchRepository } from "../edge/git/batch-repository.ts";
import { changesRepository } from "../edge/git/changes/changes-repository.ts";
import { clearLeft } from "../edge/git/left-locks.ts";
import { type OwnGit, ownGit } from "../edge/git/own-git.ts";
import { tryPush } from "../edge/git/pushing.ts";
import { newChanges } from "../edge/git/repository/new-commits.ts";
import { lackingFiles, repositoryFacts, usableRepository } from "../edge/git/repository/repository-facts.ts";
import { teamWorktrees } from "../edge/git/team-worktrees.ts";
import type { CommitScan } from "../edge/git/unit-commits.ts";
import { travel } from "../edge/places/travel.ts";
import { secretScanner } from "../edge/secret-scanner.ts";
import type { Travel } from "../places/travel.ts";
import { changesProblem } from "../secrets/commit-gate.ts";
import { commandEnvironment } from "../secrets/environment.ts";
import type { AgentWorktrees } from "../subagents/isolation.ts";
import type { TeamTrees } from "../team/worktrees.ts";

export const factsOf = (cwd: string): Promise<RepositoryFacts> => repositoryFacts(ownGitOf("batch"), cwd);
export const lackingIn = (root: string): Promise<LackingFiles> => lackingFiles(ownGitOf("batch"), root);
export const usableHere = (cwd: string): Promise<UsableRepository> => usableRepository(ownGitOf("batch"), cwd);

/** In the environment of commands, which contains no keys. */
const ownGitOf = (owner: string): OwnGit => ownGit(commandEnvironment(process.env, owner));

export async function openAgentWorktrees({ root: repository, own, ...order }: AgentWorktreesOrder): Promise<AgentWorktrees> {
  const { owner, home } = order;
  const git = ownGitOf(owner);
  await clearLeft({ repository, owner, home: own?.folder ?? home, branches: own?.branches ?? owner });
  return agentWorktrees({ ...order, git, repository });
}

export const openTravel = (): Travel => travel(ownGitOf("place"));

/** Other processes of the team are working in their worktrees, so nothing is cleaned up. */
export function openTeamTrees({ root: repository, owner, ...order }: TeamTreesOrder): TeamTrees {
  return teamWorktrees({ ...order, git: ownGitOf(owner), repository, look: commitScan() });
}

export const openChangesRepository = (root: string): ChangesRepository =>
  changesRepository({ git: ownGitOf("take"), root, look: commitScan() });

/** Scans what our own commits would add for secrets. */
function commitScan(): CommitScan {
  const scanner = secretScanner();
  return (folder, update) => changesProblem(newChanges({ folder, hidden: undefined }, update), scanner);
}

/** Variables through which git reaches the person's login. */
function logins(): Record<string, string> {
  const names = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GIT_SSH", "GIT_SSH_COMMAND", "DBUS_SESSION_BUS_ADDRESS", "GNOME_KEYRING_CONTROL"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

export async function tryPushTo({ root, remote, env, forges }: TryPushOrder): Promise<GitAnswer> {
  const { pushTokens } = await import("../edge/forge/open-forge.ts");
  const order = { remote, env: commandEnvironment(process.env, "batch"), logins: logins(), token: pushTokens(env, forges) };
  return tryPush(ownGitOf("batch"), root, order);
}

export async function openBatchRepository({ owner, root, env, forges, ...order }: BatchRepositoryOrder): Promise<Repository> {
  const git = ownGitOf(owner);
  await clearLeft({ repository: root, home: order.home, owner, branches: owner });
  const { pushTokens } = await import("../edge/forge/open-forge.ts");
  return batchRepository({
    ...order,
    git,
    repository: root,
    look: commitScan(),
    env: commandEnvironment(process.env, owner),
    logins: logins(),
    token: pushTokens(env, forges),
  });
}
