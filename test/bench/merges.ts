// What handing over work costs in a team with worktrees, beside the same steps with git alone: add, commit, merge, and updating from the
// merged work.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { type OwnGit, ownGit } from "../../src/edge/git/own-git.ts";
import { newChanges } from "../../src/edge/git/repository/new-commits.ts";
import { teamWorktrees } from "../../src/edge/git/team-worktrees.ts";
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { changesProblem } from "../../src/secrets/commit-gate.ts";
import { median, ms, type Part, type Row } from "./row.ts";

const names = ["ada", "bo", "cy", "dee"];
const files = 2_000;
const newFiles = 20;
const rounds = 11;

export const mergesBench: Part = async (report) => {
  const [ours, byHand] = [await inRepository(handedOver), await inRepository(mergedByHand)];
  try {
    const times: { ours: number; byHand: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      // They alternate, because the load of the machine also changes within a round.
      const oursFirst = round % 2 === 0 ? await ours.timeOf(round) : undefined;
      const other = await byHand.timeOf(round);
      times.push({ ours: oursFirst ?? (await ours.timeOf(round)), byHand: other });
    }
    report(rowOf(times.slice(1))); // the first round loads what the others find in memory
  } finally {
    ours.remove();
    byHand.remove();
  }
};

function rowOf(times: { ours: number; byHand: number }[]): Row {
  const [own, other] = [median(times.map(({ ours }) => ours)), median(times.map(({ byHand }) => byHand))];
  const ratio = median(times.map(({ ours, byHand }) => ours / byHand));
  return {
    name: `worktrees: ${names.length} hand over ${newFiles} new files each in a tree of ${files.toLocaleString("en")}, looked through for secrets`,
    ours: `${ms(own)}, median of ${times.length} in turns`,
    beside: `git add, commit, merge and merge --ff-only ${ms(other)}`,
    ratio: `${ratio.toFixed(2)}, the median of the pairs`,
    target: "≤ 1.5",
    met: ratio <= 1.5,
  };
}

type Repository = { git: OwnGit; byHand: ByHand; folder: string; home: string; base: string };

/** git as a person runs it. Throws with its message. */
type ByHand = (folder: string, args: string[]) => Promise<string>;

/** `timeOf`: milliseconds of one round, in which every member has new files. */
type Bench = { timeOf(round: number): Promise<number>; remove(): void };

/** `prepare` creates the worktrees and returns the work of one round. */
async function inRepository(prepare: (repository: Repository) => Promise<() => Promise<void>>): Promise<Bench> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const folder = join(top, "repo");
  const person = { GIT_AUTHOR_NAME: "Bench", GIT_AUTHOR_EMAIL: "bench@localhost" };
  const committer = { GIT_COMMITTER_NAME: "Bench", GIT_COMMITTER_EMAIL: "bench@localhost" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: top, GIT_CONFIG_NOSYSTEM: "1", ...person, ...committer };
  const byHand: ByHand = async (cwd, args) => (await promisify(execFile)("git", args, { cwd, env, encoding: "utf8" })).stdout;
  mkdirSync(folder);
  await byHand(folder, ["init", "--quiet", "--initial-branch=main"]);
  writeFiles(folder, "old", files);
  await byHand(folder, ["add", "--all"]);
  await byHand(folder, ["commit", "--quiet", "--message", "First"]);
  const base = (await byHand(folder, ["rev-parse", "HEAD"])).trim();
  keepGitFilesIn(top);
  const work = await prepare({ git: ownGit(env), byHand, folder, home: join(top, "team"), base });
  return {
    async timeOf(round) {
      for (const name of names) writeFiles(join(top, "team", name), `${name}${round}`, newFiles);
      const before = performance.now();
      await work();
      return performance.now() - before;
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

async function handedOver({ git, folder, home, base }: Repository): Promise<() => Promise<void>> {
  const scanner = secretScanner();
  const look = (at: string, update: string) => changesProblem(newChanges({ folder: at, hidden: undefined }, update), scanner);
  const trees = teamWorktrees({ git, repository: folder, home, closed: async () => () => false, id: "bench", base, within: "", look });
  for (const name of names) await trees.add(name);
  return async () => {
    for (const name of names) {
      const handed = await trees.hand(name, `task of ${name}`);
      if (handed.kind !== "merged") throw new Error(`${name} could not hand over: ${JSON.stringify(handed)}`);
    }
  };
}

async function mergedByHand({ byHand, folder, home }: Repository): Promise<() => Promise<void>> {
  for (const name of ["merged", ...names]) await byHand(folder, ["worktree", "add", "--quiet", "-b", name, join(home, name)]);
  return async () => {
    for (const name of names) {
      const own = join(home, name);
      await byHand(own, ["add", "--all"]);
      await byHand(own, ["commit", "--quiet", "--message", `task of ${name}`]);
      await byHand(join(home, "merged"), ["merge", "--quiet", "--no-ff", "--no-edit", name]);
      await byHand(own, ["merge", "--quiet", "--ff-only", "merged"]);
    }
  };
}

function writeFiles(folder: string, prefix: string, count: number): void {
  for (let at = 0; at < count; at++) {
    const below = join(folder, `part-${at % 40}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `${prefix}-${at}.ts`), `export const ${prefix}${at} = ${at};\n`.repeat(30));
  }
}
