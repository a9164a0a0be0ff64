// Files that rules hide stay hidden in git's history: no command prints them without a question, and everyday commands that read history
// need none.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { repositoryHistory } from "../../src/edge/git/repository-history.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { commandEnvironment, withAttributes } from "../../src/permissions/environment.ts";
import { attributeLine, hiddenPlaces, seenFrom } from "../../src/permissions/paths/hidden-history.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
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
function fill(folder: string, files: Record<string, string>): void {
  const { git, put } = toolsIn(folder, environment(folder));
  git("init", "-q", "-b", "main");
  put("a.txt", "one\n");
  put("src/b.ts", "two\n");
  put("hidden/k [1]*.txt", `${canary} k\n`);
  put("old.secret", `${canary} old\n`);
  put(".env", `A=${canary}\n`);
  for (const [path, text] of Object.entries(files)) put(path, text);
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

const ordinary = templateFolder((folder) => fill(folder, {}));

async function workplace({ files }: { files?: Record<string, string> } = {}) {
  const folder = files ? realpathSync(scratchFolder()) : ordinary();
  if (files) fill(folder, files);
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
  const history = repositoryHistory({ file: attributes, lineOf: attributeLine, list: join(state, "own/hidden.json") });
  const isHidden = hiddenPlaces(policy);
  return {
    folder,
    git,
    put,
    history,
    async decision(command: string) {
      const seen = { ...policy, hiddenInGit: seenFrom(policy.cwd, await history.survey([folder], isHidden)) };
      return decide(await locate({ tool: "Bash", input: { command } }, seen, real), seen);
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

  it.each(changing)("this prints nothing of them, and needs no permission: %s", async (command) => {
    expect(await found(await workplace(), command)).toEqual([command, "allow", false]);
  });

  const around = [
    ..."git show HEAD:.env|git show HEAD:./.env|git show :.env|git show :0:.env|git cat-file -p HEAD:.env|git cat-file blob side:hidden/side.txt".split(
      "|",
    ),
    ..."git blame .env|git log -L1,1:.env|git log -p --text|git log -a -p|git diff --te|git grep -a xyzzy|git grep -na xyzzy|git grep --text xyzzy".split(
      "|",
    ),
    ..."git diff HEAD~1 --binary|git format-patch -1 --stdout|git fast-export HEAD|git archive side:hidden|git checkout side -- .".split(
      "|",
    ),
    ..."git restore --source=side .|git restore -s side hidden|git checkout side hidden/side.txt|git checkout HEAD~1 -- ':(glob)**'".split(
      "|",
    ),
    ..."git checkout HEAD~1 -- '*.secret'|git clone -q . copy|git merge-tree HEAD~1 HEAD HEAD~1|git show $id|git show HEAD:$f".split("|"),
    ..."git cat-file --batch < ids|echo '* diff' > .gitattributes; git log -p".split("|"),
    ..."env -i git log -p|GIT_CONFIG_COUNT=0 git log -p|unset GIT_CONFIG_COUNT; git log -p|git -c core.attributesFile=/dev/null log -p".split(
      "|",
    ),
    "git ls-files -s | cut -c8-47 | git cat-file --batch",
    "git rev-list --objects --all | cut -c1-40 | xargs git show",
    "git ls-tree -r side | cut -c13-52 | xargs -n1 git cat-file -p",
    "cd src && git show side:hidden/side.txt",
    "cd src && git show side:./../hidden/side.txt",
    ..."sh -c 'git log -p --text'|timeout 5 git format-patch -1 --stdout|git stash show -p --text|git -C . show HEAD:.env".split("|"),
  ];
  it("commands that could show them in another way need permission or are denied", async () => {
    const { decision } = await workplace();
    for (const command of around) expect([command, (await decision(command)).decision]).not.toEqual([command, "allow"]);
  });

  it("the object id of such content is refused too, however short", async () => {
    const { decision, git } = await workplace();
    for (const place of ["HEAD:.env", "HEAD~1:old.secret", "side:hidden/side.txt", "stash@{0}:.env"]) {
      const id = git("rev-parse", place).trim();
      for (const command of [
        `git show ${id}`,
        `git cat-file -p ${id.slice(0, 7)}`,
        `git cat-file blob ${id.slice(0, 12)}`,
        `git diff ${id} HEAD:a.txt`,
      ])
        expect([command, (await decision(command)).decision]).toEqual([command, "ask"]);
    }
    expect((await decision(`git show ${git("rev-parse", "HEAD:a.txt").trim()}`)).decision).toBe("allow");
  });

  it("the reason names a file, and new files are found", async () => {
    const { decision, git, put, run } = await workplace();
    expect((await decision("git format-patch -1")).reason).toBe(
      "The repository contains files that rules hide, such as .env, and git format-patch would reveal all of it",
    );
    put("late.secret", `${canary} late\n`);
    git("add", "-f", "late.secret");
    expect([(await decision("git diff --cached")).decision, (await run("git diff --cached")).includes(canary)]).toEqual(["allow", false]);
    git("commit", "-qm", "late");
    expect([(await decision("git show")).decision, (await run("git show")).includes(canary)]).toEqual(["allow", false]);
  });

  it("if its own attributes have such a file printed, printing it needs permission", async () => {
    const { decision } = await workplace({ files: { ".gitattributes": "*.txt diff=text\n.env diff\n" } });
    const decisions = await Promise.all(
      ["git log -p", "git diff", "git show", "git grep x", "git log", "git diff --stat", "git status"].map(
        async (command) => (await decision(command)).decision,
      ),
    );
    expect(decisions).toEqual(["ask", "ask", "ask", "ask", "allow", "allow", "allow"]);
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
  const history = repositoryHistory({ file, lineOf: attributeLine, list: `${file}.json` });
  await history.survey([folder], () => true);
  expect(readFileSync(file, "utf8")).toBe('*.png -text\n"/a \\"b\\" \\\\[c\\\\]\\\\*" -diff export-ignore\n');
  await history.survey([folder], undefined);
  expect(readFileSync(file, "utf8")).toBe("*.png -text\n");
});

it("if the history contains nothing hidden, nothing is asked and nothing is stored", async () => {
  const folder = realpathSync(scratchFolder());
  execFileSync("git", ["init", "-q", folder]);
  const file = join(scratchFolder(), "own/attributes");
  const history = repositoryHistory({ file, lineOf: attributeLine, list: `${file}.json` });
  expect(await history.survey([folder, scratchFolder()], () => false)).toEqual({ paths: [], ids: [], exposed: [], others: [] });
  expect(execFileSync("cat", [file], { encoding: "utf8" })).toBe("");
  history.close();
});
