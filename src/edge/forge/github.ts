// Pull requests at GitHub and GitHub Enterprise, over its REST API: https://docs.github.com/rest/pulls/pulls, read 2026-11.
import { z } from "zod";
import type { Forge, ForgeAnswer, ForgeError, NewPullRequest, PullRequest } from "../../batch/forge.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import type { GitHubAddress } from "./forge-address.ts";
import type { ForgeResponse, Transport } from "./transport.ts";

export type GitHubOptions = {
  address: GitHubAddress;
  transport: Transport;
  /** How it is reached, for the user: `gh`, or the name of a variable. */
  via: string;
  now: () => number;
};

export function gitHub(options: GitHubOptions): Forge {
  const { address, via } = options;
  return {
    name: `${address.host}/${address.owner}/${address.repository}, with ${via}`,
    preflight: (base) => preflight(options, base),
    findPullRequest: (branch, signal) => find({ ...options, signal }, branch),
    openPullRequest: (request, signal) => open({ ...options, signal }, request),
  };
}

const userShape = z.object({ login: z.string() });
const repositoryShape = z.object({ archived: z.boolean().optional(), permissions: z.object({ push: z.boolean() }).optional() });
const pullRequestShape = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  merged_at: z.string().nullish(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
});

async function preflight({ address, transport, now }: GitHubOptions, base: string | undefined): Promise<ForgeAnswer<{ login: string }>> {
  const where = `${address.owner}/${address.repository}`;
  const repository = read(await transport({ method: "GET", path: pathOf(address) }), {
    shape: repositoryShape,
    doing: `look at ${where}`,
    now,
  });
  if (!repository.ok) return repository;
  if (repository.value.archived) return refused("invalid", `${where} is archived: nothing can be pushed to it.`);
  if (repository.value.permissions?.push === false)
    return refused("auth", `This login may not push to ${where}. Use one that may, or --no-pr and a remote of your own.`);
  const branch =
    base === undefined ? undefined : await transport({ method: "GET", path: `${pathOf(address)}/branches/${encodeURIComponent(base)}` });
  if (branch?.kind === "answer" && branch.status === 404)
    return refused("invalid", `${where} has no branch "${base}" to open them against. Push it, or check out a branch that is there.`);
  const user = await transport({ method: "GET", path: "/user" });
  // The token of a workflow belongs to no user, and may not ask who it is.
  if (user.kind === "answer" && user.status === 403 && /integration/i.test(messageOf(user.body)))
    return { ok: true, value: { login: "a GitHub app" } };
  return read(user, { shape: userShape, doing: `sign in at ${address.host}`, now });
}

type Call = GitHubOptions & { signal: AbortSignal | undefined };

async function find({ address, transport, now, signal }: Call, branch: string): Promise<ForgeAnswer<PullRequest | undefined>> {
  const query = new URLSearchParams({
    head: `${address.owner}:${branch}`,
    state: "all",
    sort: "created",
    direction: "desc",
    per_page: "20",
  });
  const answer = await transport({ method: "GET", path: `${pathOf(address)}/pulls?${query.toString()}`, signal });
  const listed = read(answer, { shape: z.array(pullRequestShape), doing: `look for a pull request of ${branch}`, now });
  if (!listed.ok) return listed;
  const full = `${address.owner}/${address.repository}`.toLowerCase();
  // A fork's branch may have the same name; a deleted fork has no repository.
  const own = listed.value.find(({ head }) => head.ref === branch && head.repo?.full_name.toLowerCase() === full);
  return { ok: true, value: own && pullRequest(own) };
}

async function open(options: Call, { head, base, title, body }: NewPullRequest): Promise<ForgeAnswer<PullRequest>> {
  const { address, transport, now, signal } = options;
  const order = { title: cut(withoutCredentials(title), longestTitle), head, base, body: cut(body, longestBody) };
  const answer = await transport({ method: "POST", path: `${pathOf(address)}/pulls`, body: order, signal });
  // The answer to the first request may have been lost, and the request was repeated.
  if (answer.kind === "answer" && answer.status === 422 && /already exists/i.test(messageOf(answer.body))) {
    const there = await find(options, head);
    if (there.ok && there.value?.state === "open") return { ok: true, value: there.value };
  }
  const opened = read(answer, { shape: pullRequestShape, doing: `open a pull request for ${head}`, now });
  return opened.ok ? { ok: true, value: pullRequest(opened.value) } : opened;
}

