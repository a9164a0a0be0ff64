// Files that may be removed without a question in the mode acceptEdits, on a real repository: those that git has, and those that this
// session created.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { keptByGit } from "../../src/edge/git/kept-by-git.ts";
import { permit } from "../../src/permissions/permit.ts";
import { makePolicy, type PermissionMode } from "../../src/permissions/policy.ts";
import { scratchFolder } from "../scratch.ts";

const ignored = ["*.log", "dist/", "__pycache__/", "*.pyc", "target", "coverage", "out", "notes", "bin/"].join("\n");

/** Runs the allowed commands for real, one after another. Returns those that need a question. */
async function asked(mode: PermissionMode, commands: string[], others: string[] = []): Promise<string[]> {
  const top = realpathSync(scratchFolder());
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd: top, stdio: "pipe" });
  const put = (name: string, text = name) => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  };
  git("init", "-q");
  for (const name of ["src/a.ts", "src/b.ts", ".gitignore"]) put(name, name === ".gitignore" ? ignored : name);
  put("bin/a.sh");
  git("add", "-f", "bin");
  git("add", "-A");
  git("commit", "-qm", "first");
  for (const name of others) put(name);
  if (others.length > 0) put("bin/a.sh", "changed");
  writeFileSync(join(top, "mine.txt"), "a person's");
  writeFileSync(join(top, "old.log"), "ignored");
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: top, home: "/home/me", configDir: "/home/me/.tool", mode }, real);
  if (!made.ok) throw new Error(made.reason);
  const may = permit({ policy: made.policy, real, ask: undefined, keptByGit });
  const found: string[] = [];
  for (const command of commands) {
    const { allowed } = await may({ tool: "Bash", input: { command } }, new AbortController().signal);
    if (allowed) execFileSync("bash", ["-c", command], { cwd: top, stdio: "pipe" });
    else found.push(command);
  }
  return found;
}

it("rm needs no answer for files that git has stored, and for those that this session has created", async () => {
  const commands = [
    "rm src/a.ts",
    "touch new.ts && rm new.ts",
    "echo x > notes.txt",
    "rm -f notes.txt",
    "mkdir -p out/deep && cp -r src out/deep",
    "rm -r out",
    "sed -i.bak s/b/c/ src/b.ts",
    "rm src/b.ts.bak",
  ];
  expect(await asked("acceptEdits", commands)).toEqual([]);
});

it("rm needs no answer for build outputs that git ignores", async () => {
  const built = ["dist/deep/a.js", "pkg/__pycache__/a.pyc", "b.pyc", "target/debug/x", "coverage/index.html"];
  expect(
    await asked("acceptEdits", ["rm -rf dist/*", "rm -rf dist pkg/__pycache__", "rm b.pyc", "rm -r target/debug coverage/"], built),
  ).toEqual([]);
});

it("a search needs no answer if it removes only build outputs", async () => {
  const commands = [
    "find . -name '*.pyc' -delete",
    "find . -type d -name __pycache__ -prune -exec rm -rf {} +",
    "rm -rf *.egg-info .mypy_cache src/*.pyc",
    "find src -type d -not -path './x/*' -name .pytest_cache | xargs rm -rf",
  ];
  expect(await asked("acceptEdits", commands, ["pkg/__pycache__/a.pyc", "src/b.pyc", "x.egg-info/PKG-INFO", ".mypy_cache/x"])).toEqual([]);
  const others = [
    "find . -name '*.txt' -delete",
    "find . -name '*.pyc' -o -name mine.txt -delete",
    "find . -delete -name '*.pyc'",
    "find . ! -name '*.pyc' -delete",
    "find . -exec rm -rf -name __pycache__ {} +",
    "find -L . -name __pycache__ -exec rm -rf {} +",
    "find . -path -name __pycache__ -exec rm -rf {} +",
    "find . -name __pycache__ -exec rm -rf {} mine.txt +",
    "find . -name __pycache__ | xargs rm -rf mine.txt",
    "find .. -name __pycache__ -exec rm -rf {} +",
    "find . -type d -name __pycache__ -exec rm -rf {}/.. \\;",
    "rm -rf notes/*",
    "rm -rf dist/*/../../src",
    "rm -rf */mine.txt",
    "rm -rf */__pycache__",
    "rm -rf ../*.pyc",
    "rm -rf *.egg-info mine.txt",
  ];
  expect(await asked("acceptEdits", others, ["notes/mine.txt", "dist/a/b.js"])).toEqual(others);
});

it("asks if an output is not ignored, is tracked, is a repository of its own, or does not have the name of one", async () => {
  const others = ["build/mine.txt", "bin/kept.sh", "out/other/.git/HEAD", "out/.git/HEAD", "notes/mine.txt"];
  const commands = ["rm -rf build", "rm -rf bin", "rm -rf out", "rm -rf notes"];
  expect(await asked("acceptEdits", commands, others)).toEqual(commands);
});

it("asks about everything that would be lost, even if this session has added to it", async () => {
  const commands = [
    "echo more >> mine.txt",
    "rm mine.txt",
    "rm old.log",
    "rm *.log",
    "echo x >> src/b.ts",
    "mkdir -p kept && cp mine.txt kept/copy.txt",
    "rm -rf .",
    "rm -rf .git",
    "rm kept/copy.txt",
  ];
  expect(await asked("acceptEdits", commands)).toEqual(["rm mine.txt", "rm old.log", "rm *.log", "rm -rf .", "rm -rf .git"]);
});

it("in the mode default asks as for every change", async () => {
  expect(await asked("default", ["rm src/a.ts"])).toEqual(["rm src/a.ts"]);
});
