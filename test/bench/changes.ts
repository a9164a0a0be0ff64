// What looking at 30 units costs, and taking them, beside git's own merges of the same branches.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ChangeSet } from "../../src/changes/change-set.ts";
import { take } from "../../src/changes/take.ts";
import type { Taking } from "../../src/changes/taking.ts";
import { changesRepository } from "../../src/edge/git/changes/changes-repository.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { ownGit } from "../../src/edge/git/own-git.ts";
import { median, ms, type Part } from "./row.ts";

const units = 30;
const files = 2_000;
const rounds = 7;

export const changesBench: Part = async (report) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  try {
    const place = await repositoryWithUnits(top);
    const looks: { ours: number; byHand: number }[] = [];
    const times: { ours: number; byHand: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      const look = { ours: await timed(place.look), byHand: await timed(place.lookedByHand) };
      const ours = round % 2 === 0 ? await place.taken() : undefined;
      const byHand = await place.mergedByHand();
      if (round > 0) looks.push(look); // the first round loads what the others find in memory
      if (round > 0) times.push({ ours: ours ?? (await place.taken()), byHand });
      else if (ours === undefined) await place.taken();
    }
    const look = median(looks.map(({ ours }) => ours));
    report({
      name: `changes: what ${units} units have made, with conflicts predicted, in a tree of ${files.toLocaleString("en")} files`,
      ours: `${ms(look)}, median of ${looks.length}`,
      beside: `git diff --numstat and git merge-tree of each ${ms(median(looks.map(({ byHand }) => byHand)))}`,
      ratio: `${median(looks.map(({ ours, byHand }) => ours / byHand)).toFixed(2)}, the median of the pairs`,
      target: "≤ 1 s",
      met: look <= 1_000,
    });
    const ratio = median(times.map(({ ours, byHand }) => ours / byHand));
    report({
      name: `take: ${units} branches into the current one`,
      ours: `${ms(median(times.map(({ ours }) => ours)))}, median of ${times.length} in turns`,
      beside: `git merge of each ${ms(median(times.map(({ byHand }) => byHand)))}`,
      ratio: `${ratio.toFixed(2)}, the median of the pairs`,
      target: "≤ 1.5",
      met: ratio <= 1.5,
    });
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function repositoryWithUnits(top: string) {
  const folder = join(top, "repo");
  const person = { GIT_AUTHOR_NAME: "Bench", GIT_AUTHOR_EMAIL: "bench@localhost" };
  const committer = { GIT_COMMITTER_NAME: "Bench", GIT_COMMITTER_EMAIL: "bench@localhost" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: top, GIT_CONFIG_NOSYSTEM: "1", ...person, ...committer };
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: folder, env, encoding: "utf8" })).stdout.trim();
  mkdirSync(folder);
  await git("init", "--quiet", "--initial-branch=main");
  for (let at = 0; at < files; at++) write(folder, at, "const value = 1;\n".repeat(30));
  write(folder, files - 1, shared(undefined));
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "First");
  const base = await git("rev-parse", "HEAD");
  const sets: ChangeSet[] = [];
  for (let unit = 0; unit < units; unit++) {
    const branch = `tool/batch-1/u${unit}`;
    await git("checkout", "--quiet", "-b", branch, base);
    for (let at = 0; at < 6; at++) write(folder, unit * 6 + at, `const value = ${unit};\n`.repeat(30));
    write(folder, files - 1, shared(unit)); // a file that all of them change, each at another place
    await git("commit", "--quiet", "--all", "--message", `Unit ${unit}`);
    const content = { kind: "branch", branch, from: base, folder: join(top, `u${unit}`) } as const;
    sets.push({ id: `1/u${unit}`, what: `unit ${unit}`, by: "", evidence: { words: "", failed: false }, atWork: false, content });
  }
  await git("checkout", "--quiet", "main");
  keepGitFilesIn(top);
  const repository = changesRepository({ git: ownGit(env), root: folder, look: async () => undefined });
  const look = async () => (await repository.look({ sets, taken: new Map(), rivals: true })).seen;
  return { look, taken, mergedByHand, lookedByHand };

  async function lookedByHand(): Promise<void> {
    for (const { content } of sets) {
      if (content.kind !== "branch") continue;
      await git("diff", "--numstat", base, content.branch);
      await git("merge-tree", "--write-tree", "HEAD", content.branch);
    }
  }

  /** All that can be merged one after the other; the branch is back where it was afterwards. */
  async function taken(): Promise<number> {
    const seen = await look();
    let kept: Taking | undefined;
    const store = {
      read: () => kept,
      write(taking: Taking) {
        kept = taking;
      },
      clear() {
        kept = undefined;
      },
      remember() {},
    };
    const tookMs = await timed(async () => {
      const end = await take({ git: repository, store }, { seen, as: "merge", paths: [] });
      if (end.kind !== "taken") throw new Error(`The units could not be taken: ${JSON.stringify(end)}`);
    });
    await git("reset", "--hard", "--quiet", base);
    return tookMs;
  }

  async function mergedByHand(): Promise<number> {
    const tookMs = await timed(async () => {
      for (const { content } of sets) if (content.kind === "branch") await git("merge", "--quiet", "--no-ff", "--no-edit", content.branch);
    });
    await git("reset", "--hard", "--quiet", base);
    return tookMs;
  }
}

/** Five lines for each unit, with one of them changed. */
const shared = (changed: number | undefined) =>
  Array.from({ length: units * 5 }, (_, line) => `line ${line}${line === 5 * (changed ?? -1) + 2 ? " changed" : ""}\n`).join("");

function write(folder: string, at: number, text: string): void {
  const below = join(folder, `part-${at % 40}`);
  mkdirSync(below, { recursive: true });
  writeFileSync(join(below, `${at}.ts`), text);
}
