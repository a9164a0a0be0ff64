// Pull requests at Gitea and Forgejo, over the API that they share: https://docs.gitea.com/api/, read 2026-11.
import { z } from "zod";
import type { ForgeAnswer, NewPullRequest, PullRequest } from "../../batch/forge.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import { refused } from "./answers.ts";
import { type ForgeOptions, requestText } from "./forge-options.ts";
import type { ServerAddress } from "./server-address.ts";
import { type Ask, type Server, serverForge } from "./server-forge.ts";

export const gitea = (options: ForgeOptions<ServerAddress>) =>
  serverForge(options, {
    needs: "The token needs write:repository and write:issue, and read:user.",
    branchPath: (server, branch) => `${pathOf(server)}/branches/${encoded(branch)}`,
    look,
    find,
    open,
  });

const repositoryShape = z.object({
  archived: z.boolean().optional(),
  has_pull_requests: z.boolean().optional(),
  permissions: z.object({ push: z.boolean() }).optional(),
});
const labelShape = z.object({ id: z.number(), name: z.string() });
const pullRequestShape = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  merged: z.boolean().optional(),
  head: z.object({ ref: z.string(), repo_id: z.number() }),
  base: z.object({ repo_id: z.number() }),
});

async function look(ask: Ask, server: Server): Promise<ForgeAnswer<{ notices?: string[] }>> {
  const { repository, product } = server.address;
  const found = await ask({ method: "GET", path: pathOf(server) }, { shape: repositoryShape, doing: `look at ${repository}` });
  if (!found.ok) return found;
  const { archived, has_pull_requests: isOpen, permissions } = found.value;
  if (archived) return refused("invalid", `${repository} is archived: nothing can be pushed to it.`);
  if (isOpen === false) return refused("invalid", `${repository} takes no pull requests: turn them on in its settings, or use --no-pr.`);
  if (permissions?.push === false)
    return refused("auth", `This login may not push to ${repository}. Use one that may, or --no-pr and a remote of your own.`);
  const labels = await labelIds(ask, server);
  if (!labels.ok) return labels;
  const missing = labels.value.missing.map((name) => `"${name}"`).join(", ");
  const notice = `${product} has no label ${missing} in ${repository}: pull requests are opened without. Make it there first if it is wanted.`;
  return { ok: true, value: missing === "" ? {} : { notices: [notice] } };
}

/** The API takes labels by id, and makes none. An organization's count in its repositories; a user has none. */
async function labelIds(ask: Ask, server: Server): Promise<ForgeAnswer<{ ids: number[]; missing: string[] }>> {
  const wanted = server.labels ?? [];
  if (wanted.length === 0) return { ok: true, value: { ids: [], missing: [] } };
  const own = await pages(ask, { path: `${pathOf(server)}/labels`, shape: labelShape, doing: "look at the labels" });
  if (!own.ok) return own;
  const owner = server.address.repository.split("/")[0]!;
  const shared = await pages(ask, { path: `/orgs/${encoded(owner)}/labels`, shape: labelShape, doing: `look at the labels of ${owner}` });
  if (!shared.ok && shared.error.kind !== "not_found" && shared.error.kind !== "auth") return shared;
  const known = [...own.value, ...(shared.ok ? shared.value : [])];
  const ids = wanted.map((name) => known.find((label) => label.name === name)?.id);
  return { ok: true, value: { ids: ids.flatMap((id) => id ?? []), missing: wanted.filter((_, at) => ids[at] === undefined) } };
}

/** The list has no filter for a branch in every version; the newest come first. */
async function find(ask: Ask, server: Server, branch: string): Promise<ForgeAnswer<PullRequest | undefined>> {
  const until = ({ head, base }: z.infer<typeof pullRequestShape>) => head.ref === branch && head.repo_id === base.repo_id;
  const path = `${pathOf(server)}/pulls?state=all`;
  const listed = await pages(ask, { path, shape: pullRequestShape, doing: `look for a pull request of ${branch}`, until });
  if (!listed.ok) return listed;
  const own = listed.value.find(until);
  return { ok: true, value: own && pullRequest(own) };
}

async function open(ask: Ask, server: Server, request: NewPullRequest): Promise<ForgeAnswer<PullRequest>> {
  const labels = await labelIds(ask, server);
  if (!labels.ok) return labels;
  const { ids } = labels.value;
  const { head, base } = request;
  const order = { ...requestText(request, server.draft ? "WIP: " : ""), head, base, ...(ids.length > 0 && { labels: ids }) };
  const post = { method: "POST", path: `${pathOf(server)}/pulls`, body: order } as const;
  const opened = await ask(post, { shape: pullRequestShape, doing: `open a pull request for ${head}` });
  return opened.ok ? { ok: true, value: pullRequest(opened.value) } : opened;
}

const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");
const pathOf = ({ address }: Server) => `/repos/${encoded(address.repository)}`;

function pullRequest({ number, html_url, state, merged }: z.infer<typeof pullRequestShape>): PullRequest {
  return { number, url: withoutCredentials(html_url), state: merged ? "merged" : state };
}

/** So that a large repository does not take a request for each of its pages. The server refuses a second one for an open one beyond them. */
const mostPages = 4;

/** Servers may give fewer to a page than are asked for, so that only an empty one is the last. */
async function pages<T>(
  ask: Ask,
  { path, shape, doing, until }: { path: string; shape: z.ZodType<T>; doing: string; until?: (item: T) => boolean },
): Promise<ForgeAnswer<T[]>> {
  const found: T[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const request = { method: "GET", path: `${path}${path.includes("?") ? "&" : "?"}page=${page}&limit=50` } as const;
    const answer = await ask(request, { shape: z.array(shape), doing });
    if (!answer.ok) return answer;
    found.push(...answer.value);
    if (answer.value.length === 0 || (until && answer.value.some(until))) break;
  }
  return { ok: true, value: found };
}
