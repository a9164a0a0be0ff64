// What travels between home and a place: whole at first, then only what the other side lacks, whatever it is made of.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownGit } from "../../../src/edge/git/own-git.ts";
import { travel } from "../../../src/edge/places/travel.ts";
import { scratchFolder, startProgram } from "../../scratch.ts";
import { gitEnv, sayIn, testRepository, writeFiles } from "../git/git-kit.ts";

it("a tree goes to a place and comes home with little more than what changed there", async () => {
  const folder = scratchFolder();
  const [home, far] = [join(folder, "home"), join(folder, "far")];
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@localhost", ...args], { cwd: folder, encoding: "utf8" });
  git("init", "--quiet", home);
  const noise = Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * n * 7919) % 251));
  writeFileSync(join(home, "large.bin"), noise);
  git("-C", home, "add", ".");
  git("-C", home, "commit", "--quiet", "--message", "first");
  const { packed, known, arrive, takeHome } = travel(ownGit({ PATH: process.env["PATH"] ?? "", HOME: folder }));
  writeFileSync(join(home, "untracked.txt"), "new\n");

  const sent = await packed(home, await known(far, "k"));
  const top = join(far, "work", "k-one", "tree");
  await arrive(far, { key: "k", name: "k-one", within: "", top, ...sent });
  expect(readFileSync(join(top, "untracked.txt"), "utf8")).toBe("new\n");
  expect(await packed(top, [sent.commit])).toEqual({ commit: sent.commit });

  const changed = Buffer.concat([noise, Buffer.from([0, 255, 128, 10])]);
  writeFileSync(join(top, "large.bin"), changed);
  const back = await packed(top, [sent.commit]);
  expect(back.bundle?.length).toBeLessThan(2_000); // a difference
  await takeHome(home, "one", back);
  expect(readFileSync(join(home, "large.bin"))).toEqual(changed);
  expect(git("-C", home, "rev-parse", "refs/tool/places/one").trim()).toBe(back.commit);
  writeFileSync(join(top, "large.bin"), Buffer.concat([changed, Buffer.from([7])]));
  const again = await packed(top, [back.commit]);
  expect(again.bundle?.length).toBeLessThan(2_000); // from one snapshot to the next too
  await takeHome(home, "one", again);
  expect(readFileSync(join(home, "large.bin")).at(-1)).toBe(7);
  await takeHome(home, "one", back);
  // A place that lies about what it sends, or sends half of it, changes nothing.
  for (const lie of [
    { ...back, commit: "HEAD" },
    { commit: "f".repeat(back.commit.length), bundle: back.bundle!.subarray(0, -30) },
  ])
    await expect(takeHome(home, "one", lie)).rejects.toThrow();
  expect(git("-C", home, "rev-parse", "refs/tool/places/one").trim()).toBe(back.commit);
});

