import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ownGit } from "../../../src/edge/git/own-git.ts";
import { type AddOrder, type Worktrees, worktrees } from "../../../src/edge/git/worktrees.ts";
import { eventually, programFolder, quoted } from "../../scratch.ts";
import { bareRemote, gitEnv, personsState, sayIn, type TestRepository, testRepository, writeFiles } from "./git-kit.ts";

const commit = { "a.txt": "a\n", ".gitignore": "node_modules/\n*.local\n", "src/b.txt": "b\n" };

function opened(repository: TestRepository, isHidden: (path: string) => boolean = () => false): Worktrees & { home: string } {
  const home = repository.beside("worktrees");
  return { ...worktrees({ git: repository.git, repository: repository.folder, home, closed: async () => isHidden }), home };
}

const unit = (repository: TestRepository, name: string, ignored: AddOrder["ignored"] = "copy"): AddOrder => ({
  folder: join(repository.beside("worktrees"), name),
  branch: `tool/batch-1/${name}`,
  commit: "HEAD",
  ignored,
});

describe("worktrees().add()", () => {
  it("makes many at once, each on its own branch, and changes nothing of the person's", async () => {
    const repository = testRepository(commit);
    repository.write({ "a.txt": "changed\n", "new.txt": "untracked\n", "staged.txt": "staged\n" });
    repository.say("add", "staged.txt");
    writeFiles(repository.folder, { ".git/hooks/post-checkout": "#!/bin/sh\ntouch hook-ran\n" });
    const before = personsState(repository);
    const trees = opened(repository);
    const names = Array.from({ length: 8 }, (_, at) => `u${at + 1}`);
    // A second object acts as a second batch: only git coordinates the two.
    const other = opened(repository);
    const made = await Promise.all(names.map((name, at) => (at % 2 === 0 ? trees : other).add(unit(repository, name))));
    expect(made.map((each) => (each.ok ? each.from : each.reason))).toEqual(names.map(() => "new"));
    expect(new Set((await trees.list()).map(({ branch }) => branch))).toEqual(new Set(names.map((name) => `tool/batch-1/${name}`)));
    expect(readFileSync(join(trees.home, "u3/src/b.txt"), "utf8")).toBe("b\n");
    expect(personsState(repository)).toEqual(before);
  });

  it("continues complete ones, and recreates what a kill left half made", async () => {
    const repository = testRepository(commit);
    const trees = opened(repository);
    const order = unit(repository, "u1");
    await trees.add(order);
    writeFiles(order.folder, { "work.txt": "hours of it\n" });
    expect(await trees.add(order)).toMatchObject({ ok: true, from: "complete" });
    expect(readFileSync(join(order.folder, "work.txt"), "utf8")).toBe("hours of it\n");

    for (const [at, filter] of ["sleep 60; cat", "kill -9 $PPID; cat"].entries()) {
      const name = `killed-${at}`;
      await killedAdd(repository, unit(repository, name), filter);
      expect(await trees.add(unit(repository, name))).toMatchObject({ ok: true });
      expect(sayIn(join(trees.home, name))("status", "--porcelain")).toBe("");
      expect(await trees.state(join(trees.home, name))).toMatchObject({ kind: "there", branch: `tool/batch-1/${name}`, lock: undefined });
    }
  });

  it("continues the commits of a branch whose folder a user has removed", async () => {
    const repository = testRepository(commit);
    const trees = opened(repository);
    const order = unit(repository, "u1");
    await trees.add(order);
    writeFiles(order.folder, { "work.txt": "committed\n" });
    sayIn(order.folder)("add", "--all");
    sayIn(order.folder)("commit", "--quiet", "--message", "work");
    rmSync(order.folder, { recursive: true });
    expect(await trees.state(order.folder)).toEqual({ kind: "missing" });
    expect(await trees.add(order)).toMatchObject({ ok: true, from: "its branch" });
    expect(readFileSync(join(order.folder, "work.txt"), "utf8")).toBe("committed\n");
  });

  it("says what prevents it: a branch tool, another commit, a folder, no commit", async () => {
    const repository = testRepository(commit);
    const trees = opened(repository);
    repository.say("branch", "tool");
    expect(await trees.add(unit(repository, "u1"))).toMatchObject({
      ok: false,
      why: "branch taken",
      reason: expect.stringContaining("tool"),
    });
    repository.say("branch", "-D", "tool");
    const old = repository.say("rev-parse", "HEAD");
    repository.commit({ "c.txt": "c\n" });
    repository.say("branch", "tool/batch-1/u1", old);
    expect(await trees.add(unit(repository, "u1"))).toMatchObject({ ok: false, why: "branch taken" });
    writeFiles(join(trees.home, "u2"), { "somebody.txt": "" });
    expect(await trees.add(unit(repository, "u2"))).toMatchObject({ ok: false, why: "folder in the way" });
    expect(existsSync(join(trees.home, "u2/somebody.txt"))).toBe(true);
    expect(await trees.add({ ...unit(repository, "u3"), commit: "nothing" })).toMatchObject({ ok: false, why: "unknown commit" });
    await expect(trees.add({ ...unit(repository, "u3"), folder: join(trees.home, "../elsewhere") })).rejects.toThrow("not below");
    await expect(trees.add({ ...unit(repository, "u3"), branch: "main" })).rejects.toThrow("does not begin with tool/");
  });

  it("starts no filter of the repository, and gives git none of our keys", async () => {
    const repository = testRepository({ ...commit, ".gitattributes": "*.txt filter=own\n" });
    const seen = join(repository.beside("seen"));
    repository.say("config", "filter.own.smudge", `env > ${quoted(seen)}; cat`);
    const trees = opened(repository);
    expect(await trees.add(unit(repository, "u1"))).toMatchObject({ ok: true });
    expect(existsSync(seen)).toBe(false);
    const path = programFolder({ git: `#!/bin/sh\nenv >> ${quoted(seen)}\nPATH=${gitEnv["PATH"]} exec git "$@"\n` });
    vi.stubEnv("GH_TOKEN", "ghp_0123456789");
    onTestFinished(() => void vi.unstubAllEnvs());
    await ownGit({ ...gitEnv, PATH: `${path}:${gitEnv["PATH"]}` })(repository.folder, ["status"], { writable: [dirname(seen)] });
    expect(readFileSync(seen, "utf8")).toContain("GIT_TERMINAL_PROMPT=0");
    expect(readFileSync(seen, "utf8")).not.toContain("ghp_");
  });
});