const longestTitle = 250;
const longestBody = 60_000;
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const pathOf = ({ owner, repository }: GitHubAddress) => `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;

function pullRequest({ number, html_url, state, merged_at }: z.infer<typeof pullRequestShape>): PullRequest {
  return { number, url: withoutCredentials(html_url), state: merged_at ? "merged" : state };
}

type Reading<T> = { shape: z.ZodType<T>; doing: string; now: () => number };

function read<T>(response: ForgeResponse, { shape, doing, now }: Reading<T>): ForgeAnswer<T> {
  if (response.kind === "silent") return refused("network", `Cannot ${doing}: ${response.reason}.`);
  if (response.status >= 200 && response.status < 300) {
    const found = shape.safeParse(response.body);
    return found.success ? { ok: true, value: found.data } : refused("server", `Cannot ${doing}: it is not an answer of GitHub's API.`);
  }
  return { ok: false, error: errorOf(response, { doing, now }) };
}

type Refusal = Exclude<ForgeError["kind"], "rate_limit">;
const refused = (kind: Refusal, reason: string) => ({ ok: false, error: { kind, reason } }) as const;

type Answer = Extract<ForgeResponse, { kind: "answer" }>;

function errorOf(answer: Answer, { doing, now }: { doing: string; now: () => number }): ForgeError {
  const { status } = answer;
  const said = messageOf(answer.body);
  const reason = withoutCredentials(`Cannot ${doing}: GitHub answers ${status}${said ? ` (${said})` : ""}`);
  if (status === 429 || (status === 403 && isRateLimit(answer, said))) {
    const waitMs = waitOf(answer, now());
    return { kind: "rate_limit", waitMs, reason: `${reason}. It takes requests again at ${new Date(now() + waitMs).toISOString()}.` };
  }
  if (status === 401) return { kind: "auth", reason: `${reason}. The token is wrong or has expired: gh auth login, or another GH_TOKEN.` };
  if (status === 403) return { kind: "auth", reason: `${reason}. The login needs write access to contents and pull requests.` };
  if (status === 404) return { kind: "not_found", reason: `${reason}. It does not exist, or this login may not see it.` };
  if (status >= 300 && status < 400)
    return { kind: "not_found", reason: `${reason}. The repository has moved: set the remote to its new address.` };
  if (status >= 500) return { kind: "server", reason: `${reason}.` };
  return { kind: "invalid", reason: `${reason}.` };
}

const isRateLimit = (answer: Answer, said: string) =>
  answer.header("x-ratelimit-remaining") === "0" || answer.header("retry-after") !== undefined || /rate limit/i.test(said);

/**
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api: `retry-after` first, then the reset time, else a minute.
 * The reset time is GitHub's, and so is the date of its answer: a wrong clock here changes nothing.
 */
function waitOf(answer: Answer, now: number): number {
  const after = Number(answer.header("retry-after"));
  if (answer.header("retry-after") !== undefined && Number.isFinite(after)) return Math.max(0, after) * 1000;
  const reset = Number(answer.header("x-ratelimit-reset"));
  if (answer.header("x-ratelimit-remaining") !== "0" || !(reset > 0)) return 60_000;
  return Math.max(0, reset * 1000 - (Date.parse(answer.header("date") ?? "") || now));
}

const faultShape = z.object({
  message: z.string().optional(),
  errors: z
    .array(z.union([z.string(), z.object({ message: z.string().optional(), field: z.string().optional(), code: z.string().optional() })]))
    .optional(),
});

/** GitHub's error message, on one line. */
function messageOf(body: unknown): string {
  const fault = faultShape.safeParse(body);
  if (!fault.success) return "";
  const { message, errors = [] } = fault.data;
  const details = errors.map((error) =>
    typeof error === "string" ? error : (error.message ?? [error.field, error.code].filter(Boolean).join(" is ")),
  );
  return [message, ...details].filter(Boolean).join("; ").replace(/\s+/g, " ").slice(0, 500);
}
