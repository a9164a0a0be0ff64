// Tracked files that rules hide: in the sandbox their content cannot be read, and no git command loses it, whether it is allowed or not.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hiddenOutside } from "../../src/agent/hidden-outside.ts";
import { policyStore } from "../../src/agent/policy-store.ts";
import { commandReader } from "../../src/agent/ports/command-reader.ts";
import { sandboxView } from "../../src/agent/ports/mounts.ts";
import { stateAfterTrial } from "../../src/agent/ports/sandbox-state.ts";
import type { WorkspacePorts } from "../../src/agent/ports/workspace-ports.ts";
import { gitView } from "../../src/agent/workspace/git-view.ts";
import { isChanging, secretPlaces } from "../../src/agent/workspace/secret-places.ts";
import { realPath } from "../../src/edge/disk/real-path.ts";
import { commitHooks } from "../../src/edge/git/commit-hook.ts";
import { broughtBy } from "../../src/edge/git/repository/moved-references.ts";
import { headMark, madeSince, markOf } from "../../src/edge/git/repository/new-commits.ts";
import { openReferences } from "../../src/edge/git/repository/references.ts";
import { repositoryHistory } from "../../src/edge/git/repository/repository-history.ts";
import { stagedFiles, stagedSince } from "../../src/edge/git/repository/staged-names.ts";
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { openSandbox } from "../../src/edge/shell/sandbox/sandbox.ts";
import { trySandbox } from "../../src/edge/shell/sandbox/trial.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { hidesByName, pathClasses } from "../../src/permissions/sandbox/sandbox-view.ts";
import { commandEnvironment, gitVariables } from "../../src/secrets/environment.ts";
import type { RealDisk } from "../../src/tools/disk.ts";
import { lacks } from "../needs.ts";
import { eventually } from "../scratch.ts";
import { policyFor } from "../tools/agent.ts";
import { tree } from "../tools/tree.ts";

const noSandbox = await lacks("sandbox");

const canary = "xyzzy-7712";

