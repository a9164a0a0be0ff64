import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownGit } from "../../../../src/edge/git/own-git.ts";
import { repositoryFacts } from "../../../../src/edge/git/repository/repository-facts.ts";
import { scratchFolder } from "../../../scratch.ts";
import { bareRemote, gitEnv, personsState, sayIn, testRepository } from "../git-kit.ts";

describe("repositoryFacts()", () => {
  it("reports what a batch needs to know", async () => {
    const repository = testRepository({ "a.txt": "a\n", ".gitattributes": "*.bin filter=lfs\n", ".gitignore": "ignored\n" });
    const remote = bareRemote(repository);
    repository.say("branch", "--set-upstream-to=origin/main");
    repository.write({ "a.txt": "changed\n", "new.txt": "", ignored: "", ".git/hooks/pre-commit": "#!/bin/sh\n" });
    const before = personsState(repository);
    const head = repository.say("rev-parse", "HEAD");
    expect(await repositoryFacts(repository.git, repository.folder)).toEqual({
      kind: "usable",
      root: repository.folder,
      gitFolder: join(repository.folder, ".git"),
      head,
      branch: "main",
      base: "main",
      remote: { name: "origin", url: remote },
      underWay: undefined,
      changed: ["a.txt"],
      untracked: ["new.txt"],
      submodules: [],
      lfs: "pointers",
      shallow: false,
      hooks: { folder: join(repository.folder, ".git/hooks"), names: ["pre-commit"] },
      headIsPushed: true,
      hasIdentity: true,
      signsCommits: false,
    });
    expect(personsState(repository)).toEqual(before);

    repository.commit({ "b.txt": "b\n", ".husky/hooks/commit-msg": "#!/bin/sh\n" });
    repository.say("config", "core.hooksPath", ".husky/hooks");
    repository.say("checkout", "--quiet", "--detach");
    repository.say("remote", "set-url", "origin", "https://ann:ghp_0123456789012345678901@example.org/acme/app.git");
    repository.say("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository.beside("remote.git"), "part");
    expect(await repositoryFacts(repository.git, repository.folder)).toMatchObject({
      branch: undefined,
      base: undefined,
      remote: { name: "origin", url: "https://example.org/acme/app.git" },
      submodules: ["part"],
      hooks: { folder: join(repository.folder, ".husky/hooks"), names: ["commit-msg"] },
      headIsPushed: false,
    });
    const nameless = { ...gitEnv };
    for (const name of Object.keys(gitEnv)) if (/^GIT_(AUTHOR|COMMITTER)/.test(name)) delete nameless[name];
    expect(await repositoryFacts(ownGit(nameless), repository.folder)).toMatchObject({ hasIdentity: false });
  });

  it("recognizes an operation that waits for the user, in the working tree that it is in, and signed commits", async () => {
    const repository = testRepository({ "a.txt": "a\n" });
    repository.say("config", "commit.gpgSign", "true");
    repository.say("worktree", "add", "--quiet", "-b", "other", repository.beside("other"));
    const theirs = repository.beside("other");
    const say = sayIn(theirs);
    say("-c", "commit.gpgSign=false", "commit", "--quiet", "--allow-empty", "--message", "Theirs");
    expect(await repositoryFacts(repository.git, repository.folder)).toMatchObject({ underWay: undefined, signsCommits: true });
    expect(() => say("rebase", "--exec", "false", "HEAD~1")).toThrow();
    expect(await repositoryFacts(repository.git, theirs)).toMatchObject({ underWay: "rebase", changed: [] });
    say("rebase", "--abort");
    say("bisect", "start");
    expect(await repositoryFacts(repository.git, theirs)).toMatchObject({ underWay: "bisect" });
  });

  it("recognizes a shallow clone, and a remote other than origin", async () => {
    const repository = testRepository();
    repository.commit({ "b.txt": "b\n" });
    const clone = repository.beside("clone");
    repository.say("clone", "--quiet", "--depth=1", "--origin=upstream", `file://${repository.folder}`, clone);
    expect(await repositoryFacts(repository.git, clone)).toMatchObject({
      shallow: true,
      remote: { name: "upstream" },
      base: "main",
    });
  });

  it("says what to do if no worktree can be made", async () => {
    const repository = testRepository();
    const facts = (folder: string) => repositoryFacts(repository.git, folder);
    expect(await facts(scratchFolder())).toMatchObject({ kind: "unusable", reason: expect.stringContaining("git init") });
    expect(await facts("/repo/gone")).toEqual({
      kind: "unusable",
      reason: "The folder /repo/gone is gone. Put it back there, and try again.",
    });
    expect(await facts(join(repository.folder, ".git"))).toMatchObject({ reason: expect.stringContaining("inside git's own folder") });
    repository.say("init", "--quiet", "--bare", repository.beside("bare"));
    expect(await facts(repository.beside("bare"))).toMatchObject({ reason: expect.stringContaining("bare repository") });
    repository.say("init", "--quiet", repository.beside("empty"));
    expect(await facts(repository.beside("empty"))).toMatchObject({ reason: expect.stringContaining("no commit yet") });
    repository.say("branch", "tool");
    expect(await facts(repository.folder)).toMatchObject({ reason: expect.stringContaining("git branch -m tool") });
  });
});
