// Real repositories for tests, with a git that ignores the machine's settings.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type OwnGit, ownGit } from "../../../src/edge/git/own-git.ts";
import { scratchFolder } from "../../scratch.ts";

export const gitEnv: Record<string, string> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@localhost",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@localhost",
};

export type TestRepository = {
  folder: string;
  /** The path of a folder beside it. */
  beside: (name: string) => string;
  git: OwnGit;
  /** Runs git as a person would; throws when it fails. */
  say: (...args: string[]) => string;
  write: (files: Record<string, string>) => void;
  commit: (files: Record<string, string>, message?: string) => string;
};

/** A repository with one commit, on `main`. */
export function testRepository(files: Record<string, string> = { "a.txt": "a\n" }): TestRepository {
  const top = realpathSync(scratchFolder());
  const folder = join(top, "repository");
  mkdirSync(folder);
  const say = sayIn(folder);
  const write = (texts: Record<string, string>) => writeFiles(folder, texts);
  say("init", "--quiet", "--initial-branch=main");
  const repository: TestRepository = {
    folder,
    beside: (name) => join(top, name),
    git: ownGit(gitEnv),
    say,
    write,
    commit(texts, message = "A change") {
      write(texts);
      say("add", "--all");
      say("commit", "--quiet", "--message", message);
      return say("rev-parse", "HEAD");
    },
  };
  repository.commit(files, "The first one");
  return repository;
}

export const sayIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder, env: gitEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: /\/hooks\//.test(`/${path}`) ? 0o755 : 0o644 });
  }
}

/** A bare repository beside it, as its remote `origin`. */
export function bareRemote(repository: TestRepository, name = "remote.git"): string {
  const folder = repository.beside(name);
  repository.say("init", "--quiet", "--bare", "--initial-branch=main", folder);
  repository.say("remote", "add", "origin", folder);
  repository.say("push", "--quiet", "origin", "main");
  return folder;
}

/** What must stay the same, whatever we do: HEAD, index, files, stash, settings, and branches that are not ours. */
export function personsState({ folder, say }: TestRepository): Record<string, string> {
  return {
    head: say("symbolic-ref", "HEAD"),
    status: say("status", "--porcelain", "--ignored", "--untracked-files=all"),
    index: say("ls-files", "--stage"),
    stash: say("stash", "list"),
    settings: execFileSync("cat", [join(folder, ".git/config")], { encoding: "utf8" }),
    references: say("for-each-ref")
      .split("\n")
      .filter((line) => !/refs\/(?:heads|remotes\/origin)\/tool\//.test(line))
      .join("\n"),
  };
}