/** A repository whose hidden files are a folder, a program, a link in the folder, and an untracked file. */
async function workplace({ enabled = true, where = "top" }: { enabled?: boolean; where?: string } = {}) {
  const place = tree();
  onTestFinished(() => place.remove());
  const folder = place.at(where === "top" ? "work" : where === "sub" ? "work/sub" : "linked");
  const main = place.at("work");
  const env = commandEnvironment(
    { PATH: process.env["PATH"], HOME: place.at("home"), GIT_CONFIG_NOSYSTEM: "1" },
    `hidden-${process.pid}:ada`,
  );
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  place.put("home/.config/git/ignore", "*.mine\n");
  vi.stubEnv("XDG_CONFIG_HOME", place.at("home/.config"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  mkdirSync(where === "linked" ? main : folder, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", main], { env });
  if (where === "linked")
    execFileSync("git", ["-C", main, "-c", "user.name=t", "-c", "user.email=t@l", "commit", "-qm", "zero", "--allow-empty"], { env });
  if (where === "linked") execFileSync("git", ["-C", main, "worktree", "add", "-q", folder], { env });
  for (const [key, value] of Object.entries({ "user.name": "t", "user.email": "t@l" })) git("config", key, value);
  put(".toolignore", "customers/\n*.secret\n/new\n/gone\n");
  put("a.txt", "one\n");
  put("customers/list.csv", `${canary} list\n`);
  put("customers/deep/more.csv", `${canary} more\n`);
  symlinkSync("deep/more.csv", join(folder, "customers/link"));
  put("run.secret", `${canary} run\n`);
  chmodSync(join(folder, "run.secret"), 0o755);
  put("deep.secret", `${canary} deep\n`);
  git("add", ".");
  git("commit", "-qm", "first");
  put("customers/untracked.csv", `${canary} untracked\n`);
  put("src/never [1].secret", `${canary} never\n`);
  put("x.mine", "mine\n");
  const policy = await policyFor(folder, {
    home: place.at("home"),
    configDir: place.at("home/.tool"),
    allow: ["Bash"],
    toolignore: { text: readFileSync(join(folder, ".toolignore"), "utf8"), folder },
    sandbox: { kind: enabled ? "active" : "off" },
  });
  const stateFolder = place.at("home/.tool/sandbox/s1-ada");
  const ground = {
    commitHooks: commitHooks(join(import.meta.dirname, "../../dist/hooks")),
    repositoryHistory,
    commits: { headMark, madeSince, markOf, areSigned: async () => false },
    references: { look: openReferences(), brought: broughtBy },
    staged: { look: stagedFiles, since: stagedSince },
    repositoryPrograms: async () => undefined,
    namesContents: async () => false,
    configuredRemotes: async () => [],
    files: () => ({ real: async (path: string) => realPath(path) }) as RealDisk,
  } as Partial<WorkspacePorts> as WorkspacePorts;
  const view = gitView(policyStore(policy), { stateFolder, scanner: secretScanner(), read: commandReader() }, ground);
  const variables = view.environment(env);
  const sandbox = await openSandbox({
    enabled,
    trial: () => trySandbox(folder),
    stateAfter: (trial) => stateAfterTrial(trial, undefined),
    known: undefined,
    cwd: folder,
    directories: [],
    stateFolder,
    shared: view.shared,
    tracked: view.tracked,
    attributes: view.attributes,
    env: variables,
    gitVariables: (pairs) => gitVariables(variables, pairs),
    onLost: () => {},
    onHeld: () => {},
    onOpen: () => {},
    view: (found) => sandboxView(policy, false, found),
    repository: "whole",
    secretPlaces: secretPlaces(policy),
    changing: isChanging,
    settings: [],
    sockets: { closed: false, named: [] },
    rules: () => ({ classOf: pathClasses(policy), hidesByName: hidesByName(policy), outside: hiddenOutside(policy) }),
  });
  const commands = shell({ cwd: folder, env: variables, sandbox: async () => sandbox });
  const watched = view.watched(commands, () => {});
  onTestFinished(async () => {
    await commands.endAll();
    view.close();
  });
  return {
    folder,
    stateFolder,
    git,
    put,
    text: (path: string) => readFileSync(join(folder, path), "utf8"),
    async decision(command: string) {
      await view.survey(command);
      const real = async (path: string) => path;
      const { decision, reason } = decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy);
      return decision === "allow" ? "allow" : `${decision}: ${reason}`;
    },
    async run(command: string) {
      await view.survey(command);
      let output = "";
      const onOutput = (bytes: Buffer) => {
        output += bytes.toString("utf8");
      };
      const { end } = await watched.run({ command, timeoutMs: 30_000, signal: new AbortController().signal, onOutput });
      return { code: end.kind === "exited" ? end.code : end.kind, output };
    },
    async close() {
      await commands.endAll();
      view.close();
    },
  };
}

const all = "git ls-tree -r --name-only HEAD | tr '\\n' ' '";
const whole = ".toolignore a.txt customers/deep/more.csv customers/link customers/list.csv deep.secret run.secret ";

describe.skipIf(noSandbox)("in the sandbox", () => {
  it("tracked hidden files look unchanged to git, and others do not exist", async () => {
    const { run } = await workplace();
    expect(await run("git status --porcelain")).toEqual({ code: 0, output: "" });
    expect(await run("find customers run.secret -printf '%M %y %p\\n' | sort -k3")).toEqual({
      code: 0,
      output:
        "drwx------ d customers\ndrwx------ d customers/deep\n---------- f customers/deep/more.csv\nlrwxrwxrwx l customers/link\n---------- f customers/list.csv\n---x------ f run.secret\n",
    });
  });

  const harmless = [
    "echo two >> a.txt && git add -A && git commit -qm x",
    "echo two >> a.txt && git commit -qam x",
    "echo two >> a.txt && git stash -q && git stash pop -q && git commit -qam x",
    "echo two >> a.txt && git stash -qu && git stash apply -q && git add . && git commit -qm x",
    "echo two >> a.txt && git reset -q --hard && echo two >> a.txt && git add -u && git commit -qm x",
    "git switch -qc side && echo two >> a.txt && git commit -qam x && git switch -q main && git merge -q side",
    "echo two >> a.txt && git commit -qam y && git commit -q --amend -m x && git rm -q --cached a.txt && git add a.txt",
    "echo two >> a.txt && git commit -qam x && git revert --no-edit HEAD >&2 && git cherry-pick HEAD~1 >&2",
    "git rm -q a.txt && git commit -qm gone && git revert --no-edit HEAD >&2 && echo two >> a.txt && git commit -qam x",
  ];
  it.each(harmless)("this neither loses nor changes them: %s", async (command) => {
    const { run, git, text, folder } = await workplace();
    const done = await run(`( ${command} ) 2>&1`);
    expect([done.code, done.output.includes(canary), git("status", "--porcelain")]).toEqual([
      0,
      false,
      "?? customers/untracked.csv\n?? src/\n",
    ]);
    expect([(await run(all)).output, text("a.txt"), text("customers/list.csv")]).toEqual([whole, "one\ntwo\n", `${canary} list\n`]);
    expect([
      git("diff", "HEAD~1", "--name-only", "--", "customers", "run.secret"),
      statSync(join(folder, "run.secret")).mode & 0o777,
    ]).toEqual(["", 0o755]);
  });

  it("nothing of their content can be read", async () => {
    const { run } = await workplace();
    const ways = [
      "cat $f",
      "cp $f /tmp/copy && cat /tmp/copy",
      "git hash-object -w $f",
      "chmod 644 $f && cat $f",
      "dd if=$f",
      "mv $f b && cat b",
    ];
    for (const way of ways) {
      const { code, output } = await run(`for f in customers/list.csv run.secret customers/deep/more.csv; do ${way} || exit 3; done`);
      expect([way, code, output.includes(canary)]).toEqual([way, 3, false]);
    }
    expect((await run("ls customers; cat customers/link; readlink customers/link")).output).not.toContain("untracked");
  });

  it("one that the user is changing looks as committed, and stays as it is", async () => {
    const { run, put, text, git } = await workplace();
    put("customers/list.csv", `${canary} half done and longer\n`);
    rmSync(join(git("rev-parse", "--show-toplevel").trim(), "run.secret"));
    expect(await run("git status --porcelain -- customers")).toEqual({ code: 0, output: "" });
    expect((await run("echo two >> a.txt; git commit -qam x; git stash -q; git reset -q --hard")).output).toContain("run.secret");
    expect(text("customers/list.csv")).toBe(`${canary} half done and longer\n`);
    expect(git("show", "HEAD:customers/list.csv")).toBe(`${canary} list\n`);
  });

  it("a different version staged by the user is refused when it would be committed, and accepted once the user has committed it", async () => {
    const { run, put, git } = await workplace();
    await run("true");
    put("customers/list.csv", `${canary} staged\n`);
    git("add", "customers/list.csv");
    const refused = await run("echo two >> a.txt; git commit -qam x");
    expect([refused.code !== 0, refused.output.includes("customers/list.csv")]).toEqual([true, true]);
    git("commit", "-qm", "by the person", "--", "customers/list.csv");
    expect(await run("git commit -qam x && git status --porcelain")).toEqual({ code: 0, output: "" });
  });

  it("keeps the user's own ignored names, and adds those of untracked hidden files", async () => {
    const { run } = await workplace();
    expect(await run("touch src/seen; git status --porcelain; git add -A; git status --porcelain")).toEqual({
      code: 0,
      output: "?? src/\nA  src/seen\n",
    });
  });

  it("switching to another version of one does not report success", async () => {
    const { run, put, git, text } = await workplace();
    git("switch", "-qc", "other");
    put("customers/list.csv", `${canary} other\n`);
    git("commit", "-qam", "other");
    git("switch", "-q", "main");
    const { code, output } = await run("git checkout other");
    expect([code, output.includes("files that rules hide from you: customers/list.csv")]).toEqual([1, true]);
    const next = await run("echo two >> a.txt; git commit -qam x");
    expect([next.code !== 0, git("show", "other:customers/list.csv"), text("customers/list.csv")]).toEqual([
      true,
      `${canary} other\n`,
      `${canary} list\n`,
    ]);
  });

  it("continues if the user switches to another version meanwhile", async () => {
    const { run, put, git } = await workplace();
    await run("git status");
    for (const text of ["two", "three"]) {
      put("customers/list.csv", `${canary} ${text}\n`);
      put("run.secret", `${canary} ${text}\n`);
      git("commit", "-qam", text);
      expect(
        await run(`git status --porcelain; echo ${text} >> a.txt; git add -A && git commit -qm by && git show --name-only --format=`),
      ).toEqual({
        code: 0,
        output: "a.txt\n",
      });
    }
    git("switch", "-q", "--detach", "HEAD~2");
    git("switch", "-q", "main");
    expect(await run("git status --porcelain")).toEqual({ code: 0, output: "" });
  });

  it("switches no further to another version of a single file, and back once the user has helped", async () => {
    const { run, put, git, text } = await workplace();
    git("switch", "-qc", "other");
    put("run.secret", `${canary} other\n`);
    git("commit", "-qam", "other");
    git("switch", "-q", "main");
    expect([(await run("git merge -q other")).code, git("log", "-1", "--format=%s")]).toEqual([1, "first\n"]);
    const { code, output } = await run("git switch -q other");
    expect([code, output.includes("hide from you: run.secret"), text("run.secret")]).toEqual([1, true, `${canary} run\n`]);
    expect((await run("git add -A")).code).not.toBe(0);
    git("restore", "run.secret");
    expect(await run("git add -A && git status --porcelain")).toEqual({ code: 0, output: "" });
    expect([git("show", "HEAD:run.secret"), text("run.secret")]).toEqual([`${canary} other\n`, `${canary} other\n`]);
  });

  it("another working tree, which would show them, needs permission", async () => {
    const { decision } = await workplace();
    const ways = ["git worktree add /tmp/w", "git --work-tree=/tmp/w checkout -f main", "GIT_WORK_TREE=/tmp/w git reset --hard"];
    for (const way of ways) expect([way, (await decision(way)).split(":")[0]]).toEqual([way, "ask"]);
  });

  it.each(["sub", "linked"])("the same applies in a folder of the repository, and in a linked working tree: %s", async (where) => {
    const { run, put, git } = await workplace({ where });
    put("own.txt", "own\n");
    put("new.secret", "never\n");
    expect(await run("git add -A && git commit -qm x && git status --porcelain")).toEqual({ code: 0, output: "" });
    expect(git("show", "--name-status", "--format=").trim().split("\n")).toEqual([where === "sub" ? "A\tsub/own.txt" : "A\town.txt"]);
    const { code, output } = await run("git rm -q --cached own.txt && git update-index --force-remove deep.secret && git commit -qm y");
    expect([code === 0, output.includes("would change or delete")]).toEqual([false, true]);
  });

  it("a sparse checkout stays unchanged", async () => {
    const { run, git, folder } = await workplace();
    git("sparse-checkout", "set", "--no-cone", "/*", "!customers/list.csv");
    expect([existsSync(join(folder, "customers/list.csv")), existsSync(join(folder, "customers/deep/more.csv"))]).toEqual([false, true]);
    expect(await run("git status --porcelain; git ls-files -t customers; find customers -type f")).toEqual({
      code: 0,
      output: "H customers/deep/more.csv\nH customers/link\nS customers/list.csv\ncustomers/deep/more.csv\n",
    });
  });

  it("a git that a program starts in a subfolder sees the same", async () => {
    const { run, git } = await workplace();
    const script = 'import os; os.system("git add -A .. && git commit -qm x")';
    expect(await run(`mkdir b && cd b && echo b > b && python3 -c '${script}' && git status --porcelain`)).toEqual({ code: 0, output: "" });
    expect(git("ls-tree", "-r", "--name-only", "HEAD").replaceAll("\n", " ")).toBe(whole.replace("customers", "b/b customers"));
  });

  it("a file that git could not add is reported with its reason", async () => {
    const { run, git, put } = await workplace();
    await run("true");
    put("customers/list.csv", `${canary} staged\n`);
    git("update-index", "--add", "--cacheinfo", `100644,${git("hash-object", "-w", "a.txt").trim()},customers/list.csv`);
    const { code, output } = await run("git add -A");
    expect([code, output.trim().split("\n").at(-1)]).toEqual([
      128,
      "[in the sandbox git cannot read files that rules hide: leave them out of what is added, and let the person commit them]",
    ]);
  });

  it("nothing is left behind", async () => {
    const { run, close, stateFolder } = await workplace();
    await run("git status");
    expect(readdirSync(stateFolder).toSorted()).toEqual([
      "attributes",
      "decoys",
      "hidden.json",
      "ignored",
      "info",
      "owner.json",
      "tmp",
      "tmp-plan",
    ]);
    await close();
    expect(existsSync(stateFolder)).toBe(false);
  });
});

describe.skipIf(noSandbox).each([true, false])("a commit that would change or delete a hidden file; sandbox: %s", (enabled) => {
  const ways = [
    "git rm -rq --cached customers && git commit -qm x",
    "git update-index --force-remove run.secret && git commit -qm x",
    "git update-index --cacheinfo 100644,$(git hash-object -w a.txt),customers/list.csv && git commit -qm x",
    "git update-ref refs/heads/main $(git commit-tree -p HEAD -m x $(git mktree < /dev/null))",
    "git branch new $(git commit-tree -p HEAD -m x $(git mktree < /dev/null))",
  ];
  it.each(ways)("is refused by git's hook: %s", async (command) => {
    const { run, git, text } = await workplace({ enabled });
    const { code, output } = await run(command);
    expect([code === 0, output.includes("would change or delete files that rules hide from agents:")]).toEqual([false, true]);
    expect([git("log", "--all", "--format=%s"), text("customers/list.csv")]).toEqual(["first\n", `${canary} list\n`]);
  });
});

it("a merge that brings another's version of a hidden file is accepted, and so is an amended commit that had one", async () => {
  const { run, put, git } = await workplace({ enabled: false });
  git("switch", "-qc", "other");
  put("customers/list.csv", `${canary} other\n`);
  git("commit", "-qam", "other");
  git("switch", "-q", "main");
  put("a.txt", "main\n");
  git("commit", "-qam", "main");
  expect((await run("git merge -q --no-edit other")).code).toBe(0);
  expect((await run("git switch -q other && git commit -q --amend -m again && git branch third && git merge -q main")).output).toBe("");
  expect(git("log", "-1", "--format=%s", "third")).toBe("again\n");
});

it("says once that references cannot be looked at, and afterwards what they have brought meanwhile", async () => {
  const { run, git, put } = await workplace({ enabled: false });
  put(".envrc", "run\n");
  git("add", ".envrc");
  const commit = git("commit-tree", git("write-tree").trim(), "-p", "HEAD", "-m", "x").trim();
  git("rm", "-q", "-f", ".envrc");
  const hides = `git update-ref refs/heads/other ${commit}; mv .git/logs/HEAD .git/logs/H; ln -s H .git/logs/HEAD`;
  const outputs = [];
  for (const command of [hides, "true", "rm .git/logs/HEAD; mv .git/logs/H .git/logs/HEAD", "true"])
    outputs.push((await run(command)).output);
  expect(outputs).toEqual([
    expect.stringContaining("references cannot be looked at any more"),
    expect.not.stringContaining("references"),
    expect.stringContaining("other brings .envrc"),
    "",
  ]);
});

it("tells what a command brings while another one runs, and what a link in place of a folder does", async () => {
  const { run, git, put, folder } = await workplace({ enabled: false });
  put(".envrc", "run\n");
  git("add", ".envrc");
  const commit = git("commit-tree", git("write-tree").trim(), "-p", "HEAD", "-m", "x").trim();
  git("rm", "-q", "-f", ".envrc");
  const long = run(`git update-ref refs/heads/other ${commit}; touch begun; until [ -e end ]; do sleep 0.05; done`);
  await eventually(() => existsSync(join(folder, "begun")));
  const short = await run("git branch");
  put("end", "");
  expect(short.output + (await long).output).toContain("other brings .envrc");
  mkdirSync(join(folder, "vs"));
  symlinkSync("vs", join(folder, ".github"));
  git("add", ".github");
  const linked = git("commit-tree", git("write-tree").trim(), "-p", "HEAD", "-m", "x").trim();
  git("rm", "-q", "-f", ".github");
  expect((await run(`git update-ref refs/heads/linked ${linked}`)).output).toContain("linked brings .github,");
});

it("goes on whatever a command puts in place of git's files and folders", async () => {
  const { run, git } = await workplace({ enabled: false });
  git("branch", "feature");
  const names = "HEAD index logs logs/HEAD logs/refs refs/heads packed-refs objects worktrees/x rebase-merge";
  for (const name of names.split(" ")) {
    const at = `.git/${name}`;
    for (const make of [`touch ${at}`, `mkdir -p ${at}/x`, `ln -s ../none ${at}`]) {
      const { output } = await run(`cp -a .git saved; rm -rf ${at}; mkdir -p $(dirname ${at}); ${make}; echo made`);
      expect([make, output.includes("made")]).toEqual([make, true]);
      expect((await run("rm -rf .git && mv saved .git; echo back")).output).toContain("back");
    }
  }
  expect(git("branch", "--format=%(refname:short)")).toBe("feature\nmain\n");
});
