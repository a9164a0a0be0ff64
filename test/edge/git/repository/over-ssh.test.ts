// Which words and remotes mean that git goes over ssh.
import { execFileSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { overSsh } from "../../../../src/edge/git/repository/over-ssh.ts";
import { tree } from "../../../tools/tree.ts";

function repository(remotes: Record<string, string>) {
  const place = tree({});
  onTestFinished(() => place.remove());
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.path });
  git("init", "--quiet");
  for (const [name, address] of Object.entries(remotes)) git("remote", "add", name, address);
  return overSsh(place.path);
}

it("is an address that the words have, or else that of the remote that they name, or of origin", () => {
  const goes = repository({
    origin: "git@example.org:a/b.git",
    web: "https://example.org/a/b",
    other: "ssh://example.org/a",
    alias: "host:a/b",
  });
  const over = [[], ["--depth", "1"], ["other", "main:main"], ["alias"], ["git@example.org:c/d"], ["https+x", "ssh://example.org/c"]];
  const not = [["web", "main"], ["https://example.org/c"], ["https://user@example.org:8443/c"]];
  expect([...over, ...not].filter((words) => goes(words))).toEqual(over);
});

it("is nothing where there is no repository, or its remote is elsewhere", () => {
  expect([repository({ origin: "https://example.org/a" })([]), repository({})([]), overSsh("/")([])]).toEqual([false, false, false]);
});
