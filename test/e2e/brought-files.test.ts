// A command can put files that run later into a commit on another branch, without a file in the tree: the person and the agent are told.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { teamPlace } from "../team-kit.ts";

const planting = `blob=$(echo run | git hash-object -w --stdin)
export GIT_INDEX_FILE=.git/other-index
for file in .envrc .vscode/tasks.json; do git update-index --add --cacheinfo 100644,$blob,$file; done
git update-ref refs/heads/other $(git -c user.name=a -c user.email=a@b.c commit-tree $(git write-tree) -p HEAD -m x)
`;

it.skipIf(await lacks("sandbox"))(
  "says which protected files a script has put on another branch, once, and nothing of other commands",
  async () => {
    const there = teamPlace();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "--message", "one");
    there.write("repo/plant.sh", planting);
    const commands = ["sh plant.sh", "git branch plain", "git log -1 --format=%s"];
    const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
    const program = there.warm(["--print", "Go on."], { env: api.env });
    expect(await program.ended).toEqual({ code: 0 });
    const results = commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "");
    expect(git("ls-tree", "-r", "--name-only", "other")).toBe(".envrc\n.vscode/tasks.json");
    const sentence = `other brings .envrc, .vscode/tasks.json, which can run programs or set what agents may do once you switch to it or merge it. Look first: git show ${git("rev-parse", "other")}:.envrc`;
    expect(results).toEqual([expect.stringContaining(`[${sentence}]`), expect.not.stringContaining("brings"), "one"]);
    expect(program.stderr()).toContain(sentence);
  },
);

it.skipIf(await lacks("sandbox"))(
  "says where an abort would go now, if a command has written that over while a step is under way",
  async () => {
    const there = teamPlace();
    const author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    const git = (...args: string[]) =>
      execFileSync("git", [...author, ...args], { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
    const commit = (content: string) => {
      there.write("repo/a.txt", content);
      git("add", "a.txt");
      git("commit", "--quiet", "--message", content);
    };
    for (const content of ["one", "two"]) commit(content);
    git("switch", "--quiet", "-c", "other", "HEAD~1");
    commit("three");
    expect(() => git("rebase", "-")).toThrow();
    there.write("repo/turn.sh", "git rev-parse HEAD > .git/rebase-merge/orig-head\n");
    const commands = ["sh turn.sh", "git status --short"];
    const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
    const program = there.warm(["--print", "Go on."], { env: api.env });
    expect(await program.ended).toEqual({ code: 0 });
    const results = commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "");
    expect(results).toEqual([
      expect.stringContaining("rebase-merge/orig-head says something else"),
      expect.not.stringContaining("orig-head"),
    ]);
    expect(program.stderr()).toContain("rebase-merge/orig-head says something else");
  },
);

it.skipIf(await lacks("sandbox"))("says what a command has made stand for another reference", async () => {
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "--message", "one");
  git("branch", "kept");
  there.write("repo/stand.sh", "echo 'ref: refs/heads/kept' > .git/refs/stash; echo 'ref: refs/heads/kept' > .git/ORIG_HEAD\n");
  const commands = ["sh stand.sh", "git status --short"];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const program = there.warm(["--print", "Go on."], { env: api.env });
  expect(await program.ended).toEqual({ code: 0 });
  const [first, second] = commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "");
  expect(first).toContain("refs/stash stands for refs/heads/kept now");
  expect(first).toContain("ORIG_HEAD stands for refs/heads/kept now");
  expect(second).not.toContain("stands for");
});
