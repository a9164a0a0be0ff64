// Which words and remotes mean that git goes over ssh.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { overSsh } from "../../../../src/edge/git/repository/over-ssh.ts";
import { tree } from "../../../tools/tree.ts";

function repository(remotes: Record<string, string>, { global = "", own = "" } = {}) {
  const place = tree({ ".gitconfig": global });
  onTestFinished(() => place.remove());
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.path });
  git("init", "--quiet");
  for (const [name, address] of Object.entries(remotes)) git("remote", "add", name, address);
  if (own) writeFileSync(join(place.path, ".git/config"), own, { flag: "a" });
  return overSsh(place.path, { HOME: place.path });
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
  expect(over.map((words) => goes(words))).toEqual(["example.org", "example.org", "example.org", "host", "example.org", "example.org"]);
});

it("is nothing where there is no repository, or its remote is elsewhere", () => {
  expect([repository({ origin: "https://example.org/a" })([]), repository({})([]), overSsh("/")([])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("is where the person's settings or the repository's say that git goes instead", () => {
  const global =
    '# mine\n[url "git@code.example:"]\n\tinsteadOf = https://web.example/ ; short\n\tpushInsteadOf = "https://push.example/"\n[user]\n\tname = a \\\n b\n';
  const goes = repository(
    { origin: "https://web.example/a/b.git", other: "https://push.example/a", gh: "gh:a/b" },
    {
      global,
      own: '[url "https://longer.example/"]\n\tinsteadOf = https://web.example/a/\n[url "https://gh.example/"]\n\tinsteadOf = gh:\n',
    },
  );
  const asked: string[][] = [
    ["push", "https://web.example/c"],
    ["push", "other"],
    ["fetch", "other"],
    ["push", "origin"],
    ["fetch", "gh"],
    ["fetch", "gh:c/d"],
  ];
  expect(asked.map((words) => goes(words))).toEqual(["code.example", "code.example", undefined, undefined, undefined, undefined]);
});

it("is for a push the address that the remote has for it, which no pushInsteadOf changes", () => {
  const own = '[remote "origin"]\n\tpushurl = https://push.example/a\n[remote "web"]\n\tpushurl = git@push.example:a\n';
  const global = '[url "git@code.example:"]\n\tpushInsteadOf = https://push.example/\n';
  const goes = repository({ origin: "git@code.example:a", web: "https://web.example/a" }, { own, global });
  const asked: string[][] = [["push"], ["fetch"], ["push", "web"], ["fetch", "web"]];
  expect(asked.map((words) => goes(words))).toEqual([undefined, "code.example", "push.example", undefined]);
});
