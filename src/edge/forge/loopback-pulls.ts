// Which pull requests GitHub accepts, for the local forge: https://docs.github.com/rest/pulls/pulls, read 2026-11.
import { gitInOwnRepository } from "../git/own-git.ts";
import type { Answered, LoopbackOptions } from "./loopback-forge.ts";

export type LoopbackPull = {
  number: number;
  head: string;
  base: string;
  title: string;
  body: string;
  state: "open" | "closed";
  draft?: true;
  labels?: string[];
};

export function pullRequests({ owner, repository, folder }: LoopbackOptions, base: () => string) {
  const pulls: LoopbackPull[] = [];
  const git = (...args: string[]) => gitInOwnRepository(folder, [`--git-dir=${folder}`, ...args], "Cannot read the forge's repository");
  const has = async (branch: string) =>
    (await git("for-each-ref", "--format=%(refname)", `refs/heads/${branch}`)) === `refs/heads/${branch}`;
  const shown = (pull: LoopbackPull) => ({
    number: pull.number,
    html_url: `${base()}/${owner}/${repository}/pull/${pull.number}`,
    state: pull.state,
    merged_at: null,
    title: pull.title,
    body: pull.body,
    head: { ref: pull.head, repo: { full_name: `${owner}/${repository}` } },
    base: { ref: pull.base },
  });
  return {
    all: () => pulls,
    async branch(name: string): Promise<Answered> {
      return (await has(name)) ? { status: 200, body: { name } } : { status: 404, body: { message: "Branch not found" } };
    },
    list(query: URLSearchParams): Answered {
      const head = query.get("head");
      const state = query.get("state") ?? "open";
      const found = pulls.filter(
        (pull) => (head === null || `${owner}:${pull.head}` === head) && (state === "all" || pull.state === state),
      );
      return { status: 200, body: found.reverse().map(shown) };
    },
    label(number: number, { labels }: Record<string, unknown>): Answered {
      const pull = pulls.find((each) => each.number === number);
      if (!pull) return { status: 404, body: { message: "Not Found" } };
      pull.labels = Array.isArray(labels) ? labels.map(String) : [];
      return { status: 200, body: pull.labels.map((name) => ({ name })) };
    },
    async open(body: Record<string, unknown>): Promise<Answered> {
      const text = (name: string) => (typeof body[name] === "string" ? (body[name] as string) : "");
      const [title, head, into] = [text("title"), text("head"), text("base")];
      if (title === "") return invalid({ resource: "PullRequest", field: "title", code: "missing_field" });
      if (!(await has(head))) return invalid({ resource: "PullRequest", field: "head", code: "invalid" });
      if (!(await has(into))) return invalid({ resource: "PullRequest", field: "base", code: "invalid" });
      if ((await git("rev-list", "--count", `refs/heads/${head}`, `^refs/heads/${into}`)) === "0")
        return invalid({ resource: "PullRequest", code: "custom", message: `No commits between ${into} and ${head}` });
      // Checked and added synchronously: of two requests at once the second is refused.
      if (pulls.some((pull) => pull.head === head && pull.base === into && pull.state === "open"))
        return invalid({ resource: "PullRequest", code: "custom", message: `A pull request already exists for ${owner}:${head}.` });
      const pull: LoopbackPull = { number: pulls.length + 1, head, base: into, title, body: text("body"), state: "open" };
      if (body["draft"] === true) pull.draft = true;
      pulls.push(pull);
      return { status: 201, body: shown(pull) };
    },
  };
}

const invalid = (error: Record<string, string>): Answered => ({ status: 422, body: { message: "Validation Failed", errors: [error] } });