describe("ignored files", () => {
  const files = {
    ".worktreeinclude": "node_modules/\n*.local\nuntracked.txt\n",
    "node_modules/a/index.js": "a",
    "node_modules/a/.env": "SECRET=1",
    "conf/one.local": "one",
    "untracked.txt": "no file that git ignores",
  };

  it("are copied as .worktreeinclude says, without files that rules hide", async () => {
    const repository = testRepository(commit);
    repository.write(files);
    symlinkSync("/etc/hostname", join(repository.folder, "node_modules/link"));
    const trees = opened(repository, (path) => basename(path) === ".env");
    const made = await trees.add(unit(repository, "u1"));
    expect(made).toMatchObject({ brought: { copied: ["conf/one.local", "node_modules"], linked: [], left: [] } });
    const at = (path: string) => join(trees.home, "u1", path);
    expect(readFileSync(at("node_modules/a/index.js"), "utf8")).toBe("a");
    expect(existsSync(at("node_modules/a/.env"))).toBe(false);
    expect(lstatSync(at("node_modules/link")).isSymbolicLink()).toBe(true);
    expect(existsSync(at("untracked.txt"))).toBe(false);
    expect(sayIn(at(""))("status", "--porcelain")).toBe("");
  });

  it("are linked if requested, except for a folder that contains something hidden", async () => {
    const repository = testRepository(commit);
    repository.write({ ...files, "node_modules/a/.env": "SECRET=1", "other/node_modules/b.js": "b" });
    const trees = opened(repository, (path) => basename(path) === ".env" || basename(path) === "one.local");
    const made = await trees.add(unit(repository, "u1", "link"));
    expect(made).toMatchObject({
      brought: {
        copied: ["node_modules"],
        linked: ["other/node_modules"],
        left: [{ path: "conf/one.local", why: "rules hide it from agents" }],
      },
    });
    expect(existsSync(join(trees.home, "u1/node_modules/a/.env"))).toBe(false);
    expect(sayIn(join(trees.home, "u1"))("status", "--porcelain")).toBe("");
  });

  it("are not written through a link that the commit has in place of a folder", async () => {
    const repository = testRepository(commit);
    const outside = repository.beside("outside");
    mkdirSync(outside);
    symlinkSync(outside, join(repository.folder, "conf"));
    repository.commit({});
    rmSync(join(repository.folder, "conf"));
    repository.write(files);
    const trees = opened(repository);
    const made = await trees.add(unit(repository, "u1"));
    expect(made).toMatchObject({ brought: { left: [{ path: "conf/one.local", why: expect.stringContaining("is no folder") }] } });
    expect(existsSync(join(outside, "one.local"))).toBe(false);
  });
});

