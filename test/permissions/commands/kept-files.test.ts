// Files that commands in the sandbox may remove without a question, on a real repository: those that git has, and those that this session
// created.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { keptByGit } from "../../../src/edge/git/repository/kept-by-git.ts";
import { permit } from "../../../src/permissions/permit.ts";
import { makePolicy, type PolicyOrder } from "../../../src/permissions/policy.ts";
import { scratchRepository } from "../../scratch.ts";

const ignored = ["*.log", "dist/", "__pycache__/", "*.pyc", "target", "coverage", "out", "notes", "bin/"].join("\n");

/** Runs the allowed commands for real, one after another. Returns those that need a question. */
async function asked(commands: string[], { others = [], ...more }: { others?: string[] } & Partial<PolicyOrder> = {}): Promise<string[]> {
  const { top, git, put } = scratchRepository();
  for (const name of ["src/a.ts", "src/b.ts", ".gitignore"]) put(name, name === ".gitignore" ? ignored : name);
  put("bin/a.sh");
  git("add", "-f", "bin");
  git("add", "-A");
  git("commit", "-qm", "first");
  for (const name of others) put(name);
  if (others.length > 0) put("bin/a.sh", "changed");
  put("mine.txt", "a person's");
  put("old.log", "ignored");
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: top, home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, ...more }, real);
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
  ];
  expect(await asked(commands)).toEqual([]);
});

it("asks about what git does not have, ignored or not, and about everything that would be lost, even if this session has added to it", async () => {
  const others = ["build/mine.txt", "bin/kept.sh", "dist/deep/a.js", "out/other/.git/HEAD", "notes/mine.txt", "b.pyc"];
  const removing = [
    "rm -rf build",
    "rm -rf bin",
    "rm -rf dist/*",
    "rm -rf out",
    "rm -rf notes",
    "rm b.pyc",
    "find . -name '*.pyc' -delete",
  ];
  expect(await asked(removing, { others })).toEqual(removing);
  const commands = [
    "echo more >> mine.txt",
    "rm mine.txt",
    "rm old.log",
    "rm *.log",
    "rm -rf .",
    "rm -rf .git",
    "mkdir -p kept && cp mine.txt kept/copy.txt",
    "rm kept/copy.txt",
    "ls | xargs rm",
    "rm $(ls)",
  ];
  expect(await asked(commands)).toEqual(["rm mine.txt", "rm old.log", "rm *.log", "rm -rf .", "rm -rf .git", "ls | xargs rm", "rm $(ls)"]);
});

it("asks before a file is overwritten that git does not have, unless this session made it or git ignores it", async () => {
  const overwriting = ["echo x > F", "cp bin/a.sh F", "echo x | tee F", "sed -i s/a/b/ F", "mv src/b.ts F"];
  const of = (file: string) => overwriting.map((command) => command.replace("F", file));
  expect(await asked(of("mine.txt"))).toEqual(of("mine.txt"));
  for (const file of ["src/a.ts", "old.log", "made.txt"]) expect(await asked(of(file))).toEqual([]);
  expect(await asked(["echo x >> mine.txt", "echo x | tee -a mine.txt", "cp mine.txt copy.txt", "cp -r src bin"])).toEqual([]);
});

it("is so without a sandbox too, where edits are accepted", async () => {
  const order: Partial<PolicyOrder> = { mode: "acceptEdits", sandbox: { kind: "missing", why: "it is not installed" } };
  const removing = ["rm src/a.ts", "touch new.ts && rm new.ts", "echo x > notes.txt", "unlink notes.txt", "mkdir out", "rm -r out src"];
  expect(await asked(removing, order)).toEqual([]);
  expect(await asked(["rm src/a.ts", "rm -rf src"], { ...order, mode: "default" })).toEqual(["rm src/a.ts", "rm -rf src"]);
  const losing = [
    "echo x > src/a.ts; rm mine.txt",
    "rm -rf .",
    "rm *.log",
    "rm -rf .git",
    'rm "$X"',
    "rm -rf $X",
    "rm --no-preserve-root x",
  ];
  expect(await asked([...losing, "ls | xargs rm", "find . -exec rm {} +", "mv mine.txt a; rm a"], order)).toHaveLength(losing.length + 3);
  expect(await asked(["rm -rf src", "rm .gitignore"], { ...order, deny: ["Edit(src/**)"] })).toEqual(["rm -rf src"]);
});

it("asks before a file is lost that lies where it was moved to", async () => {
  const commands = [
    "mv mine.txt a && rm a",
    "mv mine.txt src/a.ts; rm src/a.ts",
    "mkdir d; mv mine.txt d; rm -r d",
    "mv --verbose --backup mine.txt a; rm a",
    "mkdir kept && mv mine.txt kept",
    "rm -r kept",
    "rm kept/mine.txt",
    "touch b.ts && mv kept/mine.txt b.ts",
    "rm b.ts",
    "rm -f src/a.ts && mv src/b.ts src/a.ts",
  ];
  expect(await asked(commands)).toEqual(commands.filter((command) => /rm (?:-r )?(?!-f)/.test(command)));
});

it("gives back what git has without a question, and asks before a change is lost", async () => {
  const restoring = ["git restore src/a.ts", "git checkout -- src/a.ts", "git checkout src"];
  expect(await asked(restoring)).toEqual([]);
  expect(await asked(["git restore bin/a.sh", "git checkout -- bin"], { others: ["b.pyc"] })).toEqual([
    "git restore bin/a.sh",
    "git checkout -- bin",
  ]);
  expect(await asked(["echo x >> src/a.ts", "git restore src/a.ts"])).toEqual([]); // the change was the session's own
});

it("asks for every command where the settings say so", async () => {
  expect(await asked(["rm src/a.ts"], { autoAllow: false })).toEqual(["rm src/a.ts"]);
});
