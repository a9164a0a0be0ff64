// Looking at and taking change sets in real repositories: every way of taking, conflicts, uncommitted work, and kills at each effect.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChangeSet } from "../../../../src/changes/change-set.ts";
import { abortTake, continueTake, recover, type TakePorts, take } from "../../../../src/changes/take.ts";
import { type Taking, takingSchema, wayBack } from "../../../../src/changes/taking.ts";
import { changesRepository } from "../../../../src/edge/git/changes/changes-repository.ts";
import { sayIn, type TestRepository, testRepository, writeFiles } from "../git-kit.ts";

const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", ".gitignore": "*.local\n" };

const look = async (folder: string, update: string) =>
  sayIn(folder)("diff", "--name-only", ...update.split(" ").slice(0, 2)).includes("secret.txt") ? "It has a secret" : undefined;

function opened(repository: TestRepository) {
  const base = repository.say("rev-parse", "HEAD");
  let kept: string | undefined;
  const taken: Record<string, string> = {};
  const ports: TakePorts = {
    git: changesRepository({ git: repository.git, root: repository.folder, look }),
    store: {
      read: () => (kept === undefined ? undefined : takingSchema.parse(JSON.parse(kept))),
      write(taking: Taking) {
        kept = JSON.stringify(taking);
      },
      clear() {
        kept = undefined;
      },
      remember: (trees) => void Object.assign(taken, trees),
    },
  };
  /** A branch with these files, committed or not. */
  const made = (name: string, texts: Record<string, string>, how: "committed" | "not committed" = "committed"): ChangeSet => {
    const folder = repository.beside(`apart/${name}`);
    repository.say("worktree", "add", "--quiet", "-b", `tool/apart/${name}`, folder, base);
    writeFiles(folder, texts);
    if (how === "committed") {
      sayIn(folder)("add", "--all");
      sayIn(folder)("commit", "--quiet", "--message", `Work of ${name}`);
    }
    const content = { kind: "branch", branch: `tool/apart/${name}`, from: base, folder } as const;
    return { id: name, what: `agent ${name}`, by: name, evidence: { words: "", failed: false }, atWork: false, content };
  };
  const seen = async (...sets: ChangeSet[]) => (await ports.git.look({ sets, taken: new Map(Object.entries(taken)), rivals: true })).seen;
  const takeAll = async (sets: ChangeSet[], as: Taking["as"] = "merge", paths: string[] = []) =>
    take(ports, { seen: await seen(...sets), as, paths });
  const read = (path: string) => readFileSync(join(repository.folder, path), "utf8");
  const status = () => repository.say("status", "--porcelain");
  return { ports, made, seen, takeAll, read, status, base, taken, underWay: () => kept !== undefined };
}

describe("look()", () => {
  it("counts what each has changed and predicts what taking it would do", async () => {
    const repository = testRepository({ ...files, "logo.png": "\0\u0001", "run.sh": "x\n" });
    const { made, seen } = opened(repository);
    const sets = [
      made("ada", { "a.txt": "ONE\ntwo\nthree\n", "grün lich.txt": "neu\n" }, "not committed"),
      made("bo", { "a.txt": "EINS\ntwo\nthree\n", "logo.png": "\0\u0002" }),
      made("cy", { "b.txt": "B\n" }),
      made("dee", { "c.txt": "c\n" }),
    ];
    sayIn(repository.beside("apart/cy"))("mv", "run.sh", "läuft.sh");
    repository.say("merge", "--quiet", "--no-edit", "tool/apart/dee");
    repository.write({ "b.txt": "the person's\n" });
    const all = await seen(...sets);
    expect(all.map(({ set: { id }, files: changes, into, uncommitted, rivals }) => ({ id, changes, into, uncommitted, rivals }))).toEqual([
      {
        id: "ada",
        changes: [
          { path: "a.txt", kind: "changed", added: 1, removed: 1 },
          { path: "grün lich.txt", kind: "added", added: 1, removed: 0 },
        ],
        into: { kind: "merges" },
        uncommitted: ["a.txt", "grün lich.txt"],
        rivals: [{ id: "bo", files: ["a.txt"] }],
      },
      {
        id: "bo",
        changes: [
          { path: "a.txt", kind: "changed", added: 1, removed: 1 },
          { path: "logo.png", kind: "changed", added: null, removed: null },
        ],
        into: { kind: "merges" },
        uncommitted: [],
        rivals: [{ id: "ada", files: ["a.txt"] }],
      },
      {
        id: "cy",
        changes: [
          { path: "b.txt", kind: "changed", added: 1, removed: 1 },
          { path: "läuft.sh", from: "run.sh", kind: "renamed", added: 0, removed: 0 },
        ],
        into: { kind: "in_the_way", files: ["b.txt"] },
        uncommitted: ["läuft.sh", "run.sh"],
        rivals: [],
      },
      {
        id: "dee",
        changes: [{ path: "c.txt", kind: "added", added: 1, removed: 0 }],
        into: { kind: "taken" },
        uncommitted: [],
        rivals: [],
      },
    ]);
  });

  it("finds nothing of a set whose branch is gone, and the branch of one whose worktree was removed by hand", async () => {
    const repository = testRepository(files);
    const { made, ports } = opened(repository);
    const [gone, left] = [made("ada", { "c.txt": "c\n" }), made("bo", { "d.txt": "d\n" })];
    rmSync(repository.beside("apart"), { recursive: true });
    repository.say("worktree", "prune");
    repository.say("branch", "-D", "tool/apart/ada");
    const found = await ports.git.look({ sets: [gone, left], taken: new Map(), rivals: false });
    expect([found.gone, found.seen.map(({ files: changes }) => changes.map(({ path }) => path))]).toEqual([
      [{ set: gone, why: "its branch tool/apart/ada is gone" }],
      [["d.txt"]],
    ]);
  });
});

