// GitLab and Gitea on this machine: the parts of their APIs that a batch uses, with the refusals of https://docs.gitlab.com/api/merge_requests/ and
// https://docs.gitea.com/api/. Git over HTTP is served in front of a bare repository, if there is one.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveGit } from "../../../src/edge/forge/loopback-git.ts";

export type Fault = { status: number; headers?: Record<string, string>; body: unknown } | "silent" | "lost";

export type Pull = { number: number; title: string; body: string; head: string; base: string; state: "open" | "closed"; labels: string[] };

/** `branches`: of the repository acme/app (at GitLab acme/team/app). `labels`: of the repository and of its owner, by id. */
export type ServerOptions = {
  token: string;
  branches: () => string[];
  labels?: { own: Record<string, number>; organization?: Record<string, number> };
  /** The bare repository that is served for pushes. */
  folder?: string;
};

export type LoopbackServer = {
  url: string;
  pulls: Pull[];
  /** Every request to the API, as in `GET /user`. */
  requests: string[];
  /** The next answer to a request that begins so. */
  failNext: (request: string, fault: Fault) => void;
  close: () => Promise<void>;
};

type Asked = { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> };
type Answer = { status: number; body: unknown };
/** `schemes`: the words before a token in the header `Authorization`. */
type Rules = { prefix: string; repository: string; schemes: string[]; unauthorized: unknown; answer: (asked: Asked) => Answer };

export const loopbackGitLab = (options: ServerOptions) => serve(options, gitLabRules);
export const loopbackGitea = (options: ServerOptions) => serve(options, giteaRules);

