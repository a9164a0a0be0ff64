import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Repository } from "../../../src/batch/repository.ts";
import { batchRepository } from "../../../src/edge/git/batch-repository.ts";
import { newChanges } from "../../../src/edge/git/repository/new-commits.ts";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { changesProblem } from "../../../src/secrets/commit-gate.ts";
import { lacks } from "../../needs.ts";
import { eventually, fill, quoted, smallDisk } from "../../scratch.ts";
import { bareRemote, gitEnv, personsState, sayIn, type TestRepository, testRepository, writeFiles } from "./git-kit.ts";

function opened(repository: TestRepository, home = "worktrees"): Repository {
  return batchRepository({
    git: repository.git,
    repository: repository.folder,
    home: resolve(repository.beside("."), home),
    closed: async () => () => false,
    ignored: "copy",
    look: async (folder, update) => changesProblem(newChanges({ folder, hidden: undefined }, update), secretScanner()),
    env: gitEnv,
    logins: {},
    token: async () => undefined,
  });
}

/** A worktree with these changes in it. */
async function unit(repository: TestRepository, name: string, files: Record<string, string>) {
  const folder = join(repository.beside("worktrees"), name);
  const batch = opened(repository);
  const branch = `tool/batch-1/${name}`;
  expect(await batch.addWorktree({ folder, branch, from: "HEAD" })).toEqual({ ok: true, value: undefined });
  writeFiles(folder, files);
  return { folder, branch, batch, say: sayIn(folder) };
}

async function committed(repository: TestRepository, name: string, files: Record<string, string>) {
  const made = await unit(repository, name, files);
  await made.batch.stage(made.folder, "HEAD");
  const commit = await made.batch.commit(made.folder, `Unit ${name}`);
  if (!commit.ok) throw new Error(commit.error.reason);
  return { ...made, commit: commit.value };
}

it.skipIf(await lacks("a file system of its own"))(
  "batchRepository().addWorktree() reports a full disk, and continues when there is space",
  async () => {
    const repository = testRepository({ "a.txt": "a".repeat(50_000), "b.txt": "b".repeat(50_000) });
    const { folder: home } = smallDisk("size=200k");
    const batch = opened(repository, home);
    const worktree = { folder: join(home, "u1"), branch: "tool/batch-1/u1", from: "HEAD" };
    const makeRoom = fill(home);
    expect(await batch.addWorktree(worktree)).toMatchObject({
      ok: false,
      error: { reason: expect.stringMatching(/No space left on device/) },
    });
    makeRoom();
    expect(await batch.addWorktree(worktree)).toEqual({ ok: true, value: undefined });
    expect(sayIn(worktree.folder)("status", "--porcelain")).toBe("");
  },
);

describe("batchRepository().commit()", () => {
  it("commits what is staged on the unit's branch, without hooks, and nothing twice", async () => {
    const repository = testRepository({ "a.txt": "a\n", "b.txt": "b\n" });
    writeFiles(repository.folder, { ".git/hooks/pre-commit": "#!/bin/sh\ntouch hook-ran; exit 1\n" });
    const before = personsState(repository);
    const { folder, batch, branch, say } = await unit(repository, "u1", { "a.txt": "A\n", "new/c.txt": "c\n" });
    rmSync(join(folder, "b.txt"));
    expect(await batch.stage(folder, "HEAD")).toEqual({
      ok: true,
      value: [
        { path: "a.txt", kind: "changed" },
        { path: "b.txt", kind: "deleted" },
        { path: "new/c.txt", kind: "added" },
      ],
    });
    const commit = await batch.commit(folder, "Write capitals\n\nBecause they are larger.");
    expect(commit).toEqual({ ok: true, value: say("rev-parse", "HEAD") });
    expect(say("log", "-1", "--format=%B")).toBe("Write capitals\n\nBecause they are larger.");
    expect(await batch.commit(folder, "Again")).toEqual(commit);
    expect(await batch.commitOf(branch)).toBe(say("rev-parse", "HEAD"));
    expect(say("status", "--porcelain")).toBe("");
    expect(personsState(repository)).toEqual(before);
  });

  it("commits no secret, and nothing outside our own branches", async () => {
    const repository = testRepository();
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { folder, batch, branch, say } = await unit(repository, "u1", { "config.js": `const token = "${token}";\n` });
    await batch.stage(folder, "HEAD");
    const before = await batch.commitOf(branch);
    const commit = await batch.commit(folder, "Sign in");
    expect(commit).toMatchObject({ ok: false, error: { kind: "failed", reason: expect.stringContaining("secrets") } });
    expect(JSON.stringify(commit)).not.toContain(token);
    expect(await batch.commitOf(branch)).toBe(before);
    say("checkout", "--quiet", "--detach");
    expect(await batch.commit(folder, "Sign in")).toMatchObject({ ok: false, error: { reason: expect.stringContaining("no branch") } });
  });

  it("names the owner of a lock", async () => {
    const repository = testRepository();
    const { folder, batch, say } = await unit(repository, "u1", { "new.txt": "new\n" });
    const lock = say("rev-parse", "--git-path", "index.lock");
    writeFileSync(lock, "");
    expect(await batch.stage(folder, "HEAD")).toMatchObject({
      ok: false,
      error: { kind: "failed", reason: expect.stringContaining(lock) },
    });
  });
});

