// The door for git, with real repositories that try to start a program, to reach another place, or to keep git from ending.
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { git, gitAlone, gitFault, ownGit, repositorySettings } from "../../../src/edge/git/own-git.ts";
import { stageEverything, treeOfEverything } from "../../../src/edge/git/staging.ts";
import { lacks } from "../../needs.ts";
import { eventually, programFolder, quoted, socketFolder, startProgram } from "../../scratch.ts";
import { gitEnv, sayIn, type TestRepository, testRepository } from "./git-kit.ts";

const [noSandbox, notRoot] = [await lacks("sandbox"), await lacks("root")];
const work = ownGit(gitEnv);

/** A program that leaves a file, and what says whether it ran. */
function trap(repository: TestRepository) {
  const seen = repository.beside("seen");
  const program = repository.beside("trap.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${seen}\ncat\n`, { mode: 0o755 });
  return { program, ran: () => (existsSync(seen) ? readFileSync(seen, "utf8") : "nothing") };
}

/** What this program asks git for, on a changed file and on commits. */
async function everything(folder: string, branch = "main"): Promise<void> {
  const looks = [
    ["status", "--porcelain", "--untracked-files=all"],
    ["ls-files", "--stage", "-z"],
    ["ls-files", "--others", "--exclude-standard", "-z"],
    ["check-ignore", "--quiet", "a.txt"],
    ["rev-list", "--objects", "--all", "--reflog", "--indexed-objects"],
    ["log", "-3", "--format=%h %s"],
    ["diff", "--cached", "--raw", "-z"],
    ["diff-files", "--name-only"],
    ["diff-index", "--cached", "--raw", "HEAD"],
    ["diff-tree", "-r", "--root", "HEAD"],
    ["check-attr", "diff", "--", "a.txt"],
    ["for-each-ref", "--format=%(refname)"],
    ["cat-file", "-p", "HEAD:a.txt"],
    ["merge-tree", "--write-tree", "HEAD", "HEAD"],
    ["remote", "get-url", "--push", "origin"],
  ];
  for (const args of looks) await git(folder, args);
  await stageEverything(work, folder);
  const tree = await treeOfEverything(work, folder);
  if (!tree.ok) return;
  const commit = (await work(folder, ["commit-tree", tree.value, "-p", "HEAD", "-m", "ours"])).stdout.trim();
  await work(folder, ["update-ref", `refs/heads/${branch}-ours`, commit, ""]);
  await work(folder, ["merge", "--ff-only", "--quiet", `${branch}-ours`]);
  await work(folder, ["reset", "--hard", "--quiet", "HEAD"]);
}

/** git-config(1): settings by which a repository names a program. */
const settings: Record<string, string> = {
  "core.fsmonitor": "TRAP",
  "core.sshCommand": "TRAP",
  "core.pager": "TRAP",
  "core.editor": "TRAP",
  "core.alternateRefsCommand": "TRAP",
  "core.gitProxy": "TRAP",
  "credential.helper": "!TRAP",
  "diff.external": "TRAP",
  "diff.evil.command": "TRAP",
  "diff.evil.textconv": "TRAP",
  "filter.evil.clean": "TRAP",
  "filter.evil.smudge": "TRAP",
  "filter.evil.process": "TRAP",
  "filter.lfs.clean": "sh -c 'TRAP'",
  "filter.lfs.smudge": "TRAP git-lfs smudge -- %f",
  "filter.lfs.process": "TRAP",
  "merge.evil.driver": "TRAP %O %A %B",
  "merge.default": "evil",
  "gpg.program": "TRAP",
  "commit.gpgSign": "true",
  "log.showSignature": "true",
  "alias.status": "!TRAP",
  "submodule.recurse": "true",
  "uploadpack.packObjectsHook": "TRAP",
  "remote.origin.url": "ext::TRAP",
  "remote.origin.uploadpack": "TRAP",
  "remote.origin.promisor": "true",
  "extensions.partialClone": "origin",
  "core.hooksPath": "HOOKS",
  "trailer.x.command": "TRAP",
  "blame.ignoreRevsFile": "/dev/zero",
};

it("says what to do where git knows no author", () => {
  const stderr = "\n*** Please tell me who you are.\n\nfatal: unable to auto-detect email address (got 'me@here.(none)')\n";
  expect(gitFault({ code: 128, signal: null, stdout: "", stderr, timedOut: false })).toBe(
    `unable to auto-detect email address (got 'me@here.(none)'). Set an author: git config user.name "…" and git config user.email "…"`,
  );
});

describe("ownGit", () => {
  it("lets no setting of a repository start a program", async () => {
    const repository = testRepository({
      "a.txt": "a\n",
      "b.lfs": "b\n",
      ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n*.lfs filter=lfs\n",
    });
    const { program, ran } = trap(repository);
    const hooks = repository.beside("hooks");
    mkdirSync(hooks);
    for (const name of ["reference-transaction", "post-index-change", "post-checkout", "post-merge", "pre-commit"]) {
      cpSync(program, join(hooks, name));
      cpSync(program, join(repository.folder, ".git/hooks", name));
    }
    for (const [key, value] of Object.entries(settings))
      repository.say("config", key, value.replace("TRAP", program).replace("HOOKS", hooks));
    repository.write({ "a.txt": "changed\n", "b.lfs": "changed\n", "c.txt": "new\n" });
    await everything(repository.folder);
    expect([ran(), repository.say("-c", "core.fsmonitor=false", "-c", "filter.evil.smudge=", "rev-parse", "main-ours").length]).toEqual([
      "nothing",
      40,
    ]);
    // The traps are real: git itself starts them.
    repository.write({ "a.txt": "again\n" });
    spawnSync("git", ["status"], { cwd: repository.folder, env: gitEnv });
    expect(ran()).toContain("trap.sh");
  });

  it("never takes a bare repository in the tree for the repository", async () => {
    const repository = testRepository();
    const { program, ran } = trap(repository);
    const evil = join(repository.folder, "fixtures/evil");
    execFileSync("git", ["init", "-q", "--bare", evil], { env: gitEnv });
    appendFileSync(
      join(evil, "config"),
      `[core]\n\tworktree = .\n\tbare = false\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = p\n[remote "p"]\n\turl = .\n\tpromisor = true\n\tuploadpack = ${program}\n`,
    );
    writeFileSync(join(evil, "refs/heads/main"), `${"1".repeat(40)}\n`);
    await everything(evil);
    const { stdout } = await git(evil, ["rev-parse", "--show-toplevel"]);
    expect([ran(), stdout.toString().trim()]).toEqual(["nothing", repository.folder]);
  });

  it("reads neither a `commondir` that appears in the repository, nor what it includes", async () => {
    const repository = testRepository();
    const { program, ran } = trap(repository);
    const evil = repository.beside("evil");
    cpSync(join(repository.folder, ".git"), evil, { recursive: true });
    for (const file of [join(evil, "config"), join(repository.folder, "more")]) appendFileSync(file, `[core]\n\tfsmonitor = ${program}\n`);
    writeFileSync(join(repository.folder, ".git/commondir"), "../../evil\n");
    appendFileSync(join(repository.folder, ".git/config"), "[include]\n\tpath = ../more\n\tpath = /dev/zero\n");
    await everything(repository.folder);
    expect(ran()).toBe("nothing");
  });

  it("looks into no repository inside the worktree, and records its commit", async () => {
    const repository = testRepository();
    const { program, ran } = trap(repository);
    const inner = join(repository.folder, "inner");
    execFileSync("git", ["init", "-q", inner], { env: gitEnv });
    const say = sayIn(inner);
    writeFileSync(join(inner, "x"), "x\n");
    say("add", ".");
    say("commit", "-qm", "inner");
    repository.say("add", "inner");
    repository.say("commit", "-qm", "with it");
    say("config", "filter.e.clean", program);
    say("config", "core.fsmonitor", program);
    writeFileSync(join(inner, ".gitattributes"), "* filter=e\n");
    writeFileSync(join(inner, "x"), "changed\n");
    repository.write({ "a.txt": "changed\n" });
    expect(await stageEverything(work, repository.folder)).toEqual({ ok: true, value: undefined });
    expect([ran(), repository.say("diff", "--cached", "--name-only", "--ignore-submodules=all")]).toEqual(["nothing", "a.txt"]);
    say("-c", "core.fsmonitor=false", "-c", "filter.e.clean=", "commit", "-qam", "more");
    expect(await stageEverything(work, repository.folder)).toMatchObject({ ok: true });
    const [, recorded] = /^160000 (\w+)/.exec(repository.say("ls-files", "--stage", "inner")) ?? [];
    expect([recorded, existsSync(join(repository.folder, ".git/index.lock"))]).toEqual([say("rev-parse", "HEAD"), false]);
    rmSync(inner, { recursive: true });
    await stageEverything(work, repository.folder);
    expect(repository.say("ls-files", "inner")).toBe("");
  });

  it("works on the repository: sparse, packed and linked ones too", async () => {
    const repository = testRepository();
    const linked = repository.beside("linked");
    repository.say("worktree", "add", "-q", linked, "-b", "other");
    repository.say("pack-refs", "--all");
    writeFileSync(join(linked, "new.txt"), "new\n");
    await everything(linked, "other");
    expect([repository.say("show", "other:new.txt"), repository.say("status", "--porcelain")]).toEqual(["new", ""]);
    expect(repository.say("fsck", "--no-progress")).toBe("");
  });

  it.skipIf(notRoot)("uses no repository that another user owns, unless the person says so", async () => {
    const repository = testRepository();
    chownSync(repository.folder, 12345, 12345);
    expect(await git(repository.folder, ["status"])).toMatchObject({ code: 128, stderr: expect.stringContaining("dubious ownership") });
    const home = repository.beside("home");
    mkdirSync(home);
    writeFileSync(join(home, ".gitconfig"), `[safe]\n\tdirectory = ${repository.beside("theirs")}\n`);
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    renameSync(repository.folder, repository.beside("theirs"));
    expect(await git(repository.beside("theirs"), ["rev-parse", "HEAD"])).toMatchObject({ code: 0 });
  });

  it("answers what git would where there is no repository", async () => {
    const repository = testRepository();
    const answer = await git(repository.beside("."), ["status"]);
    expect([answer.code, answer.stderr]).toEqual([128, expect.stringContaining("not a git repository")]);
    expect((await gitAlone(["--version"])).stdout.toString()).toContain("git version");
  });

  it("refuses a repository that becomes another one", async () => {
    const repository = testRepository();
    const linked = repository.beside("linked");
    repository.say("worktree", "add", "-q", linked, "-b", "other");
    expect((await git(linked, ["rev-parse", "HEAD"])).code).toBe(0);
    renameSync(join(linked, ".git"), join(linked, "was"));
    execFileSync("git", ["init", "-q", linked], { env: gitEnv });
    expect(await git(linked, ["status"])).toMatchObject({ code: 128, stderr: expect.stringContaining("when this session began") });
  });

  it.each(["HEAD", "config", "index", "packed-refs", "info/exclude", "info/attributes", "objects/info/alternates", "logs/HEAD"])(
    "does not wait for a pipe in the place of %s, nor follow a link",
    async (name) => {
      for (const plant of [(path: string) => execFileSync("mkfifo", [path]), (path: string) => symlinkSync("/dev/zero", path)]) {
        const repository = testRepository();
        const path = join(repository.folder, ".git", name);
        rmSync(path, { force: true });
        plant(path);
        expect(await git(repository.folder, ["status"])).toMatchObject({ code: 128, stderr: expect.stringContaining(path) });
      }
    },
  );

  it("ends git at its limit, when the call is aborted, and when enough was printed", async () => {
    const repository = testRepository({ "large.txt": "x".repeat(2_000_000) });
    execFileSync("mkfifo", [join(repository.folder, ".gitignore")]);
    const limited = await git(repository.folder, ["status"], { limitMs: 300 });
    const aborted = new AbortController();
    const waiting = git(repository.folder, ["status"], { signal: aborted.signal });
    setTimeout(() => aborted.abort(), 100);
    expect([limited, await waiting]).toMatchObject([
      { code: null, stderr: expect.stringContaining("too long") },
      { code: null, stderr: expect.stringContaining("aborted") },
    ]);
    const head = await git(repository.folder, ["cat-file", "-p", "HEAD:large.txt"], { headBytes: 10 });
    expect([head.code, head.stdout.length >= 10 && head.stdout.length < 2_000_000]).toEqual([null, true]);
  });

  it("ends git at a pipe in the place of a file that it reads in each folder, long before its limit, and names the pipe", async () => {
    const repository = testRepository({ "deep/er/a.txt": "a\n" });
    const pipe = join(repository.folder, "deep/er/.gitignore");
    execFileSync("mkfifo", [pipe, join(repository.folder, "harmless")]);
    const status = await git(repository.folder, ["status"]);
    expect(status).toMatchObject({ code: null, stderr: `git was ended, because ${pipe} is a pipe, at which it waits: remove it` });
    rmSync(pipe);
    expect(await git(repository.folder, ["status", "--short"])).toMatchObject({ code: 0 });
  });

  it("gives git its input, and bytes back as they are", async () => {
    const repository = testRepository({ "a.txt": "a\n" });
    const id = repository.say("rev-parse", "HEAD:a.txt");
    expect((await git(repository.folder, ["cat-file", "--batch"], { input: `${id}\n` })).stdout.toString()).toBe(`${id} blob 2\na\n\n`);
    expect((await git(repository.folder, ["rev-list", "--stdin"], { input: "" })).stdout.length).toBe(0);
  });

  it("keeps the person's own filters, and settings of the repository that only describe it", async () => {
    const repository = testRepository({ "a.txt": "a\n", ".gitattributes": "*.up filter=upper\n" });
    const home = repository.beside("home");
    mkdirSync(home);
    writeFileSync(join(home, ".gitconfig"), '[filter "upper"]\n\tclean = tr a-z A-Z\n');
    repository.say("config", "core.autocrlf", "input");
    repository.say("config", "user.name", 'A "quoted" \\ name');
    repository.write({ "x.up": "abc\n", "crlf.txt": "a\r\nb\r\n" });
    const own = ownGit({ PATH: gitEnv["PATH"]!, HOME: home, GIT_CONFIG_NOSYSTEM: "1" });
    expect(await stageEverything(own, repository.folder)).toMatchObject({ ok: true });
    expect([repository.say("show", ":x.up"), repository.say("show", ":crlf.txt")]).toEqual(["ABC", "a\nb"]);
    expect((await own(repository.folder, ["config", "user.name"])).stdout).toBe('A "quoted" \\ name\n');
    expect(await repositorySettings(repository.folder)).toContainEqual(["user.name", 'A "quoted" \\ name']);
  });

  it.skipIf(noSandbox)("runs in a sandbox: nothing written but the repository, no network, no socket", async () => {
    const repository = testRepository();
    const listening = createServer();
    const sockets = socketFolder();
    const [socket, outside] = [join(sockets, "s"), repository.beside("outside")];
    await new Promise<void>((done) => listening.listen(socket, done));
    const report = join(repository.folder, "report");
    const script = `#!/bin/sh
touch ${quoted(outside)} 2>/dev/null && echo wrote outside
touch ${quoted(report)}.try 2>/dev/null && echo wrote inside
node -e 'const n = require("net"); for (const to of [{ path: "${socket}" }, { port: 9, host: "127.0.0.1" }]) n.connect(to).on("connect", () => console.log("connected")).on("error", (e) => console.log(e.code))'
ps -e 2>/dev/null | wc -l
`;
    const env = { ...gitEnv, PATH: `${programFolder({ git: script })}:${gitEnv["PATH"]}` };
    const looked = spawnSync("true") && (await ownGit(env)(repository.folder, ["status"]));
    listening.close();
    rmSync(sockets, { recursive: true });
    const said = looked.stdout.split("\n");
    expect(said).toContain("wrote inside");
    expect(said).not.toContain("wrote outside");
    expect(said).not.toContain("connected");
    expect(existsSync(outside)).toBe(false);
  });

  it.skipIf(noSandbox)("writes no log or reference into hooks or settings to which a link leads", async () => {
    const repository = testRepository();
    const { folder, write } = repository;
    const hook = "#!/bin/sh\n";
    write({ ".git/hooks/pre-push": hook, ".git/logs/refs/heads/x": "" });
    for (const [branch, file] of [
      ["hook", "hooks/pre-push"],
      ["settings", "config"],
    ])
      symlinkSync(`../../../${file}`, join(folder, ".git/logs/refs/heads", branch!));
    const before = readFileSync(join(folder, ".git/config"), "utf8");
    for (const branch of ["hook", "settings"]) await work(folder, ["branch", branch]);
    expect([readFileSync(join(folder, ".git/hooks/pre-push"), "utf8"), readFileSync(join(folder, ".git/config"), "utf8")]).toEqual([
      hook,
      before,
    ]);
    expect((await work(folder, ["branch", "other"])).code).toBe(0);
  });
});

it("ends what it has begun when this program is killed, so that no lock stays", async () => {
  const repository = testRepository();
  const input = join(repository.folder, "input");
  execFileSync("mkfifo", [input]);
  const order = { folder: repository.folder, args: ["hash-object", "-w", "--", input], config: repository.beside("config"), env: gitEnv };
  const { child, ended } = startProgram("git-call", order);
  const writer = await open(input, "w"); // git has opened it to read
  child.kill("SIGKILL");
  await ended;
  await writer.write("what comes later\n");
  await writer.close();
  const object = execFileSync("git", ["hash-object", "--stdin"], { input: "what comes later\n", encoding: "utf8" }).trim();
  const kept = join(repository.folder, ".git/objects", object.slice(0, 2), object.slice(2));
  expect(await eventually(() => existsSync(kept))).toBe(true);
});

it("gives no object as much memory as it says that it has", async () => {
  const { folder } = testRepository();
  const id = "ab".repeat(20);
  mkdirSync(join(folder, ".git/objects/ab"), { recursive: true });
  writeFileSync(join(folder, ".git/objects/ab", id.slice(2)), deflateSync("commit 2000000000\0tree"));
  expect((await git(folder, ["log", "-1", id])).stderr).toContain("over limit");
});
