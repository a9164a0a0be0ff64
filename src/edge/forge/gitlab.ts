// Merge requests at GitLab, over its REST API: https://docs.gitlab.com/api/merge_requests/, read 2026-11.
import { z } from "zod";
import type { ForgeAnswer, NewPullRequest, PullRequest } from "../../batch/forge.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import { refused } from "./answers.ts";
import { type ForgeOptions, requestText } from "./forge-options.ts";
import type { ServerAddress } from "./server-address.ts";
import { type Ask, type Server, serverForge } from "./server-forge.ts";

export const gitLab = (options: ForgeOptions<ServerAddress>) =>
  serverForge(options, {
    needs: "The token needs the scope api, and the role Developer in the project.",
    branchPath: (server, branch) => `${pathOf(server)}/repository/branches/${encodeURIComponent(branch)}`,
    look,
    find,
    open,
  });

const access = z.object({ access_level: z.number() }).nullish();
const projectShape = z.object({
  archived: z.boolean().optional(),
  merge_requests_enabled: z.boolean().optional(),
  permissions: z.object({ project_access: access, group_access: access }).optional(),
});
const mergeRequestShape = z.object({
  iid: z.number(),
  web_url: z.string(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  source_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number(),
});

const developer = 30;

async function look(ask: Ask, server: Server): Promise<ForgeAnswer<object>> {
  const { repository } = server.address;
  const project = await ask({ method: "GET", path: pathOf(server) }, { shape: projectShape, doing: `look at ${repository}` });
  if (!project.ok) return project;
  const { archived, merge_requests_enabled: isOpen, permissions } = project.value;
  if (archived) return refused("invalid", `${repository} is archived: nothing can be pushed to it.`);
  if (isOpen === false) return refused("invalid", `${repository} takes no merge requests: turn them on in its settings, or use --no-pr.`);
  const levels = [permissions?.project_access, permissions?.group_access].flatMap((one) => one?.access_level ?? []);
  if (levels.length > 0 && Math.max(...levels) < developer)
    return refused("auth", `This login may not push to ${repository}. Use one that may, or --no-pr and a remote of your own.`);
  return { ok: true, value: {} };
}

async function find(ask: Ask, server: Server, branch: string): Promise<ForgeAnswer<PullRequest | undefined>> {
  const query = new URLSearchParams({ source_branch: branch, state: "all", order_by: "created_at", sort: "desc", per_page: "20" });
  const path = `${pathOf(server)}/merge_requests?${query.toString()}`;
  const listed = await ask({ method: "GET", path }, { shape: z.array(mergeRequestShape), doing: `look for a merge request of ${branch}` });
  if (!listed.ok) return listed;
  // A fork's branch may have the same name.
  const own = listed.value.find((one) => one.source_branch === branch && one.source_project_id === one.target_project_id);
  return { ok: true, value: own && pullRequest(own) };
}

async function open(ask: Ask, server: Server, request: NewPullRequest): Promise<ForgeAnswer<PullRequest>> {
  const { title, body } = requestText(request, server.draft ? "Draft: " : "");
  const { head, base } = request;
  const labels = server.labels?.length ? { labels: server.labels.join(",") } : {};
  const order = { source_branch: head, target_branch: base, title, description: body, ...labels };
  const post = { method: "POST", path: `${pathOf(server)}/merge_requests`, body: order } as const;
  const opened = await ask(post, { shape: mergeRequestShape, doing: `open a merge request for ${head}` });
  return opened.ok ? { ok: true, value: pullRequest(opened.value) } : opened;
}

const pathOf = ({ address }: Server) => `/projects/${encodeURIComponent(address.repository)}`;

function pullRequest({ iid, web_url, state }: z.infer<typeof mergeRequestShape>): PullRequest {
  return { number: iid, url: withoutCredentials(web_url), state: state === "merged" || state === "closed" ? state : "open" };
}