describe("take()", () => {
  it("merges several in order, with uncommitted files of theirs, and leaves the person's index and other files", async () => {
    const repository = testRepository({ ...files, "old.txt": "old\n", "x.sh": "#!/bin/sh\n" });
    const { made, takeAll, read, status, base, seen, underWay } = opened(repository);
    const sets = [
      made("ada", { "sub dir/ü.txt": "neu\n", "x.sh": "#!/bin/sh\nexit\n" }, "not committed"),
      made("bo", { "a.txt": "one\ntwo\nTHREE\n" }),
    ];
    sayIn(repository.beside("apart/bo"))("rm", "--quiet", "old.txt");
    sayIn(repository.beside("apart/bo"))("commit", "--quiet", "--message", "Remove it");
    repository.write({ "b.txt": "staged\n", "untracked.txt": "u\n", "c.local": "ignored\n" });
    repository.say("add", "b.txt");
    const end = await takeAll(sets);
    expect(end).toMatchObject({ kind: "taken", ids: ["ada", "bo"], nothing: [] });
    expect(repository.say("log", "--first-parent", "--format=%s")).toBe("Merge bo: agent bo\nMerge ada: agent ada\nThe first one");
    expect([read("sub dir/ü.txt"), read("a.txt"), existsSync(join(repository.folder, "old.txt")), status(), underWay()]).toEqual([
      "neu\n",
      "one\ntwo\nTHREE\n",
      false,
      "M  b.txt\n?? untracked.txt",
      false,
    ]);
    expect((await seen(...sets)).map(({ into }) => into)).toEqual([{ kind: "taken" }, { kind: "taken" }]);
    expect(await takeAll(sets)).toMatchObject({ kind: "taken", ids: [], nothing: ["ada", "bo"] });
    if (end.kind === "taken")
      sayIn("/")("-c", `alias.back=!${wayBack(end.taking, { git: `git -C ${repository.folder}`, tree: end.tree })}`, "back");
    expect([repository.say("rev-parse", "HEAD"), status(), read("b.txt")]).toEqual([base, " M b.txt\n?? untracked.txt", "staged\n"]);
  });

  it("takes commits one by one with their authors, on a detached HEAD too", async () => {
    const repository = testRepository(files);
    const { made, takeAll, read } = opened(repository);
    const ada = made("ada", { "c.txt": "c\n" });
    const inAda = sayIn(repository.beside("apart/ada"));
    writeFiles(repository.beside("apart/ada"), { "d.txt": "d\n" });
    inAda("add", "--all");
    inAda("commit", "--quiet", "--author=Ada <ada@localhost>", "--message", "Second\n\nWith a body");
    repository.say("checkout", "--quiet", "--detach");
    repository.commit({ "b.txt": "moved on\n" }, "Moved on");
    expect(await takeAll([ada], "commits")).toMatchObject({ kind: "taken", ids: ["ada"] });
    expect(repository.say("log", "--format=%an: %s")).toBe("Ada: Second\nTest: Work of ada\nTest: Moved on\nTest: The first one");
    expect([read("d.txt"), repository.say("rev-parse", "--abbrev-ref", "HEAD"), repository.say("rev-parse", "main^{tree}").length]).toEqual(
      ["d\n", "HEAD", 40],
    );
  });

  it("takes edits without a commit and without staging anything, and says how to take them back", async () => {
    const repository = testRepository({ ...files, "logo.png": "\0\u0001" });
    const { made, takeAll, read, status, seen } = opened(repository);
    const sets = [
      made("ada", { "a.txt": "ONE\ntwo\nthree\n", "logo.png": "\0\u0002" }),
      made("bo", { "a.txt": "one\ntwo\nTHREE\n", "c.txt": "c\n" }),
    ];
    repository.write({ "b.txt": "the person's\n" });
    const end = await takeAll(sets, "edits");
    expect(end).toMatchObject({ kind: "taken", ids: ["ada", "bo"] });
    expect([read("a.txt"), read("logo.png"), status(), repository.say("log", "--format=%s")]).toEqual([
      "ONE\ntwo\nTHREE\n",
      "\0\u0002",
      " M a.txt\n M b.txt\n M logo.png\n?? c.txt",
      "The first one",
    ]);
    expect((await seen(...sets)).map(({ into }) => into.kind)).toEqual(["taken", "taken"]);
    if (end.kind === "taken")
      sayIn("/")("-c", `alias.back=!${wayBack(end.taking, { git: `git -C ${repository.folder}`, tree: end.tree })}`, "back");
    expect(status()).toBe(" M b.txt");
  });

  it("takes single files and folders, and the rest later", async () => {
    const repository = testRepository(files);
    const { made, takeAll, status, seen } = opened(repository);
    const ada = made("ada", { "src/one.txt": "1\n", "src/two.txt": "2\n", "a.txt": "ONE\ntwo\nthree\n" });
    expect(await takeAll([ada], "merge", ["src"])).toMatchObject({ kind: "taken", ids: ["ada"] });
    expect([repository.say("show", "--name-only", "--format=%s", "HEAD"), status()]).toEqual(["agent ada\n\nsrc/one.txt\nsrc/two.txt", ""]);
    expect((await seen(ada))[0]?.into).toEqual({ kind: "merges" });
    expect(await takeAll([ada])).toMatchObject({ kind: "taken", ids: ["ada"] });
    expect(repository.say("show", "--name-only", "--format=%s", "--first-parent", "HEAD")).toBe("Merge ada: agent ada\n\na.txt");
  });

  it("never overwrites work that is not committed, ignored files and links included", async () => {
    const repository = testRepository(files);
    const { made, takeAll, read, base } = opened(repository);
    const ada = made("ada", { "a.txt": "ONE\n", "b.txt": "B\n", "new.txt": "n\n" });
    const bo = made("bo", { "new.txt": "n\n", "deep/er.txt": "d\n" });
    sayIn(repository.beside("apart/bo"))("add", "--force", ".");
    repository.write({ "a.txt": "mine\n", "b.txt": "staged\n", "new.txt": "mine\n" });
    repository.say("add", "b.txt");
    expect(await takeAll([ada])).toEqual({
      kind: "refused",
      reason:
        "It changes files that have work of yours which is not committed: a.txt, b.txt, new.txt. Commit or stash it first (git stash push -- a.txt); nothing was changed",
    });
    expect([read("a.txt"), read("b.txt"), read("new.txt"), repository.say("rev-parse", "HEAD")]).toEqual([
      "mine\n",
      "staged\n",
      "mine\n",
      base,
    ]);
    writeFileSync(join(repository.folder, ".git/info/exclude"), "new.txt\ndeep\n");
    repository.say("reset", "--hard", "--quiet");
    symlinkSync(repository.beside("outside"), join(repository.folder, "deep"));
    expect(await takeAll([bo])).toEqual({
      kind: "refused",
      reason: "It would overwrite files that git does not track: deep, new.txt. Move them away; nothing was changed",
    });
    expect([
      read("new.txt"),
      lstatSync(join(repository.folder, "deep")).isSymbolicLink(),
      existsSync(repository.beside("outside")),
    ]).toEqual(["mine\n", true, false]);
  });

  it("puts the files back if the branch moves while they change", async () => {
    const repository = testRepository(files);
    const git: TestRepository["git"] = async (folder, args, options) => {
      if (args[0] === "update-ref")
        repository.say("update-ref", "HEAD", repository.say("commit-tree", "-p", "HEAD", "-m", "Meanwhile", "HEAD^{tree}"));
      return repository.git(folder, args, options);
    };
    const { made, takeAll, read, status, underWay } = opened({ ...repository, git });
    expect(await takeAll([made("ada", { "a.txt": "ONE\n", "new.txt": "n\n" })])).toEqual({
      kind: "refused",
      reason: `The branch has moved to ${repository.say("rev-parse", "HEAD").slice(0, 12)} meanwhile. Look again and take it once more; the files are as they were`,
    });
    expect([read("a.txt"), status(), underWay()]).toEqual([files["a.txt"], "", false]);
  });

  it("takes binary files whole, and keeps the person's version of one that both have changed", async () => {
    const repository = testRepository({ ...files, "logo.png": "\0\u0001" });
    const { ports, made, takeAll, read } = opened(repository);
    const [ada, bo] = [made("ada", { "logo.png": "\0\u0002", "new.png": "\0new" }), made("bo", { "logo.png": "\0\u0003" })];
    expect(await takeAll([ada, bo])).toMatchObject({
      kind: "conflict",
      id: "bo",
      files: [{ path: "logo.png", marked: false }],
      done: ["ada"],
    });
    expect([read("logo.png"), read("new.png")]).toEqual(["\0\u0002", "\0new"]);
    expect(await continueTake(ports)).toMatchObject({ kind: "refused", reason: expect.stringContaining("logo.png (choose a version:") });
    repository.say("checkout", "--theirs", "logo.png");
    repository.say("add", "logo.png");
    expect([await continueTake(ports), read("logo.png")]).toMatchObject([{ kind: "taken", ids: ["ada", "bo"] }, "\0\u0003"]);
  });

  it("refuses uncommitted work of an agent that has a secret", async () => {
    const repository = testRepository(files);
    const { made, takeAll } = opened(repository);
    expect(await takeAll([made("ada", { "secret.txt": "hush\n" }, "not committed")])).toEqual({
      kind: "refused",
      reason: "Cannot take ada: It has a secret",
    });
  });
});

