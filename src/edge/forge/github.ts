// Pull requests at GitHub and GitHub Enterprise, over its REST API: https://docs.github.com/rest/pulls/pulls, read 2026-11.
import { z } from "zod";
import type { Forge, ForgeAnswer, NewPullRequest, PullRequest } from "../../batch/forge.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import { type Dialect, messageOf, type Reading, readAnswer, refused } from "./answers.ts";
import type { GitHubAddress } from "./forge-address.ts";
import { type ForgeOptions, requestText } from "./forge-options.ts";
import type { ForgeResponse } from "./transport.ts";

export type GitHubOptions = ForgeOptions<GitHubAddress>;

const dialect: Dialect = {
  product: "GitHub",
  wrongToken: "The token is wrong or has expired: gh auth login, or another GH_TOKEN.",
  needs: "The login needs write access to contents and pull requests.",
};

const read = <T>(response: ForgeResponse, reading: Omit<Reading<T>, "dialect">) => readAnswer(response, { ...reading, dialect });

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

async function open(options: Call, request: NewPullRequest): Promise<ForgeAnswer<PullRequest>> {
  const made = await create(options, request);
  const { address, transport, now, signal, labels = [] } = options;
  if (!made.ok || labels.length === 0) return made;
  const path = `${pathOf(address)}/issues/${made.value.number}/labels`;
  const labelled = await transport({ method: "POST", path, body: { labels }, signal });
  const answer = read(labelled, { shape: z.array(z.unknown()), doing: `label pull request ${made.value.number}`, now });
  return answer.ok ? made : answer;
}

async function create(options: Call, request: NewPullRequest): Promise<ForgeAnswer<PullRequest>> {
  const { address, transport, now, signal, draft } = options;
  const { head, base } = request;
  const order = { ...requestText(request), head, base, ...(draft && { draft }) };
  const answer = await transport({ method: "POST", path: `${pathOf(address)}/pulls`, body: order, signal });
  // The answer to the first request may have been lost, and the request was repeated.
  if (answer.kind === "answer" && answer.status === 422 && /already exists/i.test(messageOf(answer.body))) {
    const there = await find(options, head);
    if (there.ok && there.value?.state === "open") return { ok: true, value: there.value };
  }
  const opened = read(answer, { shape: pullRequestShape, doing: `open a pull request for ${head}`, now });
  return opened.ok ? { ok: true, value: pullRequest(opened.value) } : opened;
}

const pathOf = ({ owner, repository }: GitHubAddress) => `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;

function pullRequest({ number, html_url, state, merged_at }: z.infer<typeof pullRequestShape>): PullRequest {
  return { number, url: withoutCredentials(html_url), state: merged_at ? "merged" : state };
}
