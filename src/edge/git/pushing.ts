// Pushes one of our branches to a remote: never with force, without the pre-push hook, and with the forge's token, if there is one, only in
// the environment of this process.
import type { GitAnswer } from "../../batch/repository.ts";
import { gitLine, type OwnGit, repositoryKeys } from "./own-git.ts";
import { pushFault } from "./push-fault.ts";
import { isLoopback, remoteAddress, withoutCredentials } from "./remote-address.ts";

export type PushOrder = {
  branch: string;
  remote: string;
  /** Variables for the push only, through which git reaches the user's login, such as SSH_AUTH_SOCK. */
  env: Record<string, string>;
  /** The forge's token for an HTTP address, if there is one. */
  token: (url: string) => Promise<string | undefined>;
  signal?: AbortSignal | undefined;
};

const deadlineMs = 180_000;

export async function pushBranch(git: OwnGit, folder: string, order: PushOrder): Promise<GitAnswer> {
  const { branch, remote } = order;
  const reference = `refs/heads/${branch}`;
  const programs = await repositoryPrograms(git, folder);
  if (programs !== undefined) {
    const reason = `Cannot push ${branch}: the repository's own settings would start a program (${programs}). If you need it, set it in your own settings: git config --global`;
    return { ok: false, error: { kind: "failed", reason } };
  }
  const commit = await gitLine(git, folder, ["rev-parse", "--quiet", "--verify", reference]);
  const url = await gitLine(git, folder, ["remote", "get-url", "--push", remote]);
  if (commit === undefined || url === undefined) {
    const reason = `Cannot push ${branch} to ${remote}: there is no such ${commit === undefined ? "branch" : "remote"}`;
    return { ok: false, error: { kind: "failed", reason } };
  }
  const login = await loginFor(url, order.token);
  const args = [...login.settings, "push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed"];
  const env = { ...order.env, ...login.env, GIT_ASKPASS: "true", SSH_ASKPASS: "true", SSH_ASKPASS_REQUIRE: "never" };
  const pushed = await git(folder, [...args, remote, `${reference}:${reference}`], { env, timeoutMs: deadlineMs, signal: order.signal });
  if (pushed.timedOut || pushed.failed || pushed.signal) {
    const why = pushed.failed ?? (pushed.timedOut ? `no answer within ${deadlineMs / 1000} s` : `git was ended by ${pushed.signal}`);
    const reason = withoutCredentials(`Cannot push ${branch} to ${remote}: ${why}`);
    return { ok: false, error: { kind: "network", reason } };
  }
  if (pushed.code !== 0) return { ok: false, error: pushFault({ ...pushed, what: `${branch} to ${remote}` }) };
  // git does this itself only if the remote's settings fetch every branch; removing a worktree relies on it.
  await git(folder, ["update-ref", "-m", "tool: push", `refs/remotes/${remote}/${branch}`, commit]);
  return { ok: true, value: undefined };
}

/** A credential helper that returns the token, which is in no argument and no file. The user's own helpers are asked first. */
async function loginFor(url: string, tokenFor: PushOrder["token"]): Promise<{ settings: string[]; env: Record<string, string> }> {
  const address = remoteAddress(url);
  const isSafe = address?.scheme === "https" || (address?.scheme === "http" && isLoopback(address.host));
  const token = isSafe ? await tokenFor(url) : undefined;
  if (token === undefined) return { settings: [], env: {} };
  const helper = `!f() { test "$1" = get && echo username=x-access-token && echo "password=$TOOL_PUSH_TOKEN"; }; f`;
  return { settings: ["-c", `credential.helper=${helper}`], env: { TOOL_PUSH_TOKEN: token } };
}

/** The first setting of the repository that would make a push start a program. */
async function repositoryPrograms(git: OwnGit, folder: string): Promise<string | undefined> {
  return (await repositoryKeys(git, folder)).find((key) => running.test(key));
}

const running = /^(?:core\.(?:sshcommand|askpass|gitproxy)|credential\.(?:.+\.)?helper|remote\..+\.(?:receivepack|vcs))$/s;
