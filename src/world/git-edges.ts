// Git work of the harness itself: worktrees of agents and teams, and the repository of a batch.
import type { AgentWorktreesOrder, BatchRepositoryOrder, Edges, TeamTreesOrder } from "../app/world.ts";
import type { Repository } from "../batch/repository.ts";
import type { OwnGit } from "../edge/git/own-git.ts";
import type { CommitScan } from "../edge/git/unit-commits.ts";
import type { AgentWorktrees } from "../subagents/isolation.ts";
import type { TeamTrees } from "../team/worktrees.ts";

export const gitEdges: Pick<Edges, "repositoryFacts" | "agentWorktrees" | "teamTrees" | "batchRepository"> = {
  repositoryFacts: async (cwd) => (await import("../edge/git/repository-facts.ts")).repositoryFacts(await batchGit("batch"), cwd),
  agentWorktrees: openAgentWorktrees,
  teamTrees: openTeamTrees,
  batchRepository,
};

/** Git for a batch, in the environment of commands, which contains no keys. */
async function batchGit(owner: string): Promise<OwnGit> {
  const [{ ownGit }, { commandEnvironment }] = await Promise.all([
    import("../edge/git/own-git.ts"),
    import("../permissions/environment.ts"),
  ]);
  return ownGit(commandEnvironment(process.env, owner));
}

async function openAgentWorktrees({ root: repository, ...order }: AgentWorktreesOrder): Promise<AgentWorktrees> {
  const [{ agentWorktrees }, { clearLeft }] = await Promise.all([
    import("../edge/git/agent-worktrees.ts"),
    import("../edge/git/left-locks.ts"),
  ]);
  const git = await batchGit(order.owner);
  await clearLeft(git, { repository, ...order });
  return agentWorktrees({ ...order, git, repository });
}

/** Other processes of the team are working in their worktrees, so nothing is cleaned up. */
async function openTeamTrees({ root: repository, owner, ...order }: TeamTreesOrder): Promise<TeamTrees> {
  const { teamWorktrees } = await import("../edge/git/team-worktrees.ts");
  return teamWorktrees({ ...order, git: await batchGit(owner), repository, look: await commitScan() });
}

/** Scans what our own commits would add for secrets. */
async function commitScan(): Promise<CommitScan> {
  const [{ newChanges }, { secretScanner }, { changesProblem }] = await Promise.all([
    import("../edge/git/new-commits.ts"),
    import("../edge/secret-scanner.ts"),
    import("../permissions/commit-gate.ts"),
  ]);
  const scanner = secretScanner();
  return (folder, update) => changesProblem(newChanges({ folder, hidden: undefined }, update), scanner);
}

async function batchRepository({ owner, root, env, ...order }: BatchRepositoryOrder): Promise<Repository> {
  const [{ batchRepository }, { clearLeft }] = await Promise.all([
    import("../edge/git/batch-repository.ts"),
    import("../edge/git/left-locks.ts"),
  ]);
  const logins = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GIT_SSH", "GIT_SSH_COMMAND", "DBUS_SESSION_BUS_ADDRESS", "GNOME_KEYRING_CONTROL"];
  const git = await batchGit(owner);
  await clearLeft(git, { repository: root, home: order.home, owner });
  return batchRepository({
    ...order,
    git,
    repository: root,
    look: await commitScan(),
    pushEnv: Object.fromEntries(logins.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    token: async (url) => (await import("../edge/forge/open-forge.ts")).pushToken(url, env),
  });
}