describe("batchRepository().merge()", () => {
  it("merges units on an integration branch, without a working tree, and each once", async () => {
    const repository = testRepository({ "a.txt": "a\n", "b.txt": "b\n" });
    repository.write({ "a.txt": "the person's own\n" });
    const before = personsState(repository);
    const one = await committed(repository, "u1", { "a.txt": "1\n" });
    const two = await committed(repository, "u2", { "b.txt": "2\n" });
    const { batch } = one;
    const phase = "tool/batch-1/phase-1";
    expect(await batch.createBranch(phase, "HEAD")).toEqual({ ok: true, value: repository.say("rev-parse", "HEAD") });
    const merges = await Promise.all(
      [one, two].map(({ branch }) => batch.merge({ branch: phase, from: branch, message: `Merge ${branch}` })),
    );
    expect(merges.map(({ ok }) => ok)).toEqual([true, true]);
    expect(repository.say("show", `${phase}:a.txt`, `${phase}:b.txt`)).toBe("1\n2");
    const tip = await batch.commitOf(phase);
    expect(await batch.merge({ branch: phase, from: one.branch, message: "Again" })).toEqual({ ok: true, value: tip });
    expect(await batch.createBranch(phase, "HEAD")).toEqual({ ok: true, value: tip });
    expect(await batch.createBranch("tool/batch-1", "HEAD")).toMatchObject({ ok: false }); // git has a folder of that name
    expect(personsState(repository)).toEqual(before);
  });

  it("names the files of a conflict, and then changes nothing", async () => {
    const repository = testRepository({ "a.txt": "a\n", "b.txt": "b\n", ".gitattributes": "b.txt merge=own\n" });
    const ran = repository.beside("driver-ran");
    repository.say("config", "merge.own.driver", `touch ${ran}`);
    const one = await committed(repository, "u1", { "a.txt": "1\n", "b.txt": "1\n" });
    const two = await committed(repository, "u2", { "a.txt": "2\n", "b.txt": "2\n" });
    const conflict = await one.batch.merge({ branch: one.branch, from: two.branch, message: "Merge" });
    expect(conflict).toMatchObject({ ok: false, error: { kind: "conflict", files: ["a.txt", "b.txt"] } });
    expect(await one.batch.commitOf(one.branch)).toBe(one.commit);
    expect(existsSync(ran)).toBe(false);
  });
});

describe("batchRepository()", () => {
  it("serves two batches in one repository at once", async () => {
    const repository = testRepository();
    const remote = bareRemote(repository);
    const before = personsState(repository);
    const carriedOut = async (id: string) => {
      const batch = opened(repository, `worktrees-${id}`);
      const phase = `tool/batch-${id}/phase-1`;
      const units = ["u1", "u2"].map(async (name) => {
        const folder = join(repository.beside(`worktrees-${id}`), name);
        const branch = `tool/batch-${id}/${name}`;
        const added = await batch.addWorktree({ folder, branch, from: "HEAD" });
        writeFiles(folder, { [`${name}.txt`]: `${name} of ${id}\n` });
        return [
          added,
          await batch.stage(folder, "HEAD"),
          await batch.commit(folder, name),
          await batch.createBranch(phase, "HEAD"),
          await batch.merge({ branch: phase, from: branch, message: `Merge ${name}` }),
          await batch.push(branch, "origin"),
          await batch.removeWorktree(folder, `origin/${branch}`),
        ].flatMap((answer) => (answer.ok ? [] : [answer.error.reason]));
      });
      return [...(await Promise.all(units)).flat(), await batch.push(phase, "origin")];
    };
    const pushed = { ok: true, value: undefined };
    expect(await Promise.all(["1", "2"].map(carriedOut))).toEqual([[pushed], [pushed]]);
    for (const id of ["1", "2"])
      expect(sayIn(remote)("show", `tool/batch-${id}/phase-1:u1.txt`, `tool/batch-${id}/phase-1:u2.txt`)).toBe(`u1 of ${id}\nu2 of ${id}`);
    expect(["worktrees-1", "worktrees-2"].filter((home) => existsSync(repository.beside(home)))).toEqual([]);
    expect(personsState(repository)).toEqual(before);
  });
});