describe("worktrees().remove()", () => {
  it("keeps what is changed, saved nowhere, locked or not on our branches, and says so", async () => {
    const repository = testRepository(commit);
    bareRemote(repository);
    const trees = opened(repository);
    const { folder, branch } = unit(repository, "u1");
    await trees.add(unit(repository, "u1"));
    const remove = () => trees.remove({ folder, savedIn: `origin/${branch}` });
    const say = sayIn(folder);
    writeFiles(folder, { "new.txt": "new\n" });
    expect(await remove()).toMatchObject({ ok: false, why: "changed files", reason: expect.stringContaining("new.txt") });
    say("add", "--all");
    const lock = say("rev-parse", "--git-path", "index.lock");
    writeFileSync(lock, "");
    expect(await remove()).toMatchObject({ ok: false, why: "locked", reason: expect.stringContaining(lock) });
    expect(await trees.unlock(folder)).toBe(lock);
    expect(await trees.unlock(folder)).toBeUndefined();
    say("commit", "--quiet", "--message", "work");
    expect(await remove()).toMatchObject({ ok: false, why: "not saved" });
    say("checkout", "--quiet", "--detach");
    expect(await remove()).toMatchObject({ ok: false, why: "not on its branch" });
    say("checkout", "--quiet", branch);
    expect(existsSync(join(folder, "new.txt"))).toBe(true);
    say("push", "--quiet", "origin", branch);
    expect(await remove()).toEqual({ ok: true });
    expect(existsSync(folder)).toBe(false);
    expect(await remove()).toEqual({ ok: true });
    expect(repository.say("branch", "--list", branch)).not.toBe("");
  });

  it("keeps one with a submodule, whose commits may be nowhere else, and says how to remove it", async () => {
    const repository = testRepository(commit);
    repository.say("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", testRepository(commit).folder, "part");
    repository.say("commit", "--quiet", "--message", "A part");
    const trees = opened(repository);
    const { folder, branch } = unit(repository, "u1");
    await trees.add(unit(repository, "u1"));
    sayIn(folder)("-c", "protocol.file.allow=always", "submodule", "update", "--init", "--quiet");
    const asked = { folder, savedIn: branch };
    const reason = `The worktree ${folder} is kept: it has a submodule whose commits may be nowhere else. Push them, then: git worktree remove --force ${folder}`;
    expect(await trees.remove(asked)).toEqual({ ok: false, why: "git failed", reason });
    expect(await trees.state(folder)).toMatchObject({ kind: "there" });
    sayIn(folder)("submodule", "deinit", "--quiet", "--all");
    rmSync(sayIn(folder)("rev-parse", "--git-path", "modules").trim(), { recursive: true });
    expect(await trees.remove(asked)).toEqual({ ok: true });
  });

  it("completes a removal that a kill interrupted", async () => {
    const repository = testRepository(commit);
    const trees = opened(repository);
    for (const [name, gone] of [
      ["u1", ["a.txt"]],
      ["u2", ["a.txt", ".git"]],
    ] as const) {
      await trees.add(unit(repository, name));
      writeFiles(trees.home, { [`${name}.unfinished`]: "" });
      for (const path of gone) rmSync(join(trees.home, name, path));
    }
    expect(await trees.remove({ folder: join(trees.home, "u1"), savedIn: "tool/batch-1/u1" })).toEqual({ ok: true });
    expect(await trees.prune()).toEqual([join(trees.home, "u2")]);
    expect(existsSync(trees.home)).toBe(false);
    expect(await trees.list()).toEqual([]);
  });

  it("leaves alone what git does not know, and forgets what a user has removed", async () => {
    const repository = testRepository(commit);
    const trees = opened(repository);
    await trees.add(unit(repository, "u1"));
    await trees.add(unit(repository, "u2"));
    repository.say("worktree", "add", "--quiet", "--detach", repository.beside("theirs"));
    rmSync(repository.beside("theirs"), { recursive: true });
    rmSync(join(trees.home, "u1"), { recursive: true });
    writeFiles(join(trees.home, "stray"), { "file.txt": "" });
    expect(await trees.remove({ folder: join(trees.home, "stray"), savedIn: "tool/batch-1/u2" })).toMatchObject({
      ok: false,
      why: "unknown",
    });
    expect(await trees.prune()).toEqual([join(trees.home, "u1")]);
    expect((await trees.list()).map(({ folder }) => basename(folder))).toEqual(["u2"]);
    // The user's own worktree may be on a disk that is not mounted.
    expect(repository.say("worktree", "list")).toContain("theirs");
    expect(await trees.remove({ folder: join(trees.home, "u2"), savedIn: "tool/batch-1/u2" })).toEqual({ ok: true });
  });
});

/** A separate process adds a worktree as we do, and is killed during git's checkout, which `filter` delays. */
async function killedAdd(repository: TestRepository, { folder, branch }: AddOrder, filter: string): Promise<void> {
  const began = repository.beside(`began-${basename(folder)}`);
  writeFiles(repository.folder, { ".git/info/attributes": "b.txt filter=slow\n" });
  repository.say("config", "filter.slow.smudge", `touch ${quoted(began)}; ${filter}`);
  writeFiles(dirname(folder), { [`${basename(folder)}.unfinished`]: "" });
  const child = spawn("git", ["worktree", "add", "--quiet", "-b", branch, folder], {
    cwd: repository.folder,
    env: gitEnv,
    detached: true,
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await eventually(() => existsSync(began));
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // the filter has ended the whole process group
  }
  await ended;
  repository.say("config", "--remove-section", "filter.slow");
  rmSync(join(repository.folder, ".git/info/attributes"));
}
