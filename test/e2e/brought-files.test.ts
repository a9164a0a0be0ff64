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

/** A repository with `main` (one, two) and `other` (one, three, f3, f4), which is checked out. */
function withConflict() {
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("config", "user.name", "x");
  git("config", "user.email", "x@x");
  const commit = (file: string, content: string) => {
    there.write(`repo/${file}`, content);
    git("add", file);
    git("commit", "--quiet", "--message", content);
  };
  for (const content of ["one", "two"]) commit("a.txt", content);
  git("branch", "-M", "main");
  git("branch", "precious");
  git("switch", "--quiet", "-c", "other", "HEAD~1");
  commit("a.txt", "three");
  for (const name of ["f3", "f4"]) commit(name, name);
  const said = async (commands: string[]) => {
    const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
    const program = there.warm(["--print", "Go on.", "--allow", "Bash"], { env: api.env });
    expect(await program.ended).toEqual({ code: 0 });
    const results = commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "");
    return { results: results.map((result) => /git's notes of .*?(?=\])/.exec(result)?.[0]), told: program.stderr() };
  };
  return { there, git, said };
}

const sentence = (kind: string, ways = `git ${kind} --abort and --continue`) =>
  `git's notes of the ${kind} that is under way in this checkout are not as before the command: ${ways} follow what they say now. Look first: git status, git reflog`;

const notes: [what: string, kind: string, script: string][] = [
  ["where a rebase came from", "rebase", "git rev-parse HEAD > .git/rebase-merge/orig-head"],
  [
    "which branches it moves",
    "rebase",
    "printf 'refs/heads/precious\\n%s\\n%s\\n' $(git rev-parse precious HEAD~1) > .git/rebase-merge/update-refs",
  ],
  ["what it picks", "rebase", "sed -i '/f3$/d' .git/rebase-merge/git-rebase-todo"],
  ["where an am came from", "am", "git rev-parse HEAD~2 > .git/ORIG_HEAD"],
  ["what an am applies", "am", "echo >> .git/rebase-apply/0001"],
  ["where a bisect came from", "bisect", "echo precious > .git/BISECT_START"],
];

it.skipIf(await lacks("sandbox")).each(notes)("says once that a command has written over %s", async (_, kind, script) => {
  const { there, git, said } = withConflict();
  if (kind === "rebase") expect(() => git("rebase", "main")).toThrow();
  if (kind === "bisect") git("bisect", "start");
  if (kind === "am") {
    there.write("mbox", git("format-patch", "-1", "--stdout", "precious"));
    expect(() => git("am", "../mbox")).toThrow();
  }
  there.write("repo/turn.sh", `${script}\n`);
  const expected = kind === "bisect" ? sentence(kind, "git bisect reset and its next steps") : sentence(kind);
  const { results, told } = await said(["sh turn.sh", "git status --short > list.txt"]);
  expect(results).toEqual([expected, undefined]);
  expect(told.split(expected)).toHaveLength(2);
});

const begun: [what: string, kind: string, command: string][] = [
  ["begins", "rebase", "git rebase main; git rev-parse HEAD > .git/rebase-merge/orig-head"],
  [
    "forges",
    "rebase",
    "d=.git/rebase-merge; mkdir $d; git rev-parse HEAD~2 > $d/orig-head; cp $d/orig-head $d/onto; echo refs/heads/other > $d/head-name; touch $d/done $d/git-rebase-todo",
  ],
  ["begins and leaves", "merge", "git merge main"],
];

it.skipIf(await lacks("sandbox")).each(begun)(
  "says that the notes are a command's own where a script %s a step",
  async (_, kind, script) => {
    const { there, said } = withConflict();
    there.write("repo/turn.sh", `${script}; true\n`);
    expect((await said(["sh turn.sh"])).results).toEqual([sentence(kind)]);
  },
);

it.skipIf(await lacks("sandbox"))("says nothing of steps that are in the text of a command, and of those that end", async () => {
  const { there, git, said } = withConflict();
  there.write("repo/abort.sh", "git rebase --abort\n");
  const commands = [
    "git rebase main 2>&1 | tail -3 || true",
    "git checkout --theirs a.txt && git add a.txt && GIT_EDITOR=true git rebase --continue",
    "git rebase --onto main~1 main",
    "sh abort.sh",
  ];
  expect((await said(commands)).results).toEqual(commands.map(() => undefined));
  expect(git("log", "--format=%s").split("\n")).toEqual(["f4", "f3", "three", "two", "one"]);
  expect(git("reflog", "--format=%gs")).toContain("rebase (abort)");
});

it.skipIf(await lacks("sandbox"))("says what a command has made stand for another reference", async () => {
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "--message", "one");
  git("branch", "kept");
  there.write("repo/stand.sh", "echo 'ref: refs/heads/later' > .git/refs/stash; echo 'ref: refs/heads/kept' > .git/ORIG_HEAD\n");
  const commands = ["sh stand.sh", "git status --short"];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const program = there.warm(["--print", "Go on."], { env: api.env });
  expect(await program.ended).toEqual({ code: 0 });
  const [first, second] = commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "");
  expect(first).toContain("refs/stash stands for refs/heads/later now");
  expect(first).toContain("ORIG_HEAD stands for refs/heads/kept now");
  expect(second).not.toContain("stands for");
});