describe("batchRepository().push()", () => {
  it("pushes a branch, without the pre-push hook, and again without harm", async () => {
    const repository = testRepository();
    const remote = bareRemote(repository);
    writeFiles(repository.folder, { ".git/hooks/pre-push": "#!/bin/sh\nexit 1\n" });
    repository.say("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main");
    const { batch, branch, commit, folder } = await committed(repository, "u1", { "new.txt": "new\n" });
    expect(await batch.removeWorktree(folder, `origin/${branch}`)).toMatchObject({ ok: false, error: { kind: "unsaved" } });
    for (let time = 0; time < 2; time++) expect(await batch.push(branch, "origin")).toEqual({ ok: true, value: undefined });
    expect(sayIn(remote)("rev-parse", branch)).toBe(commit);
    expect(await batch.removeWorktree(folder, `origin/${branch}`)).toEqual({ ok: true, value: undefined });
    expect(await batch.removeWorktree(folder, `origin/${branch}`)).toEqual({ ok: true, value: undefined });
    expect(existsSync(folder)).toBe(false);
    expect(await batch.deleteBranch(branch, "main")).toMatchObject({ ok: false, error: { kind: "unsaved" } });
    expect(await batch.deleteBranch(branch, branch)).toEqual({ ok: true, value: undefined });
    expect(await batch.commitOf(branch)).toBeUndefined();
  });

  it("says why the remote refuses, in the remote's own words", async () => {
    const repository = testRepository();
    const remote = bareRemote(repository);
    const { batch, branch } = await committed(repository, "u1", { "new.txt": "new\n" });
    writeFiles(remote, { "hooks/pre-receive": "#!/bin/sh\necho 'GH006: Protected branch update failed' >&2\nexit 1\n" });
    sayIn(remote)("config", "core.hooksPath", join(remote, "hooks"));
    expect(await batch.push(branch, "origin")).toMatchObject({
      ok: false,
      error: { kind: "rejected", reason: expect.stringContaining("GH006: Protected branch update failed") },
    });
    rmSync(join(remote, "hooks/pre-receive"));
    const other = repository.beside("other");
    repository.say("clone", "--quiet", remote, other);
    writeFiles(other, { "theirs.txt": "" });
    for (const args of [
      ["add", "."],
      ["commit", "--quiet", "--message", "Theirs"],
      ["push", "--quiet", "origin", `HEAD:${branch}`],
    ])
      sayIn(other)(...args);
    expect(await batch.push(branch, "origin")).toMatchObject({
      ok: false,
      error: { kind: "rejected", reason: expect.stringContaining("not overwritten") },
    });
    repository.say("remote", "set-url", "origin", "https://ann:secret@127.0.0.1:1/acme/app.git");
    const unreachable = await batch.push(branch, "origin");
    expect(unreachable).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(JSON.stringify(unreachable)).not.toContain("secret");
    repository.say("config", "core.sshCommand", "touch /tmp/never");
    expect(await batch.push(branch, "origin")).toMatchObject({
      error: { kind: "failed", reason: expect.stringContaining("core.sshcommand") },
    });
  });

  it("is aborted by its signal, and pushes the branch another time", async () => {
    const repository = testRepository();
    const remote = bareRemote(repository);
    const { batch, branch, commit } = await committed(repository, "u1", { "new.txt": "new\n" });
    const begun = repository.beside("begun");
    writeFiles(remote, { "hooks/pre-receive": `#!/bin/sh\ntouch ${quoted(begun)}\nexec sleep 600\n` });
    sayIn(remote)("config", "core.hooksPath", join(remote, "hooks"));
    const ending = new AbortController();
    const pushing = batch.push(branch, "origin", ending.signal);
    await eventually(() => existsSync(begun));
    ending.abort();
    expect(await pushing).toMatchObject({ ok: false, error: { kind: "network", reason: expect.stringContaining("aborted") } });
    // Somebody else kills git: from the receiving process up to the push itself.
    writeFiles(remote, {
      "hooks/pre-receive": `#!/bin/sh\nat=$PPID\nfor _ in 1 2 3; do at=$(cut -d' ' -f4 /proc/$at/stat); grep -qa push /proc/$at/cmdline && exec kill -9 $at; done\n`,
    });
    if (process.platform === "linux")
      expect(await batch.push(branch, "origin")).toMatchObject({
        ok: false,
        error: { kind: "network", reason: expect.stringContaining("git was ended by a signal") },
      });
    rmSync(join(remote, "hooks/pre-receive"));
    expect(await batch.push(branch, "origin", new AbortController().signal)).toEqual({ ok: true, value: undefined });
    expect(sayIn(remote)("rev-parse", branch)).toBe(commit);
  });
});

it("batchRepository().includeIgnored() continues after a kill in the middle of a folder", async () => {
  const repository = testRepository({ ".gitignore": "node_modules/\n*.local\n" });
  repository.write({ "node_modules/a.js": "a", "node_modules/b.js": "b", "x.local": "x" });
  const { batch, folder } = await unit(repository, "u1", {});
  // What a kill leaves: half a copy, beside the worktree and not inside it.
  mkdirSync(`${folder}.bringing/node_modules`, { recursive: true });
  writeFileSync(`${folder}.bringing/node_modules/a.js`, "a");
  const patterns = "# what the build needs\n\nnode_modules/\n*.local \n!y.local\n";
  expect(await batch.includeIgnored(folder, patterns)).toEqual({ ok: true, value: ["node_modules", "x.local"] });
  expect(readFileSync(join(folder, "node_modules/b.js"), "utf8")).toBe("b");
  expect(existsSync(`${folder}.bringing`)).toBe(false);
  expect(await batch.includeIgnored(folder, patterns)).toEqual({ ok: true, value: [] });
});
