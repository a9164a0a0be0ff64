// The door for pushes: one of our branches to one address that was checked, never with force, without the pre-push hook. The forge's token,
// if there is one, is only in the environment of this process, and only the host of that address is answered with it.
import type { GitAnswer } from "../../batch/repository.ts";
import { gitLine, gitToPush, type OwnGit, repositorySettings } from "./own-git.ts";
import { pushFault } from "./push-fault.ts";
import { isLoopback, type RemoteAddress, remoteAddress, withoutCredentials } from "./remote-address.ts";

export type PushOrder = {
  branch: string;
  remote: string;
  /** The environment, without keys. */
  env: Record<string, string>;
  /** Variables through which git reaches the user's login, such as SSH_AUTH_SOCK. */
  logins: Record<string, string>;
  /** The forge's token for an HTTP address, if there is one. */
  token: (url: string) => Promise<string | undefined>;
  signal?: AbortSignal | undefined;
};

const deadlineMs = 180_000;
const trialDeadlineMs = 30_000;

/** Whether HEAD could be pushed as a new branch of ours: the same door, address and login, and nothing is sent. */
export function tryPush(git: OwnGit, folder: string, order: Omit<PushOrder, "branch">): Promise<GitAnswer> {
  return pushed(git, folder, { ...order, branch: "tool/trial", trial: true });
}

export function pushBranch(git: OwnGit, folder: string, order: PushOrder): Promise<GitAnswer> {
  return pushed(git, folder, { ...order, trial: false });
}

async function pushed(git: OwnGit, folder: string, order: PushOrder & { trial: boolean }): Promise<GitAnswer> {
  const { branch, remote, trial } = order;
  const failed = (reason: string): GitAnswer => ({ ok: false, error: { kind: "failed", reason } });
  const reference = `refs/heads/${branch}`;
  const source = trial ? "HEAD" : reference;
  const refused = ((await repositorySettings(folder)) ?? []).find(([key]) => redirecting.test(key))?.[0];
  if (refused !== undefined)
    return failed(
      `Cannot push ${branch}: the repository's own settings would start a program or change where a push goes (${refused}). If you need it, set it in your own settings: git config --global`,
    );
  const commit = await gitLine(git, folder, ["rev-parse", "--quiet", "--verify", source]);
  const urls = (await gitLine(git, folder, ["remote", "get-url", "--push", "--all", remote]))?.split("\n") ?? [];
  const [url] = urls;
  if (commit === undefined || url === undefined)
    return failed(`Cannot push ${branch} to ${remote}: there is no such ${commit === undefined ? "branch" : "remote"}`);
  if (urls.length > 1)
    return failed(
      `Cannot push ${branch} to ${remote}: it has ${urls.length} addresses for pushes, and a push of ours goes to one. Remove the others`,
    );
  const address = remoteAddress(url);
  const login = await loginFor(url, address, order.token);
  const args = ["push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed"];
  const end = await gitToPush(order.env, folder, [...args, ...(trial ? ["--dry-run"] : []), url, `${source}:${reference}`], {
    protocol: address?.scheme ?? "file",
    settings: login.settings,
    env: { ...order.logins, ...login.env, GIT_ASKPASS: "true", SSH_ASKPASS: "true", SSH_ASKPASS_REQUIRE: "never" },
    timeoutMs: trial ? trialDeadlineMs : deadlineMs,
    signal: order.signal,
  });
  if (end.timedOut || end.failed) {
    const why = end.failed ?? `no answer within ${(trial ? trialDeadlineMs : deadlineMs) / 1000} s`;
    const reason = withoutCredentials(`Cannot push ${branch} to ${remote}: ${why}`);
    return { ok: false, error: { kind: "network", reason } };
  }
  if (end.code !== 0) {
    const words = trial ? { what: `to ${remote}`, next: "try again" as const } : { what: `${branch} to ${remote}` };
    return { ok: false, error: pushFault({ ...end, ...words }) };
  }
  if (trial) return { ok: true, value: undefined };
  // A push to an address notes no remote branch; removing a worktree relies on it.
  await git(folder, ["update-ref", "-m", "tool: push", `refs/remotes/${remote}/${branch}`, commit]);
  return { ok: true, value: undefined };
}

/**
 * A credential helper that returns the token, which is in no argument and no file, to that host alone. The user's own helpers are asked
 * first.
 */
async function loginFor(
  url: string,
  address: RemoteAddress | undefined,
  tokenFor: PushOrder["token"],
): Promise<{ settings: string[]; env: Record<string, string> }> {
  const isSafe = address?.scheme === "https" || (address?.scheme === "http" && isLoopback(address.host));
  const token = isSafe ? await tokenFor(url) : undefined;
  if (token === undefined || !address) return { settings: [], env: {} };
  const host = `${address.host}${address.port ? `:${address.port}` : ""}`;
  const asked = `test "$1" = get && grep -qxF "host=$TOOL_PUSH_HOST"`;
  const helper = `!f() { ${asked} && echo username=x-access-token && echo "password=$TOOL_PUSH_TOKEN"; }; f`;
  const settings = [`credential.${address.scheme}://${host}.helper=${helper}`, "http.followRedirects=false"];
  return { settings, env: { TOOL_PUSH_TOKEN: token, TOOL_PUSH_HOST: host } };
}

/** Settings of the repository that would make a push start a program, go elsewhere, or show the login to somebody else. */
const redirecting =
  /^(?:core\.(?:sshcommand|askpass|gitproxy)|credential\..+|remote\..+\.(?:receivepack|vcs|proxy)|http\..+|url\..+\.(?:insteadof|pushinsteadof)|include\.path|includeif\..+)$/s;