describe("a conflict", () => {
  async function stoppedTake(as: Taking["as"]) {
    const repository = testRepository({ ...files, "logo.png": "\0\u0001" });
    const all = opened(repository);
    const sets = [
      all.made("ada", { "a.txt": "ADA\ntwo\nthree\n", "logo.png": "\0\u0002" }),
      all.made("bo", { "a.txt": "BO\ntwo\nthree\n", "logo.png": "\0\u0003", "bo.txt": "bo\n" }),
      all.made("cy", { "c.txt": "c\n" }),
    ];
    const end = await all.takeAll(sets, as);
    return { ...all, repository, sets, end };
  }

  it.each(["merge", "commits", "edits"] as const)("stops a take as %s with markers, and goes on when it is resolved", async (as) => {
    const { ports, repository, end, read, status, underWay } = await stoppedTake(as);
    expect(end).toEqual({
      kind: "conflict",
      id: "bo",
      files: [
        { path: "a.txt", marked: true },
        { path: "logo.png", marked: false },
      ],
      done: ["ada"],
      rest: ["cy"],
    });
    expect([read("a.txt").includes("<<<<<<<"), read("bo.txt"), read("logo.png"), underWay()]).toEqual([true, "bo\n", "\0\u0002", true]);
    expect(await continueTake(ports)).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("Still in conflict: a.txt (it has markers)"),
    });
    repository.write({ "a.txt": "ADA and BO\ntwo\nthree\n" });
    if (as !== "edits") {
      expect(await continueTake(ports)).toMatchObject({ kind: "refused", reason: expect.stringContaining("logo.png (choose a version:") });
      repository.say("add", "logo.png");
    }
    expect(await continueTake(ports)).toMatchObject({ kind: "taken", ids: ["ada", "bo", "cy"] });
    const log = {
      merge: "Merge cy: agent cy\nMerge bo: agent bo\nMerge ada: agent ada\n",
      commits: "Work of cy\nWork of bo\nWork of ada\n",
      edits: "",
    }[as];
    expect([repository.say("log", "--first-parent", "--format=%s"), status(), read("c.txt"), read("a.txt"), underWay()]).toEqual([
      `${log}The first one`,
      as === "edits" ? " M a.txt\n M logo.png\n?? bo.txt\n?? c.txt" : "",
      "c\n",
      "ADA and BO\ntwo\nthree\n",
      false,
    ]);
  });

  it.each(["merge", "edits"] as const)("is undone by --abort to where the take as %s began", async (as) => {
    const { ports, repository, status, base, underWay } = await stoppedTake(as);
    expect(await abortTake(ports)).toEqual({ kind: "undone", start: base });
    expect([repository.say("rev-parse", "HEAD"), status(), underWay(), existsSync(join(repository.folder, "bo.txt"))]).toEqual([
      base,
      "",
      false,
      false,
    ]);
  });

  it("goes on from the person's own commit of the resolution", async () => {
    const { ports, repository, read } = await stoppedTake("merge");
    repository.commit({ "a.txt": "resolved\n" }, "My merge of bo");
    expect(await continueTake(ports)).toMatchObject({ kind: "taken", ids: ["ada", "bo", "cy"] });
    expect([repository.say("log", "--first-parent", "--format=%s"), read("c.txt")]).toEqual([
      "Merge cy: agent cy\nMy merge of bo\nMerge ada: agent ada\nThe first one",
      "c\n",
    ]);
  });
});