async function serve(
  options: ServerOptions,
  rulesOf: (options: ServerOptions, pulls: Pull[], url: () => string) => Rules,
): Promise<LoopbackServer> {
  const pulls: Pull[] = [];
  const requests: string[] = [];
  const faults: { request: string; fault: Fault }[] = [];
  const rules = rulesOf(options, pulls, () => url);
  async function handle(request: IncomingMessage, response: ServerResponse) {
    const at = new URL(request.url ?? "/", "http://loopback");
    const { folder, token } = options;
    if (folder && at.pathname.startsWith(`/${rules.repository}.git/`)) return serveGit(request, response, { folder, token });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = at.pathname.slice(rules.prefix.length);
    const name = `${request.method} ${path}`;
    requests.push(name);
    const index = faults.findIndex((each) => name.startsWith(each.request));
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]!.fault;
    if (fault === "silent") return;
    if (fault && fault !== "lost") return send(response, fault, fault.headers);
    const { authorization = "", "private-token": own = "" } = request.headers;
    if (!rules.schemes.some((scheme) => authorization === `${scheme} ${token}`) && own !== token)
      return send(response, { status: 401, body: rules.unauthorized });
    if (!at.pathname.startsWith(rules.prefix)) return send(response, { status: 404, body: "<html>" });
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {};
    const answer = rules.answer({ method: request.method ?? "", path, query: at.searchParams, body });
    if (fault) return void response.destroy();
    send(response, answer);
  }
  const server = createServer((...pair) => void handle(...pair).catch(() => pair[1].destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pulls,
    requests,
    failNext: (request, fault) => void faults.push({ request, fault }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const isSame = (pull: Pull, head: string, base: string) => pull.head === head && pull.base === base && pull.state === "open";

function gitLabRules({ branches }: ServerOptions, pulls: Pull[], url: () => string): Rules {
  const project = `/projects/${encodeURIComponent("acme/team/app")}`;
  const shown = (pull: Pull) => ({
    iid: pull.number,
    web_url: `${url()}/acme/team/app/-/merge_requests/${pull.number}`,
    state: pull.state === "open" ? "opened" : "closed",
    title: pull.title,
    source_branch: pull.head,
    source_project_id: 7,
    target_project_id: 7,
  });
  const missing = (what: string) => ({ status: 404, body: { message: `404 ${what} Not Found` } });
  function open(body: Record<string, unknown>): Answer {
    const [title, head, base] = [textOf(body["title"]), textOf(body["source_branch"]), textOf(body["target_branch"])];
    if (title === "" || title.length > 255)
      return { status: 400, body: { message: { title: ["is too long (maximum is 255 characters)"] } } };
    if (!branches().includes(head)) return { status: 400, body: { message: { source_branch: ["does not exist"] } } };
    if (pulls.some((pull) => isSame(pull, head, base)))
      return { status: 409, body: { message: ["Another open merge request already exists for this source branch: !1"] } };
    const labels = textOf(body["labels"]).split(",").filter(Boolean); // made if they are not there
    pulls.push({ number: pulls.length + 1, title, body: textOf(body["description"]), head, base, state: "open", labels });
    return { status: 201, body: shown(pulls.at(-1)!) };
  }
  return {
    prefix: "/api/v4",
    repository: "acme/team/app",
    schemes: ["Bearer"],
    unauthorized: { message: "401 Unauthorized" },
    answer({ method, path, query, body }) {
      if (path === "/user") return { status: 200, body: { username: "ann" } };
      if (!path.startsWith(project)) return missing("Project");
      const rest = path.slice(project.length);
      if (rest === "") return { status: 200, body: { id: 7, archived: false, permissions: { project_access: { access_level: 30 } } } };
      const branch = /^\/repository\/branches\/([^/]+)$/.exec(rest)?.[1];
      if (branch) return branches().includes(decodeURIComponent(branch)) ? { status: 200, body: { name: branch } } : missing("Branch");
      if (rest !== "/merge_requests") return missing("");
      if (method === "POST") return open(body);
      const found = pulls.filter(
        (pull) => pull.head === query.get("source_branch") && (query.get("state") === "all" || pull.state === "open"),
      );
      return { status: 200, body: found.toReversed().map(shown) };
    },
  };
}

function giteaRules({ branches, labels = { own: {} } }: ServerOptions, pulls: Pull[], url: () => string): Rules {
  const repository = "/repos/acme/app";
  const missing = { status: 404, body: { message: "The target couldn't be found.", errors: [] } };
  const shown = (pull: Pull) => ({
    number: pull.number,
    html_url: `${url()}/acme/app/pulls/${pull.number}`,
    state: pull.state,
    merged: false,
    head: { ref: pull.head, repo_id: 7 },
    base: { ref: pull.base, repo_id: 7 },
  });
  const known = { ...labels.own, ...labels.organization };
  /** No more than two to a page, as a server may be set up. */
  const page = (items: unknown[], query: URLSearchParams) => {
    const at = Number(query.get("page") ?? 1) - 1;
    return { status: 200, body: items.slice(at * 2, at * 2 + 2) };
  };
  const labelsOf = (of: Record<string, number>) => Object.entries(of).map(([name, id]) => ({ id, name }));
  function open(body: Record<string, unknown>): Answer {
    const [title, head, base] = [textOf(body["title"]), textOf(body["head"]), textOf(body["base"])];
    const ids = (body["labels"] as unknown[] | undefined) ?? [];
    if (title === "") return { status: 422, body: { message: "[Title]: Required" } };
    if (ids.some((id) => typeof id !== "number")) return { status: 422, body: { message: "json: cannot unmarshal string into int64" } };
    if (!branches().includes(head) || !branches().includes(base)) return missing;
    if (pulls.some((pull) => isSame(pull, head, base)))
      return { status: 409, body: { message: "pull request already exists for these targets [id: 1, issue_id: 1]" } };
    const names = labelsOf(known).flatMap(({ id, name }) => (ids.includes(id) ? name : []));
    pulls.push({ number: pulls.length + 1, title, body: textOf(body["body"]), head, base, state: "open", labels: names });
    return { status: 201, body: shown(pulls.at(-1)!) };
  }
  return {
    prefix: "/api/v1",
    repository: "acme/app",
    schemes: ["token", "Bearer"],
    unauthorized: { message: "token is required" },
    answer({ method, path, query, body }) {
      if (path === "/user") return { status: 200, body: { login: "ann" } };
      if (path === "/orgs/acme/labels") return labels.organization ? page(labelsOf(labels.organization), query) : missing;
      if (path !== repository && !path.startsWith(`${repository}/`)) return missing;
      const rest = path.slice(repository.length);
      if (rest === "") return { status: 200, body: { archived: false, has_pull_requests: true, permissions: { push: true } } };
      if (rest === "/labels") return page(labelsOf(labels.own), query);
      const branch = /^\/branches\/(.+)$/.exec(rest)?.[1];
      if (branch) return branches().includes(decodeURIComponent(branch)) ? { status: 200, body: { name: branch } } : missing;
      if (rest !== "/pulls") return missing;
      return method === "POST" ? open(body) : page(pulls.toReversed().map(shown), query);
    },
  };
}
