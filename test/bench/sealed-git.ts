// What our own git costs beside the bare one: the settings that it is given, simple-git, and the sandbox around it.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGit } from "../../src/edge/git/git-process.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { git } from "../../src/edge/git/own-git.ts";
import { broughtBy } from "../../src/edge/git/repository/moved-references.ts";
import { openReferences } from "../../src/edge/git/repository/references.ts";
import { stagedFiles, stagedSince } from "../../src/edge/git/repository/staged-names.ts";
import { helperProgram } from "../../src/edge/processes/helper-programs.ts";
import { median, ms, type Part, type Row } from "./row.ts";

const rounds = 101;
const args = ["rev-parse", "HEAD"];

export const sealedGitBench: Part = async (report) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
    const author = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
    const folder = join(top, "repo");
    execFileSync("git", ["init", "-q", folder], { env });
    execFileSync("git", [...author, "-C", folder, "commit", "-qm", "first", "--allow-empty"], { env });
    keepGitFilesIn(top);
    const program = helperProgram("git");
    if (program.kind === "missing") throw new Error(program.why);
    const ways = {
      bare: () => bare(program.path, folder, env),
      library: async () => void (await runGit({ binary: program.path, cwd: folder, args, env, limitMs: 10_000 })),
      ours: async () => void (await git(folder, args)),
    };
    const times: Record<keyof typeof ways, number>[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [bareMs, libraryMs, oursMs] = [await timed(ways.bare), await timed(ways.library), await timed(ways.ours)];
      if (round > 0) times.push({ bare: bareMs, library: libraryMs, ours: oursMs }); // the first prepares what the others find
    }
    const more = median(times.map(({ ours, bare: other }) => ours - other));
    const library = median(times.map(({ library: own, bare: other }) => own - other));
    report({
      name: `our own git: ${args.join(" ")} through the door, sealed`,
      ours: `${ms(median(times.map(({ ours }) => ours)))}, median of ${times.length} in turns; simple-git alone adds ${ms(library)}`,
      beside: `the bare git ${ms(median(times.map(({ bare: other }) => other)))}`,
      ratio: `${ms(more)} more, the median of the pairs`,
      target: "≤ 3 ms more",
      met: more <= 3,
    });
    report(await looksAfter(top, { env, author }));
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
};

/** What is looked at after a command that stages a file, and after one that commits it, beside both commands, in a repository of 20,000 files. */
async function looksAfter(top: string, { env, author }: { env: Record<string, string>; author: string[] }): Promise<Row> {
  const folder = join(top, "many");
  const bareGit = async (...words: string[]) => void execFileSync("git", [...author, "-C", folder, ...words], { env });
  for (let at = 0; at < 20_000; at++) {
    if (at % 200 === 0) mkdirSync(join(folder, `src/${at / 200}`), { recursive: true });
    writeFileSync(join(folder, `src/${Math.floor(at / 200)}/${at}.ts`), `${at}\n`);
  }
  execFileSync("git", ["init", "-q", folder], { env });
  await bareGit("add", "-A");
  await bareGit("commit", "-qm", "first");
  const look = openReferences();
  const order = { isSpecial: (path: string) => path.includes("/."), isOwn: false };
  let [references, index] = [await look(folder), await stagedFiles(folder, order)];
  const looked = async () => {
    const [now, staged] = [await look(folder, references), await stagedFiles(folder, order, index?.staged)];
    if (references && now && now !== references) await broughtBy(references, now, order.isSpecial);
    if (index && staged) await stagedSince(folder, index.staged, staged.staged);
    [references, index] = [now, staged];
  };
  const times: { add: number; commit: number; afterAdd: number; afterCommit: number; idle: number }[] = [];
  for (let round = 0; round < 15; round++) {
    writeFileSync(join(folder, "src/7/1400.ts"), `${round} again\n`);
    const add = await timed(() => bareGit("add", "-A"));
    const afterAdd = await timed(looked);
    const commit = await timed(() => bareGit("commit", "-qm", `round ${round}`));
    const afterCommit = await timed(looked);
    times.push({ add, commit, afterAdd, afterCommit, idle: await timed(looked) });
  }
  const of = (name: keyof (typeof times)[number]) => ms(median(times.map((each) => each[name])));
  return {
    name: "git add -A and git commit in 20,000 files: the looks at what they bring",
    ours: `${of("afterAdd")} and ${of("afterCommit")} more, after a command that changes nothing there ${of("idle")}`,
    beside: `the commands ${of("add")} and ${of("commit")}`,
    target: "none",
    met: true,
  };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function bare(program: string, cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject).on("close", () => resolve());
  });
}