describe("a kill", () => {
  /** What a kill leaves while git changes the files: some are new, one is half written, one is missing. */
  const partly = (folder: string) => {
    writeFiles(folder, { "a.txt": "ONE\ntwo\nthree\n", "c.txt": "c".repeat(10) });
    rmSync(join(folder, "b.txt"));
  };

  it.each([
    ["before git checks the files", (args: string[]) => args[0] === "diff-tree" && args.includes("--name-status"), undefined],
    ["before the files change", (args: string[]) => args[0] === "read-tree", undefined],
    ["while the files change", (args: string[]) => args[0] === "read-tree", partly],
    ["before the branch moves", (args: string[]) => args[0] === "update-ref", undefined],
  ] as const)("%s is made good by the next command", async (_, isHere, left) => {
    const repository = testRepository({ ...files, "gone.txt": "g\n" });
    let dies = true;
    const git: TestRepository["git"] = async (folder, args, options) => {
      if (!dies || !isHere(args)) return repository.git(folder, args, options);
      left?.(folder);
      throw new Error("killed");
    };
    const { ports, made, takeAll, status, read, base } = opened({ ...repository, git });
    const ada = made("ada", { "a.txt": "ONE\ntwo\nthree\n", "b.txt": "B\n", "c.txt": `${"c".repeat(1_000)}\n` });
    sayIn(repository.beside("apart/ada"))("rm", "--quiet", "gone.txt");
    sayIn(repository.beside("apart/ada"))("commit", "--quiet", "--message", "Remove it");
    await expect(takeAll([ada])).rejects.toThrow("killed");
    expect([existsSync(join(repository.folder, ".git/index.lock")), repository.say("rev-parse", "HEAD")]).toEqual([true, base]);
    dies = false;
    expect(await recover(ports)).toMatchObject({ kind: "taken", ids: ["ada"] });
    expect([
      repository.say("log", "-1", "--format=%s"),
      status(),
      read("c.txt").length,
      existsSync(join(repository.folder, ".git/index.lock")),
    ]).toEqual(["Merge ada: agent ada", "", 1_001, false]);
  });

  it("does not wait at a pipe that a command left for the lock of the index", async () => {
    const repository = testRepository(files);
    const { made, takeAll } = opened(repository);
    const ada = made("ada", { "b.txt": "B\n" });
    execFileSync("mkfifo", [join(repository.folder, ".git/index.lock")]);
    expect(await takeAll([ada])).toMatchObject({ kind: "refused", reason: expect.stringContaining("index.lock") });
  });

  it("does not cost what the person has written into a file since", async () => {
    const repository = testRepository(files);
    let dies = true;
    const git: TestRepository["git"] = async (folder, args, options) => {
      if (dies && args[0] === "read-tree") throw new Error("killed");
      return repository.git(folder, args, options);
    };
    const { ports, made, takeAll, read, status } = opened({ ...repository, git });
    await expect(takeAll([made("ada", { "a.txt": "ONE\n" })])).rejects.toThrow("killed");
    dies = false;
    repository.write({ "a.txt": "mine, since\n" });
    expect(await continueTake(ports)).toMatchObject({ kind: "refused", reason: expect.stringContaining("changed after it: a.txt") });
    expect(read("a.txt")).toBe("mine, since\n");
    repository.write({ "a.txt": files["a.txt"] });
    expect([await continueTake(ports), status()]).toMatchObject([{ kind: "taken", ids: ["ada"] }, ""]);
  });
});
