import { describe, expect, it } from "vitest";
import type { Forge } from "../../src/batch/forge.ts";
import { preflight } from "../../src/batch/preflight.ts";
import type { RepositoryFacts } from "../../src/batch/repository.ts";

const forge: Forge = {
  name: "github.com/acme/app, with gh",
  preflight: async () => ({ ok: true, value: { login: "acme-bot" } }),
  findPullRequest: async () => ({ ok: true, value: undefined }),
  openPullRequest: async () => ({ ok: false, error: { kind: "network", reason: "Nothing answered." } }),
};
const login = { ok: true, value: { login: "acme-bot" } } as const;
const clean: Extract<RepositoryFacts, { kind: "usable" }> = {
  kind: "usable",
  root: "/home/ann/app",
  gitFolder: "/home/ann/app/.git",
  head: "a".repeat(40),
  branch: "main",
  base: "main",
  remote: { name: "origin", url: "https://github.com/acme/app" },
  underWay: undefined,
  changed: [],
  untracked: [],
  submodules: [],
  lfs: "none",
  shallow: false,
  hooks: { folder: "/repo/app/.git/hooks", names: [] },
  headIsPushed: true,
  hasIdentity: true,
  signsCommits: false,
};

describe("preflight()", () => {
  it("is ready without questions in a clean repository with a forge", () => {
    expect(preflight({ facts: clean, forge: { kind: "forge", forge }, login })).toEqual({
      kind: "ready",
      facts: clean,
      forge,
      choices: [],
      notices: [],
    });
  });

  it("refuses if git cannot work or no author is configured", () => {
    expect(preflight({ facts: { kind: "unusable", reason: "No repository." }, forge: undefined, login: undefined })).toEqual({
      kind: "refused",
      reasons: ["No repository."],
    });
    expect(preflight({ facts: { ...clean, hasIdentity: false }, forge: undefined, login: undefined })).toMatchObject({ kind: "refused" });
  });

  it("asks the person about uncommitted changes", () => {
    const facts = { ...clean, changed: Array.from({ length: 10 }, (_, index) => `${index}.js`) };
    expect(preflight({ facts, forge: { kind: "forge", forge }, login })).toMatchObject({
      choices: [
        {
          about: "uncommitted_changes",
          text: "0.js, 1.js, 2.js, 3.js, 4.js, 5.js, 6.js, 7.js and 2 more are not committed. Units start from HEAD and do not see these changes.",
          flag: "--yes",
        },
      ],
    });
  });

  it("reports a rebase in progress, which the person may accept, and unsigned commits", () => {
    const facts = { ...clean, underWay: "rebase", signsCommits: true } as const;
    expect(preflight({ facts, forge: { kind: "forge", forge }, login })).toMatchObject({
      choices: [{ about: "operation_under_way", text: expect.stringMatching(/^A rebase is not finished/), flag: "--yes" }],
      notices: [expect.stringMatching(/not signed/)],
    });
  });

  it.each([
    ["there is no remote", { facts: { ...clean, remote: undefined } }, /has no remote/],
    ["no forge is known", { forge: { kind: "none", reason: "Nobody is logged in." } as const }, /Nobody is logged in/],
    ["the login is refused", { login: { ok: false, error: { kind: "auth", reason: "Bad credentials." } } as const }, /Bad credentials/],
    [
      "a push is refused",
      { push: { ok: false, error: { kind: "auth", reason: "Cannot push to origin: Authentication failed" } } as const },
      /Cannot push to origin: Authentication failed\. Branches/,
    ],
    ["there is no base", { facts: { ...clean, branch: undefined, base: undefined } }, /not on a branch/],
  ])("offers only branches when %s", (_, change, reason) => {
    const found = preflight({ facts: clean, forge: { kind: "forge", forge }, login, ...change });
    expect(found).toMatchObject({ kind: "ready", forge: undefined, choices: [{ about: "branches_only", flag: "--no-pr" }] });
    expect(JSON.stringify(found)).toMatch(reason);
  });

  it("asks nothing about an unwanted forge, and says what worktrees lack", () => {
    const facts = { ...clean, remote: undefined, untracked: ["x"], submodules: ["lib/z"], lfs: "pointers" as const, shallow: true };
    const found = preflight({ facts, forge: undefined, login: undefined });
    expect(found).toMatchObject({ choices: [] });
    expect(found.kind === "ready" && found.notices).toHaveLength(4);
    expect(found).toMatchObject({ notices: expect.arrayContaining(["x is untracked. Units see no untracked files."]) });
  });

  it("refuses a repository of git-lfs where git needs the program and it is missing", () => {
    const found = preflight({ facts: { ...clean, lfs: "missing" }, forge: undefined, login: undefined });
    expect(found).toEqual({ kind: "refused", reasons: [expect.stringContaining("Install git-lfs")] });
  });
});
