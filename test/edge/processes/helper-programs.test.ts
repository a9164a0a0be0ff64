// Our helper programs are never taken from a folder that an agent can write. The test folders are in the home, because none in the
// temporary folder would be accepted.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { findHelperPrograms, helperProgram, skippedEntries } from "../../../src/edge/processes/helper-programs.ts";
import { lacks } from "../../needs.ts";
import { eventually, programFolder, scratchFolder, start } from "../../scratch.ts";

const script = "#!/bin/sh\n";
const noRoot = await lacks("root");
const noOwnNamespace = await lacks("a process namespace of its own");

function folderWith(...names: string[]): string {
  return realpathSync(programFolder(Object.fromEntries(names.map((name) => [name, script]))));
}

/** A working directory outside the temporary folder, with a program in it. */
function workingTree(inside: string): { tree: string; bin: string } {
  const tree = folderWith();
  const bin = join(tree, inside);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  findHelperPrograms([tree]);
  return { tree, bin };
}

it("takes the first one that nobody else can replace, by its name on PATH", () => {
  const [first, second] = [folderWith("rg"), folderWith("rg", "git")];
  symlinkSync(join(second, "rg"), join(first, "tmux"));
  const path = `${first}:${second}`;
  expect(["rg", "git", "tmux", "bwrap"].map((name) => helperProgram(name, path))).toEqual([
    { kind: "found", path: join(first, "rg") },
    { kind: "found", path: join(second, "git") },
    { kind: "found", path: join(first, "tmux") },
    { kind: "missing", why: "bwrap was not found on PATH" },
  ]);
});

it("is resolved once: a program that is added before it later is not seen", () => {
  const [first, second] = [folderWith(), folderWith("rg")];
  const path = `${first}:${second}`;
  const before = helperProgram("rg", path);
  writeFileSync(join(first, "rg"), script, { mode: 0o755 });
  expect([before, helperProgram("rg", path)]).toEqual([before, { kind: "found", path: join(second, "rg") }]);
});

it("skips the working directories, the repository around them, and every way into them", () => {
  const { tree, bin } = workingTree("node_modules/.bin");
  const aside = folderWith();
  symlinkSync(bin, join(aside, "folder"));
  symlinkSync(join(bin, "git"), join(aside, "git"));
  mkdirSync(join(tree, ".git"));
  const module = join(tree, "packages/one");
  mkdirSync(module, { recursive: true });
  findHelperPrograms([module]);
  const own = folderWith("git");
  const entries = [bin, join(aside, "folder"), `${tree}/x/../node_modules/.bin`, aside];
  expect(entries.map((entry) => helperProgram("git", `${entry}:${own}`))).toEqual(
    entries.map(() => ({ kind: "found", path: join(own, "git") })),
  );
  const inside = `it is inside ${tree}, where commands of an agent may write`;
  expect(skippedEntries(`${bin}:${join(aside, "folder")}:${aside}`)).toEqual([
    { entry: bin, why: inside },
    { entry: join(aside, "folder"), why: inside },
  ]);
  expect(helperProgram("git", aside)).toEqual({
    kind: "missing",
    why: `git was found only in ${aside}, which is passed over: ${inside}`,
    passedOver: true,
  });
});

it("skips the tree of the repository that a linked worktree belongs to", () => {
  const { tree, bin } = workingTree(".venv/bin");
  const other = join(folderWith(), "other");
  const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: tree });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "First");
  git("worktree", "add", "--quiet", other);
  findHelperPrograms([other]);
  expect(helperProgram("git", bin).kind).toBe("missing");
});

it("skips the temporary folder, relative and empty entries, and places that others can write", () => {
  const [everybody, above, file] = [folderWith("rg"), folderWith(), folderWith("rg")];
  chmodSync(everybody, 0o1777);
  mkdirSync(join(above, "bin"));
  writeFileSync(join(above, "bin/rg"), script, { mode: 0o755 });
  chmodSync(above, 0o777);
  chmodSync(join(file, "rg"), 0o757);
  const temporary = scratchFolder();
  writeFileSync(join(temporary, "rg"), script, { mode: 0o755 });
  const from = relative(process.cwd(), folderWith("rg"));
  const own = folderWith("rg");
  const path = [everybody, join(above, "bin"), file, temporary, from, ".", "", own].join(":");
  expect(helperProgram("rg", path)).toEqual({ kind: "found", path: join(own, "rg") });
  const relativeEntry = "it is relative, so it means another folder in each directory";
  expect(skippedEntries(path)).toEqual([
    { entry: everybody, why: `everybody may write ${everybody}` },
    { entry: join(above, "bin"), why: `everybody may write ${above}` },
    { entry: temporary, why: expect.stringMatching(/^it is inside \/.*, where commands of an agent may write$/) },
    { entry: from, why: relativeEntry },
    { entry: ".", why: relativeEntry },
    { entry: "", why: "it is empty, which means the working directory of the moment" },
  ]);
  expect(helperProgram("rg", file)).toMatchObject({ why: expect.stringContaining(`everybody may write ${join(file, "rg")}`) });
});

