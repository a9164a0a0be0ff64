// Files that rules hide, in git's history: everyday commands that read it print nothing of them, and a command that names one there is denied. What
// asks git for more than that is not kept from it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { repositoryHistory, showsHiddenIn } from "../../src/edge/git/repository/repository-history.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { hiddenPlaces } from "../../src/permissions/paths/hidden.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { commandEnvironment, withAttributes } from "../../src/secrets/environment.ts";
import { scratchFolder, start, templateFolder } from "../scratch.ts";

const canary = "xyzzy-9431";

const environment = (home: string) => commandEnvironment({ PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" }, "s1:ada");

function toolsIn(folder: string, env: Record<string, string>) {
  return {
    git: (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@l", ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" }),
    put(path: string, text: string) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
  };
}

/**
 * A repository with hidden files in its history: changed and not committed; in a folder; deleted long ago; on another branch; in the stash.
 */
function fill(folder: string): void {
  const { git, put } = toolsIn(folder, environment(folder));
  git("init", "-q", "-b", "main");
  put("a.txt", "one\n");
  put("src/b.ts", "two\n");
  put("hidden/k [1]*.txt", `${canary} k\n`);
  put("old.secret", `${canary} old\n`);
  put(".env", `A=${canary}\n`);
  git("add", "-f", ".");
  git("commit", "-qm", "first");
  git("rm", "-q", "old.secret");
  put(".env", `A=${canary} again\n`);
  put("a.txt", "one more\n");
  git("commit", "-qam", "second");
  git("switch", "-qc", "side");
  put("hidden/side.txt", `${canary} side\n`);
  git("add", "-f", ".");
  git("commit", "-qm", "side");
  git("switch", "-q", "main");
  put(".env", `A=${canary} put aside\n`);
  git("stash", "-q");
  put(".env", `A=${canary} now\n`);
  put("a.txt", "one and more\n");
}

const ordinary = templateFolder(fill);

async function workplace() {
  const folder = ordinary();
  const state = scratchFolder();
  const env = environment(scratchFolder());
  const { git, put } = toolsIn(folder, env);
  const real = async (path: string) => path;
  const made = await makePolicy(
    {
      cwd: folder,
      home: "/home/me",
      configDir: "/home/me/.tool",
      allow: ["Bash"],
      deny: ["Read(.env)", "Read(//nowhere/**)"],
      toolignore: { text: "/hidden/\n*.secret\n", folder },
      sandbox: { kind: "active" },
    },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const { policy } = made;
  const attributes = join(state, "own/attributes");
  const history = repositoryHistory({ file: attributes, list: join(state, "own/hidden.json") });
  const isHidden = hiddenPlaces(policy);
  return {
    folder,
    git,
    put,
    history,
    isHidden,
    async decision(command: string) {
      await history.survey([folder], isHidden);
      return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy);
    },
    async run(command: string) {
      const ran = start(["bash", "-c", command], { cwd: folder, env: withAttributes(env, attributes) });
      await ran.ended;
      return ran.output();
    },
  };
}

const everyday =
  "git status|git log --oneline|git log -p|git log -p --all|git log --stat -3|git show|git show HEAD~1|git show main|git diff|git diff HEAD~1|git diff main side|git diff --stat|git diff -w|git diff a.txt|git log -p -- a.txt|git stash show -p|git stash list|git grep xyzzy|git grep -n one HEAD|git grep xyzzy side|git blame a.txt|git show HEAD:a.txt|git cat-file -p HEAD|git cat-file -t HEAD|git archive HEAD|git diff-tree -p HEAD|git range-diff HEAD~1...side|git log -p --cc|git log -S one -p|git branch -a|git ls-files|git ls-tree -r HEAD|git rev-parse HEAD|git log -p --word-diff|git whatchanged -p|git show $(git rev-parse HEAD)|git reflog -p".split(
    "|",
  );
const changing = "git checkout side|git checkout -b new|git restore a.txt|git checkout -- src|git add -A|git commit -am x".split("|");

describe("in a repository with hidden files in its history", () => {
  /** Why it is not allowed, and whether it prints something hidden. */
  async function found({ decision, run }: Awaited<ReturnType<typeof workplace>>, command: string) {
    const { decision: decided, reason } = await decision(command);
    return [command, decided === "allow" ? decided : reason, (await run(command)).includes(canary)];
  }

  it("everyday commands that look print nothing of them, and need no permission", async () => {
    const place = await workplace();
    for (const command of everyday) expect(await found(place, command)).toEqual([command, "allow", false]);
  });

  it.each(["*.txt !diff", "hidden/** diff", "hidden/** diff=words"])("sees that attributes of the tree show them: %s", async (line) => {
    const { decision, history, put } = await workplace();
    await decision("git log -p");
    expect(await history.showsHidden()).toBe(false);
    put(".gitattributes", `${line}\n`);
    await decision("git log -p");
    expect(await history.showsHidden()).toBe(true);
  });

  it("prints nothing of them where the tree gives them a driver of that name", async () => {
    const place = await workplace();
    place.put(".gitattributes", "hidden/** diff=unset\n.env diff=unset\n*.secret diff=unset\n");
    for (const command of ["git log -p --all", "git show", "git diff HEAD~1"])
      expect(await found(place, command)).toEqual([command, "allow", false]);
  });

  it("tells so without a session, too", async () => {
    const { folder, put, isHidden } = await workplace();
    expect(await showsHiddenIn([folder], isHidden)).toBe(false);
    put(".gitattributes", "*.txt !diff\n");
    expect(await showsHiddenIn([folder], isHidden)).toBe(true);
    expect(await showsHiddenIn([folder], () => false)).toBe(undefined);
  });

  it.each(changing)("this prints nothing of them, and needs no permission: %s", async (command) => {
    expect(await found(await workplace(), command)).toEqual([command, "allow", false]);
  });

  const naming =
    "git show HEAD:.env|git show HEAD:./.env|git show :.env|git show :0:.env|git cat-file -p HEAD:.env|git cat-file blob side:hidden/side.txt|git blame .env|git log -p -- .env|git -C . show HEAD:.env|git checkout side hidden/side.txt|sh -c 'git show HEAD:.env'".split(
      "|",
    );

  it("commands that name such a file there are denied", async () => {
    const { decision } = await workplace();
    for (const command of naming) expect([command, (await decision(command)).decision]).toEqual([command, "deny"]);
  });

  it("commands that compare folders there, or name such a file behind braces, are not allowed", async () => {
    const { decision, git } = await workplace();
    const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const shown = [`git diff ${empty} side:hidden`, `git diff-tree -p ${empty} side:hidden`, "git diff main:src side:hidden"];
    expect(git("diff", empty, "side:hidden")).toContain(canary); // no attribute of ours has this name
    for (const command of shown) expect([command, (await decision(command)).decision]).not.toEqual([command, "allow"]);
    const braces = [
      "git show 'HEAD^{/.|[{][}]:}:.env'",
      "git show 'HEAD^{/[{]a:b[}]c:d}:.env'",
      "git cat-file -p 'side^{/x:}:hidden/side.txt'",
    ];
    for (const command of braces) expect([command, (await decision(command)).decision]).toEqual([command, "deny"]);
  });

  it("files with the same content are each found, in commits and merges", async () => {
    const { decision, git, put, run } = await workplace();
    git("restore", ".");
    for (const path of ["x/.env", "y/.env", "z/a.secret"]) put(path, `${canary} twice\n`);
    git("add", "-f", ".");
    git("commit", "-qm", "twice");
    git("mv", "z/a.secret", "z/b.secret");
    git("commit", "-qm", "moved");
    git("merge", "-q", "--no-commit", "side");
    put("z/merged.secret", `${canary} twice\n`);
    git("add", "-f", ".");
    git("commit", "-qm", "merged");
    git("rm", "-qr", "x", "y", "z");
    git("commit", "-qm", "gone");
    for (const command of ["git log -p -m", "git log -p --cc", "git show HEAD~1", "git diff HEAD~1 HEAD"])
      expect([command, (await decision(command)).decision, (await run(command)).includes(canary)]).toEqual([command, "allow", false]);
  });

  it("new files are found", async () => {
    const { decision, git, put, run } = await workplace();
    put("late.secret", `${canary} late\n`);
    git("add", "-f", "late.secret");
    expect([(await decision("git diff --cached")).decision, (await run("git diff --cached")).includes(canary)]).toEqual(["allow", false]);
    git("commit", "-qm", "late");
    expect([(await decision("git show")).decision, (await run("git show")).includes(canary)]).toEqual(["allow", false]);
  });
});

it("attributes that a user has for every repository stay", async () => {
  const own = scratchFolder();
  mkdirSync(join(own, "git"));
  writeFileSync(join(own, "git/attributes"), "*.png -text");
  vi.stubEnv("XDG_CONFIG_HOME", own);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = realpathSync(scratchFolder());
  execFileSync("git", ["init", "-q", folder]);
  writeFileSync(join(folder, 'a "b" [c]*'), "x");
  execFileSync("git", ["-C", folder, "add", "."]);
  const file = join(scratchFolder(), "own/attributes");
  const history = repositoryHistory({ file, list: `${file}.json` });
  await history.survey([folder], () => true);
  expect(readFileSync(file, "utf8")).toBe('*.png -text\n"/a \\"b\\" \\\\[c\\\\]\\\\*" -diff export-ignore\n');
  await history.survey([folder], undefined);
  expect(readFileSync(file, "utf8")).toBe("*.png -text\n");
});

it("if the history contains nothing hidden, nothing is stored", async () => {
  const folder = realpathSync(scratchFolder());
  execFileSync("git", ["init", "-q", folder]);
  const file = join(scratchFolder(), "own/attributes");
  const history = repositoryHistory({ file, list: `${file}.json` });
  await history.survey([folder, scratchFolder()], () => false);
  expect(execFileSync("cat", [file], { encoding: "utf8" })).toBe("");
  history.close();
});
