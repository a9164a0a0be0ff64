// A team's worktrees on real repositories: handing over, conflicts in texts and binaries, changes by hand, and the end of the team.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentWorktrees } from "../../../src/edge/git/agent-worktrees.ts";
import { teamWorktrees } from "../../../src/edge/git/team-worktrees.ts";
import { personsState, sayIn, type TestRepository, testRepository, writeFiles } from "./git-kit.ts";

const commit = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", ".gitignore": "node_modules/\n" };

/** The subcommand of a git command line. */
const nameOf = (args: string[]) => args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";

async function team(repository: TestRepository, ...names: string[]) {
  const home = repository.beside("team");
  const base = repository.say("rev-parse", "HEAD");
  const look = async (folder: string, update: string) =>
    sayIn(folder)("diff", "--name-only", update.split(" ")[0] ?? "", update.split(" ")[1] ?? "").includes("secret.txt")
      ? "It has a secret."
      : undefined;
  const options = {
    git: repository.git,
    repository: repository.folder,
    home,
    closed: async () => () => false,
    id: "atlas-1",
    base,
    within: "",
    look,
  };
  const trees = teamWorktrees(options);
  expect(await Promise.all(names.map(trees.add))).toEqual(names.map(() => ({ ok: true })));
  const write = (name: string, files: Record<string, string>) => writeFiles(join(home, name), files);
  const read = (name: string, path: string) => readFileSync(join(home, name, path), "utf8");
  const onMerged = (path: string) => repository.say("show", `tool/team-atlas-1/merged:${path}`);
  return { trees, home, write, read, onMerged, again: () => teamWorktrees(options) };
}

it.each(["sub", "sub/deep"])(
  "nobody works in %s where the commit has a link in the way: what it leads to would be open",
  async (within) => {
    const repository = testRepository(commit);
    const outside = repository.beside("outside");
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(repository.folder, "sub"));
    repository.say("add", "sub");
    repository.say("commit", "-qm", "link");
    const base = repository.say("rev-parse", "HEAD");
    const [git, closed] = [repository.git, async () => () => false];
    const places = { git, repository: repository.folder, home: repository.beside("team"), closed, within };
    const trees = teamWorktrees({ ...places, id: "atlas-1", base, look: async () => undefined });
    const why = /^Cannot work in the folder sub\S* of this commit: \S*\/sub is no folder/;
    const refused = { ok: false, reason: expect.stringMatching(why) };
    expect(await trees.add("ada")).toEqual(refused);
    expect(await trees.union()).toEqual(refused);
    const agents = agentWorktrees({ ...places, home: repository.beside("agents") });
    const place = { folder: join(repository.beside("agents"), "a1"), branch: "tool/agents-1/a1", from: base };
    await expect(agents.add(place)).rejects.toThrow(why);
    expect(readdirSync(outside)).toEqual([]);
  },
);

