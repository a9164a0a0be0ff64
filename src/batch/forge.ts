// The forge as a batch sees it: who is logged in, and pull requests by the branch they come from. GitHub answers it through `gh` or its REST
// API; what GitLab and Gitea call merge requests fits the same port. A token never passes through here: an implementation has its own.

export type PullRequest = {
  number: number;
  /** What a person opens in a browser. */
  url: string;
  state: "open" | "closed" | "merged";
};

export type NewPullRequest = {
  /** The branch with the change. It has been pushed. */
  head: string;
  /** The branch that the change is for. */
  base: string;
  title: string;
  body: string;
};

/** Reasons are one sentence without a token, an address with credentials or control characters in it. */
export type ForgeError =
  /** No login, a bad token, or a login without the right to do this. */
  | { kind: "auth"; reason: string }
  /** `retryAt` is when the forge takes requests again; milliseconds since 1970. */
  | { kind: "rate_limit"; retryAt: number; reason: string }
  /** The forge refuses the request itself: no such head, no difference, a second pull request for one branch. */
  | { kind: "invalid"; reason: string }
  /** The repository is not there, or not for this login. */
  | { kind: "not_found"; reason: string }
  /** The forge failed: 5xx, or an answer that is not understood. */
  | { kind: "server"; reason: string }
  /** Nothing answered within the time. */
  | { kind: "network"; reason: string };

export type ForgeAnswer<T> = { ok: true; value: T } | { ok: false; error: ForgeError };

/** One repository at one forge. Nothing throws but a fault of ours. No call is repeated inside: whether to try again is decided by the batch. */
export interface Forge {
  /** What is printed about it: `github.com/acme/app, as ann, with gh`. */
  readonly name: string;
  /** A few cheap requests: the login that would open the pull requests in this repository, which has the branch that they are for. */
  preflight(base: string | undefined): Promise<ForgeAnswer<{ login: string }>>;
  /** The newest pull request whose head is this branch of this repository (not of a fork), closed ones too; undefined when there is none. */
  findPullRequest(branch: string, signal?: AbortSignal): Promise<ForgeAnswer<PullRequest | undefined>>;
  /** Given up by `signal`, it may have been opened anyway. */
  openPullRequest(request: NewPullRequest, signal?: AbortSignal): Promise<ForgeAnswer<PullRequest>>;
}

/** How a forge is reached; asked once, before any token is spent. */
export type ForgeChoice =
  | { kind: "forge"; forge: Forge }
  /** No forge can be used for that remote: one sentence with the remedy. Branches can still be made. */
  | { kind: "none"; reason: string };