/** Paths below a folder that are no folders, with their rights and contents. */
const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^\.git(\/|$)/.test(path))
    .toSorted()
    .flatMap((path) => {
      const [at, stats] = [join(folder, path), lstatSync(join(folder, path))];
      if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(at)}`;
      return stats.isDirectory() ? [] : `${path} ${stats.mode & 0o100 ? "x" : "-"} ${readFileSync(at, "latin1")}`;
    });

it("each snapshot brings home all kinds of changes, and nothing that is ignored by then", async () => {
  const files = {
    "kept.txt": "a\n",
    "gone.txt": "b\n",
    "old/name.txt": "c\n".repeat(50),
    "script.sh": "d\n",
    "text.txt": "e\n",
    link: "f\n",
  };
  const home = testRepository({ ...files, ".gitignore": "*.log\n" });
  const { packed, takeHome, arrive } = travel(home.git);
  const far = home.beside("far");
  const top = join(far, "work", "key-1", "tree");
  mkdirSync(far);
  const first = await packed(home.folder, []);
  await arrive(far, { key: "key", name: "key-1", within: "", top, ...first });
  let sent = first.commit;
  const bringHome = async () => {
    const came = await packed(top, [sent]);
    await takeHome(home.folder, "one", came);
    sent = came.commit;
  };

  rmSync(join(top, "gone.txt"));
  mkdirSync(join(top, "new"));
  renameSync(join(top, "old/name.txt"), join(top, "new/name.txt"));
  chmodSync(join(top, "script.sh"), 0o755);
  rmSync(join(top, "link"));
  symlinkSync("kept.txt", join(top, "link"));
  writeFiles(top, { "untracked.txt": "g\n", "later.txt": "h\n" });
  await bringHome();
  expect(everythingIn(home.folder)).toEqual(everythingIn(top));

  // What was brought home and is ignored from now on goes; what ".gitattributes" converts is converted on both sides.
  writeFiles(top, { ".gitignore": "*.log\nlater.txt\n", ".gitattributes": "text.txt text eol=crlf\n", "text.txt": "one\r\ntwo\r\n" });
  writeFiles(top, { "run.log": "ignored\n", "script.sh": "changed\n" });
  await bringHome();
  const there = everythingIn(top).filter((line) => !/^(run\.log|later\.txt) /.test(line));
  expect(everythingIn(home.folder)).toEqual(there);
  expect(home.say("show", `${sent}:text.txt`)).toBe("one\ntwo");

  // A folder in the place of a file, and a file in the place of a folder.
  rmSync(join(top, "kept.txt"));
  rmSync(join(top, "new"), { recursive: true });
  writeFiles(top, { "kept.txt/inside.txt": "i\n", new: "j\n" });
  await bringHome();
  expect(everythingIn(home.folder)).toEqual(everythingIn(top).filter((line) => !/^(run\.log|later\.txt) /.test(line)));
});

it.each(["sha1", "sha256"])("a tree whose repository has %s objects goes to a place and comes home", async (format) => {
  const folder = realpathSync(scratchFolder());
  const [home, far] = [join(folder, "home"), join(folder, "far")];
  const top = join(far, "work", "key-1", "tree");
  execFileSync("git", ["init", "--quiet", `--object-format=${format}`, home], { env: gitEnv });
  writeFiles(home, { "a.txt": "one\n" });
  sayIn(home)("add", ".");
  sayIn(home)("commit", "--quiet", "--message", "first");
  const head = sayIn(home)("rev-parse", "HEAD");
  const { packed, packedCommit, known, arrive, takeHome, leave } = travel(ownGit(gitEnv));
  await arrive(far, { key: "key", name: "key-1", within: "", top, ...(await packedCommit(home, head, await known(far, "key"))) });
  expect(await known(far, "key")).toEqual([head]);

  writeFiles(top, { "b.txt": "two\n" });
  const back = await packed(top, [head]);
  await takeHome(home, "one", back);
  expect(readFileSync(join(home, "b.txt"), "utf8")).toBe("two\n");
  expect(await packed(home, [back.commit])).toEqual({ commit: back.commit });
  await leave(far, { key: "key", name: "key-1" });
  expect(existsSync(join(far, "work"))).toBe(false);
});

it("a place that knows a repository takes it again when it was made anew with objects of another format", async () => {
  const folder = realpathSync(scratchFolder());
  const far = join(folder, "far");
  const { packed, known, arrive, leave } = travel(ownGit(gitEnv));
  for (const format of ["sha1", "sha256"]) {
    const home = join(folder, format);
    execFileSync("git", ["init", "--quiet", `--object-format=${format}`, home], { env: gitEnv });
    writeFiles(home, { "a.txt": `${format}\n` });
    sayIn(home)("add", ".");
    sayIn(home)("commit", "--quiet", "--message", "first");
    const top = join(far, "work", `key-${format}`, "tree");
    await arrive(far, { key: "key", name: `key-${format}`, within: "", top, ...(await packed(home, await known(far, "key"))) });
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe(`${format}\n`);
  }
  for (const format of ["sha1", "sha256"]) await leave(far, { key: "key", name: `key-${format}` });
  expect(existsSync(join(far, "work"))).toBe(false);
});

it("packed() says of a tree without a commit that there is nothing to send", async () => {
  const folder = realpathSync(scratchFolder());
  sayIn(folder)("init", "--quiet");
  await expect(travel(ownGit(gitEnv)).packed(folder, [])).rejects.toThrow(`Cannot send ${folder}: it has no commit yet`);
});

it("packedCommit() has what the other side lacks of a commit, and nothing for one that is there", async () => {
  const home = testRepository();
  const first = home.say("rev-parse", "HEAD");
  const second = home.commit({ "b.txt": "b\n" });
  const { packedCommit, arrive, known } = travel(home.git);
  const far = home.beside("far");
  mkdirSync(far);
  for (const [name, commit] of [
    ["key-1", first],
    ["key-2", second],
  ] as const) {
    const sent = await packedCommit(home.folder, commit, await known(far, "key"));
    const top = join(far, "work", name, "tree");
    await arrive(far, { key: "key", name, within: "", top, ...sent });
    expect(sayIn(top)("rev-parse", "HEAD")).toBe(commit);
    expect(sayIn(top)("status", "--porcelain")).toBe("");
  }
  expect(await packedCommit(home.folder, second, await known(far, "key"))).toEqual({ commit: second });
  await expect(
    arrive(far, { key: "key", name: "key-3", within: "", top: join(far, "work/key-3/tree"), commit: "f".repeat(40) }),
  ).rejects.toThrow();
});

it("travel() brings changes both ways, a state that was there before too, and keeps what changed there meanwhile", async () => {
  const home = testRepository();
  const { packed, takeHome, arrive, follow } = travel(home.git);
  const far = home.beside("far");
  const top = join(far, "work", "key-1", "tree");
  mkdirSync(far);
  const first = await packed(home.folder, []);
  await arrive(far, { key: "key", name: "key-1", within: "", top, ...first });

  writeFiles(top, { "a.txt": "changed\n", "new.txt": "new\n" });
  const changed = await packed(top, [first.commit]);
  await takeHome(home.folder, "one", changed);
  expect([readFileSync(join(home.folder, "a.txt"), "utf8"), existsSync(join(home.folder, "new.txt"))]).toEqual(["changed\n", true]);

  writeFiles(top, { "a.txt": "a\n" });
  rmSync(join(top, "new.txt"));
  const before = await packed(top, [changed.commit]);
  expect(before).toEqual({ commit: first.commit });
  await takeHome(home.folder, "one", before);
  expect(home.say("status", "--porcelain")).toBe("");

  home.commit({ "b.txt": "others\n" });
  const others = await packed(home.folder, [before.commit]);
  writeFiles(top, { "meanwhile.txt": "mine\n", "a.txt": "mine\n" });
  await follow(top, { from: before.commit, ...others });
  expect(["a.txt", "b.txt", "meanwhile.txt"].map((name) => readFileSync(join(top, name), "utf8"))).toEqual([
    "mine\n",
    "others\n",
    "mine\n",
  ]);
});

it("travel() takes ignored files along that are named, fit and are open, and git ignores them there too", async () => {
  const home = testRepository();
  const { packed, arrive, ignored, bring } = travel(home.git);
  home.commit({ ".worktreeinclude": "deps/\n*.conf\nbig.bin\n.env\n" });
  writeFiles(home.folder, {
    ".git/info/exclude": "deps/\n*.conf\nbig.bin\n.env\nnot-named.log\n",
    "deps/bin/run.sh": "#!/bin/sh\n",
    "deps/hidden.key": "closed\n",
    "own [1].conf": "own\n",
    "big.bin": "b".repeat(5_000),
    ".env": "TOKEN=closed\n",
    "not-named.log": "log\n",
  });
  chmodSync(join(home.folder, "deps/bin/run.sh"), 0o755);
  symlinkSync("bin/run.sh", join(home.folder, "deps/run"));
  symlinkSync("/etc/hostname", join(home.folder, "deps/outside"));
  symlinkSync(".env", join(home.folder, "other.conf"));
  const isClosed = async () => (path: string) => /\/(\.env|hidden\.key)$/.test(path);
  const said = await ignored(home.folder, { isClosed, mostBytes: 4_000 });
  expect(said.brought.toSorted()).toEqual(["deps", "own [1].conf"]);
  expect(said.left.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: ".env", why: "rules hide it from agents, or nothing in it is a file" },
    { path: "big.bin", why: "it does not fit" },
    { path: "other.conf", why: "rules hide it from agents, or nothing in it is a file" },
  ]);

  const far = home.beside("far");
  const top = join(far, "work", "key-1", "tree");
  mkdirSync(far);
  const first = await packed(home.folder, []);
  await arrive(far, { key: "key", name: "key-1", within: "", top, ...first });
  writeFiles(top, { "own [1].conf": "there already\n" });
  await bring(top, said.pack!);
  expect(readdirSync(join(top, "deps"), { recursive: true, encoding: "utf8" }).toSorted()).toEqual(["bin", "bin/run.sh", "run"]);
  expect(statSync(join(top, "deps/run")).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(top, "own [1].conf"), "utf8")).toBe("there already\n");
  expect(existsSync(join(top, ".env"))).toBe(false);
  expect(await packed(top, [first.commit])).toEqual({ commit: first.commit });
});

it("travel() brings no ignored file through a link of the commit's own", async () => {
  const home = testRepository();
  const { packed, arrive, ignored, bring } = travel(home.git);
  const outside = home.beside("outside");
  mkdirSync(outside);
  home.commit({ ".worktreeinclude": "deps/\n" });
  writeFiles(home.folder, { ".git/info/exclude": "deps/\n", "deps/a.txt": "a\n" });
  const { pack } = await ignored(home.folder, { isClosed: async () => () => false, mostBytes: 4_000 });
  rmSync(join(home.folder, "deps"), { recursive: true });
  symlinkSync(outside, join(home.folder, "deps"));
  home.say("add", "--force", "deps");
  home.say("commit", "--quiet", "--message", "A link");
  const top = join(home.beside("far"), "work", "key-1", "tree");
  mkdirSync(home.beside("far"));
  await arrive(home.beside("far"), { key: "key", name: "key-1", within: "", top, ...(await packed(home.folder, [])) });
  await bring(top, pack!);
  expect(readdirSync(outside)).toEqual([]);
});

it("travel() lets many processes begin and end in one kept repository at the same time", async () => {
  const home = testRepository();
  const far = home.beside("far");
  mkdirSync(far);
  const sent = join(far, "sent.json");
  const { commit, bundle } = await travel(home.git).packed(home.folder, []);
  writeFileSync(sent, JSON.stringify({ commit, bundle: bundle?.toString("base64") }));
  const runs = Array.from({ length: 8 }, (_, n) => startProgram("travelling", { far, sent, name: `key-${n}`, rounds: 2 }));
  const ends = await Promise.all(runs.map(async ({ ended, output }) => [(await ended).code, output()]));
  expect(ends).toEqual(runs.map(() => [0, ""]));
  expect(existsSync(join(far, "work"))).toBe(false);
});