describe("teamWorktrees()", () => {
  it("merges what teammates hand over, brings it to the others, and leaves the user's tree alone", async () => {
    const repository = testRepository(commit);
    repository.write({ "a.txt": "the person's\n", "staged.txt": "s\n" });
    repository.say("add", "staged.txt");
    const before = personsState(repository);
    const { trees, home, write, read, onMerged } = await team(repository, "ada", "bo");
    write("ada", { "new.txt": "ada\n" });
    write("bo", { "b.txt": "bo\n" });
    expect(await trees.hand("ada", "task-1: One")).toMatchObject({ kind: "merged" });
    expect(await trees.hand("bo", "task-2: Two")).toMatchObject({ kind: "merged" });
    expect([onMerged("new.txt"), onMerged("b.txt"), read("bo", "new.txt")]).toEqual(["ada", "bo", "ada\n"]);
    write("ada", { "c.txt": "half done\n" });
    expect(await trees.update("ada", "Work in progress")).toMatchObject({ kind: "merged" });
    expect([read("ada", "b.txt"), read("ada", "c.txt"), (await trees.handed()).commits > 2]).toEqual(["bo\n", "half done\n", true]);
    expect(await trees.handed()).toMatchObject({ isTaken: false });
    expect(await trees.hand("ada", "task-3: Three")).toMatchObject({ kind: "merged" });
    expect(await trees.settle(["ada", "bo"])).toEqual([]);
    expect([existsSync(home), repository.say("branch", "--list", "tool/*", "--format=%(refname:short)")]).toEqual([
      false,
      "tool/team-atlas-1/merged",
    ]);
    expect(personsState(repository)).toEqual(before);
    repository.say("merge", "--quiet", "tool/team-atlas-1/merged");
    expect(await trees.handed()).toMatchObject({ isTaken: true });
  });

  it("leaves no empty folder when the worktrees were removed by hand", async () => {
    const repository = testRepository(commit);
    const { trees, home } = await team(repository, "ada", "bo");
    repository.say("worktree", "remove", join(home, "ada"));
    repository.say("worktree", "remove", join(home, "bo"));
    expect([existsSync(home), await trees.left()]).toEqual([true, []]);
    expect([await trees.settle([]), existsSync(home)]).toEqual([[], false]);
  });

  it("leaves no empty folder when the team ends while conflicts are looked for", async () => {
    const repository = testRepository(commit);
    const seen: unknown[] = [];
    const git: TestRepository["git"] = async (folder, args, options) => {
      if (nameOf(args) === "write-tree") seen.push(await trees.settle(["ada"]), existsSync(home));
      return repository.git(folder, args, options);
    };
    const { trees, home } = await team({ ...repository, git }, "ada");
    expect([await trees.predict(["ada"]), seen, existsSync(home)]).toEqual([[], [[], false], false]);
  });

  it("uses few git processes, starts no program of the repository, and changes both branches or neither", async () => {
    const repository = testRepository({ ...commit, ".gitattributes": "a.txt filter=theirs merge=theirs\n" });
    for (const key of ["filter.theirs.clean", "filter.theirs.smudge", "merge.theirs.driver"])
      repository.say("config", key, `touch ${repository.beside("started")}; cat`);
    const calls: string[] = [];
    const git: TestRepository["git"] = (folder, args, options) => {
      calls.push(nameOf(args));
      return repository.git(folder, args, options);
    };
    const { trees, home, write } = await team({ ...repository, git }, "ada", "bo");
    write("ada", { "a.txt": "ONE\ntwo\nthree\n" });
    write("bo", { "new.txt": "bo\n" });
    calls.length = 0;
    await trees.hand("ada", "task-1: One");
    const tip = (name: string) => repository.say("rev-parse", `tool/team-atlas-1/${name}`);
    const merged = tip("merged");
    expect([calls.length <= 11, tip("ada")]).toEqual([true, merged]);
    const inBo = sayIn(join(home, "bo"));
    inBo("branch", "own");
    inBo("symbolic-ref", "HEAD", "refs/heads/own");
    expect(await trees.hand("bo", "task-2: Two")).toEqual({
      kind: "refused",
      reason: `Nothing was committed: refs/heads/own is checked out in ${join(home, "bo")}, not tool/team-atlas-1/bo`,
    });
    inBo("symbolic-ref", "HEAD", "refs/heads/tool/team-atlas-1/bo");
    write("bo", { "secret.txt": "hush\n" });
    const before = [tip("bo"), tip("merged")];
    expect(await trees.hand("bo", "task-2: Two")).toMatchObject({ kind: "refused" });
    expect([[tip("bo"), tip("merged")], existsSync(repository.beside("started"))]).toEqual([before, false]);
  });

  it("puts a conflict into the second worktree, and accepts it when no marker is left", async () => {
    const repository = testRepository({ ...commit, "logo.png": "\0\u0001base" });
    const { trees, write, read, onMerged } = await team(repository, "ada", "bo");
    write("ada", { "a.txt": "one\nADA\nthree\n", "logo.png": "\0\u0001ada" });
    write("bo", { "a.txt": "one\nBO\nthree\n", "logo.png": "\0\u0001bo" });
    await trees.hand("ada", "task-1: One");
    const conflict = {
      kind: "conflict",
      files: [
        { path: "a.txt", marked: true },
        { path: "logo.png", marked: false },
      ],
    };
    expect(await trees.hand("bo", "task-2: Two")).toEqual(conflict);
    expect(read("bo", "a.txt")).toBe("one\n<<<<<<< tool/team-atlas-1/bo\nBO\n=======\nADA\n>>>>>>> tool/team-atlas-1/merged\nthree\n");
    expect(read("bo", "logo.png")).toBe("\0\u0001bo");
    expect(await trees.hand("bo", "task-2: Two")).toEqual({ kind: "conflict", files: [{ path: "a.txt", marked: true }] });
    write("bo", { "a.txt": "one\nADA and BO\nthree\n" });
    expect(await trees.hand("bo", "task-2: Two")).toMatchObject({ kind: "merged" });
    expect(onMerged("a.txt")).toBe("one\nADA and BO\nthree");
  });

  it("predicts conflicts of uncommitted work, and touches no index", async () => {
    const repository = testRepository(commit);
    const { trees, home, write } = await team(repository, "ada", "bo", "cy");
    write("ada", { "a.txt": "one\nADA\nthree\n", "new.txt": "ada\n" });
    write("bo", { "a.txt": "one\nBO\nthree\n" });
    write("cy", { "new.txt": "cy\n" });
    const before = sayIn(join(home, "ada"))("status", "--porcelain");
    expect(await trees.predict(["ada", "bo", "cy"])).toEqual([
      { pair: ["ada", "bo"], files: ["a.txt"] },
      { pair: ["ada", "cy"], files: ["new.txt"] },
    ]);
    expect(sayIn(join(home, "ada"))("status", "--porcelain")).toBe(before);
    rmSync(join(home, "cy"), { recursive: true });
    expect(await trees.predict(["ada", "bo", "cy"])).toEqual([{ pair: ["ada", "bo"], files: ["a.txt"] }]);
  });

  it("merges all of many that hand over at once", async () => {
    const repository = testRepository(commit);
    const names = Array.from({ length: 16 }, (_, at) => `t${at + 1}`);
    const { trees, write, again, onMerged } = await team(repository, ...names);
    for (const name of names) write(name, { [`${name}.txt`]: `${name}\n` });
    const done = await Promise.all(names.map((name, at) => (at % 2 === 0 ? trees : again()).hand(name, name)));
    expect(done.map(({ kind }) => kind)).toEqual(names.map(() => "merged"));
    expect(names.map((name) => onMerged(`${name}.txt`))).toEqual(names);
  });

  it("continues a branch whose folder a user removed, and recreates what is gone completely", async () => {
    const repository = testRepository(commit);
    const { trees, home, write, read, onMerged } = await team(repository, "ada", "bo");
    write("ada", { "new.txt": "ada\n" });
    await trees.hand("ada", "task-1: One");
    rmSync(join(home, "ada"), { recursive: true });
    expect([await trees.add("ada"), read("ada", "new.txt")]).toEqual([{ ok: true }, "ada\n"]);
    rmSync(join(home, "bo"), { recursive: true });
    repository.say("worktree", "prune");
    for (const name of ["bo", "merged"]) repository.say("branch", "-D", `tool/team-atlas-1/${name}`);
    expect(await trees.add("bo")).toEqual({ ok: true });
    write("bo", { "b.txt": "bo\n" });
    expect([await trees.hand("bo", "task-2: Two"), await trees.hand("ada", "task-3: Three")]).toMatchObject([
      { kind: "merged" },
      { kind: "merged" },
    ]);
    expect([onMerged("b.txt"), onMerged("new.txt")]).toEqual(["bo", "ada"]);
  });

  it("creates a worktree again whose owner works on, and says so instead of merging what is left of it", async () => {
    const repository = testRepository(commit);
    const { trees, home, write, read, onMerged } = await team(repository, "ada", "bo");
    write("ada", { "new.txt": "ada\n" });
    await trees.hand("ada", "task-1: One");
    write("ada", { "half.txt": "half\n" });
    write("bo", { "b.txt": "bo\n" });
    for (const name of ["ada", "bo"]) rmSync(join(home, name), { recursive: true });
    expect([await trees.hand("ada", "task-2: Two"), await trees.update("bo", "Work in progress")]).toEqual([
      { kind: "remade" },
      { kind: "remade" },
    ]);
    expect([read("ada", "new.txt"), read("bo", "new.txt"), existsSync(join(home, "ada/half.txt"))]).toEqual(["ada\n", "ada\n", false]);
    write("ada", { "half.txt": "done again\n" });
    expect([await trees.hand("ada", "task-2: Two"), onMerged("half.txt")]).toMatchObject([{ kind: "merged" }, "done again"]);
  });

  it("restores a branch that somebody deleted below its worktree, with all of its work", async () => {
    const repository = testRepository(commit);
    const { trees, write, onMerged } = await team(repository, "ada", "bo");
    write("bo", { "b.txt": "bo\n" });
    await trees.hand("bo", "task-1: One");
    const tip = repository.say("rev-parse", "refs/heads/tool/team-atlas-1/bo");
    write("ada", { "new.txt": "ada\n" });
    for (const name of ["ada", "bo"]) repository.say("update-ref", "-d", `refs/heads/tool/team-atlas-1/${name}`);
    expect([await trees.update("bo", "Work in progress"), repository.say("rev-parse", "refs/heads/tool/team-atlas-1/bo")]).toMatchObject([
      { kind: "merged" },
      tip,
    ]);
    expect([await trees.hand("ada", "task-2: Two"), onMerged("new.txt"), onMerged("b.txt")]).toMatchObject([
      { kind: "merged" },
      "ada",
      "bo",
    ]);
    repository.say("update-ref", "-d", "refs/heads/tool/team-atlas-1/bo");
    expect(await trees.settle(["ada", "bo"])).toEqual([]);
  });

  it("notices if the team's branch is missing, and recreates one that a user deleted", async () => {
    const repository = testRepository(commit);
    const { trees } = await team(repository, "ada");
    const before = await trees.hasMerged();
    repository.say("branch", "--delete", "--force", trees.merged);
    const after = await trees.hasMerged();
    await trees.add("ada");
    expect([before, after, await trees.hasMerged()]).toEqual([true, false, true]);
  });

  it("removes nothing that was not handed over, and names it", async () => {
    const repository = testRepository(commit);
    const { trees, home, write } = await team(repository, "ada", "bo");
    write("ada", { "half.txt": "half\n" });
    expect(await trees.settle(["ada", "bo"])).toEqual([
      {
        name: "ada",
        folder: join(home, "ada"),
        branch: "tool/team-atlas-1/ada",
        why: "it has files that are not committed: half.txt",
        isThere: true,
      },
    ]);
    expect([existsSync(join(home, "ada/half.txt")), existsSync(join(home, "bo"))]).toEqual([true, false]);
  });

  it("refuses work with a secret in it, and tests what was handed over", async () => {
    const repository = testRepository(commit);
    const { trees, home, write } = await team(repository, "ada", "bo");
    write("ada", { "secret.txt": "hush\n" });
    expect(await trees.hand("ada", "task-1: One")).toEqual({ kind: "refused", reason: "It has a secret." });
    write("bo", { "b.txt": "bo\n" });
    await trees.hand("bo", "task-2: Two");
    expect(await trees.union()).toMatchObject({ ok: true, folder: join(home, "union") });
    writeFiles(join(home, "union"), { "b.txt": "changed by a test\n", "made.txt": "by a test\n" });
    await trees.union();
    expect([sayIn(join(home, "union"))("status", "--porcelain"), readFileSync(join(home, "union/b.txt"), "utf8")]).toEqual(["", "bo\n"]);
    expect((await trees.settle(["ada", "bo"])).map(({ name }) => name)).toEqual(["ada"]);
  });
});
