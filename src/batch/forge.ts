// The forge as a batch uses it: the login, and pull requests by branch, whether it is GitHub, GitLab, Gitea or Forgejo. What GitLab calls a merge
// request is a pull request here. No token passes through this port: each implementation has its own.

export type PullRequest = {
  number: number;
  /** The address for a browser. */
  url: string;
  state: "open" | "closed" | "merged";
};

export type NewPullRequest = {
  /** The branch with the change, already pushed. */
  head: string;
  /** The target branch. */
  base: string;
  title: string;
  body: string;
};

/** Each reason is one sentence without tokens, credentials or control characters. */
export type ForgeError =
  /** No login, an invalid token, or insufficient rights. */
  | { kind: "auth"; reason: string }
  /** `waitMs`: how long from its answer on the forge refuses requests. */
  | { kind: "rate_limit"; waitMs: number; reason: string }
  /** The forge rejects the request: no such head, no difference, or a second pull request for one branch. */
  | { kind: "invalid"; reason: string }
  /** The repository does not exist, or is not visible to this login. */
  | { kind: "not_found"; reason: string }
  /** A server error: 5xx, or a response that cannot be understood. */
  | { kind: "server"; reason: string }
  /** No response in time. */
  | { kind: "network"; reason: string };

export type ForgeAnswer<T> = { ok: true; value: T } | { ok: false; error: ForgeError };

/** `notices`: what a pull request will lack, in sentences. */
export type ForgeLogin = { login: string; notices?: string[] };

/** One repository at one forge. A method throws only because of a bug. Methods do not retry; the batch decides about that. */
export interface Forge {
  /** For messages, such as `github.com/acme/app, as ann, with gh`. */
  readonly name: string;
  /** Checks the login, the repository and the base branch with a few cheap requests. */
  preflight(base: string | undefined): Promise<ForgeAnswer<ForgeLogin>>;
  /** The newest pull request from this branch of this repository (not of a fork), open or closed; undefined if there is none. */
  findPullRequest(branch: string, signal?: AbortSignal): Promise<ForgeAnswer<PullRequest | undefined>>;
  /** If `signal` aborts, the pull request may have been opened anyway. */
  openPullRequest(request: NewPullRequest, signal?: AbortSignal): Promise<ForgeAnswer<PullRequest>>;
}

/** How the forge is reached. Decided once, before any tokens are spent. */
export type ForgeChoice =
  | { kind: "forge"; forge: Forge }
  /** No forge can be used for that remote; `reason` is one sentence with the remedy. Branches can still be made. */
  | { kind: "none"; reason: string };
