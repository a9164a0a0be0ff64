import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { configuredRemotes } from "../../../src/edge/git/configured-remotes.ts";
import { scratchFolder } from "../../scratch.ts";

it("configuredRemotes() gives names and addresses, including those for pushing", async () => {
  const folder = scratchFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "-q");
  expect(await configuredRemotes(folder)).toEqual([]);
  git("remote", "add", "origin", "https://example.org/a.git");
  git("remote", "add", "my.fork", "../fork");
  git("remote", "set-url", "--push", "origin", "git@example.org:a.git");
  expect(await configuredRemotes(folder)).toEqual([
    "origin",
    "https://example.org/a.git",
    "origin",
    "git@example.org:a.git",
    "my.fork",
    "../fork",
  ]);
});
