// A stand-in for the folder that git shares between worktrees (GIT_COMMON_DIR): links to a repository's objects and references, and a
// settings file of ours. Hooks are not among the links. So git works on the repository, and nothing in its settings counts.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeNamed } from "../disk/durable.ts";
import { ifPossible, unless } from "../system-error.ts";
import { ownFolder } from "./own-folder.ts";
import type { RepositoryPlace } from "./places.ts";

/** gitrepository-layout(5), without `config`, `config.worktree`, `hooks` and `modules`. */
const linked = ["HEAD", "info", "lfs", "logs", "objects", "packed-refs", "refs", "reftable", "shallow", "worktrees"];

export type StandIn = {
  folder: string;
  /** Its settings, if they were made from these ones of the repository. */
  madeFrom(settings: Buffer): string | undefined;
  /** Puts the settings in. `made`: what they are made from. Throws if the disk is full. */
  fill(config: string, made: Buffer): void;
};

export function standInFor({ gitDir, commonDir }: RepositoryPlace): StandIn {
  const folder = join(ownFolder(), "repositories", digest(`${gitDir}\0${commonDir}`));
  const config = join(folder, "config");
  return {
    folder,
    madeFrom(settings) {
      const text = ifPossible(() => readFileSync(config, "utf8"));
      const first = firstLine(settings);
      return text?.startsWith(first) ? text.slice(first.length) : undefined;
    },
    fill(text, made) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of linked) unless("EEXIST", () => symlinkSync(join(commonDir, name), join(folder, name)), undefined);
      const temporary = `${config}.${process.pid}`;
      writeNamed(temporary, `${firstLine(made)}${text}`);
      renameSync(temporary, config);
    },
  };
}

const digest = (text: string | Buffer) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Another version of the program may take other settings over. */
const version = 1;
const firstLine = (settings: Buffer) => `# ${version} ${digest(settings)}\n`;