it.skipIf(noRoot)("skips files of another user, or that a group with others may write", () => {
  const [strangers, shared, ownGroup] = [folderWith("rg"), folderWith("rg"), folderWith("rg")];
  chownSync(strangers, 12345, 0);
  const others = /^daemon:[^:]*:\d+:(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"))?.[1];
  chownSync(shared, 0, Number(others));
  chmodSync(shared, 0o775);
  chmodSync(ownGroup, 0o775);
  expect([strangers, shared, ownGroup].map((path) => skippedEntries(path))).toEqual([
    [{ entry: strangers, why: `another user owns ${strangers}` }],
    [{ entry: shared, why: `a group with others than you may write ${shared}` }],
    [],
  ]);
});

/** A program of root's on every machine, by its path without links. */
const envOfRoot = join(realpathSync("/usr/bin"), "env");

it("takes root's own program of the same name if a folder that others can write links to it, and returns its real path", () => {
  const [temporary, chained, everybody] = [scratchFolder(), scratchFolder(), folderWith()];
  const { bin } = workingTree("bin");
  for (const folder of [temporary, everybody, bin]) symlinkSync(envOfRoot, join(folder, "env"));
  symlinkSync(join(temporary, "env"), join(chained, "env"));
  const relativeLink = scratchFolder();
  symlinkSync(relative(realpathSync(relativeLink), envOfRoot), join(relativeLink, "env"));
  chmodSync(everybody, 0o777);
  const folders = [temporary, chained, everybody, bin, relativeLink];
  expect(folders.map((folder) => helperProgram("env", folder))).toEqual(folders.map(() => ({ kind: "found", path: envOfRoot })));
  // The folder decides: a program that is not in it is missing.
  expect(helperProgram("rg", temporary)).toEqual({ kind: "missing", why: "rg was not found on PATH" });
});

it("skips every other link in such a folder, and any in a relative or empty entry", () => {
  const own = folderWith("env");
  const circle = scratchFolder();
  symlinkSync("../".concat(basename(circle), "/env"), join(circle, "env"));
  const targets = [
    join(folderWith("env"), "env"),
    join(dirname(envOfRoot), "sh"),
    join(dirname(envOfRoot), "missing/env"),
    dirname(envOfRoot),
  ];
  const folders = targets.map((target) => {
    const folder = scratchFolder();
    symlinkSync(target, join(folder, "env"));
    return folder;
  });
  const written = scratchFolder();
  writeFileSync(join(written, "env"), script, { mode: 0o755 });
  chmodSync(dirname(targets[0] ?? ""), 0o757);
  const linked = scratchFolder();
  symlinkSync(envOfRoot, join(linked, "env"));
  const entries = [...folders, circle, written, relative(process.cwd(), linked)];
  expect(entries.map((entry) => helperProgram("env", `${entry}:${own}`))).toEqual(
    entries.map(() => ({ kind: "found", path: join(own, "env") })),
  );
});

it.skipIf(noOwnNamespace)("takes the target of a link through /proc from our own file system, not from another process's", async () => {
  const planted = join(scratchFolder(), "env");
  writeFileSync(planted, script, { mode: 0o755 });
  const cover = `mount --bind ${planted} ${envOfRoot} && echo there && exec sleep 60`;
  const other = start(["unshare", "--mount", "sh", "-c", cover]);
  await eventually(() => other.output().includes("there"));
  const folder = scratchFolder();
  symlinkSync(`/proc/${other.pid}/root${envOfRoot}`, join(folder, "env"));
  expect(helperProgram("env", folder)).toEqual({ kind: "found", path: envOfRoot });
});

it("ignores a cycle of links, a folder and a file that is not a program", () => {
  const folder = folderWith();
  symlinkSync(basename(folder), join(dirname(folder), `${basename(folder)}`).concat("/rg"));
  mkdirSync(join(folder, "git"));
  writeFileSync(join(folder, "tmux"), "");
  expect(["rg", "git", "tmux"].map((name) => helperProgram(name, folder).kind)).toEqual(["missing", "missing", "missing"]);
});
