// What our own git costs beside the bare one: the settings that it is given, simple-git, and the sandbox around it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGit } from "../../src/edge/git/git-process.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { git } from "../../src/edge/git/own-git.ts";
import { helperProgram } from "../../src/edge/processes/helper-programs.ts";
import { median, ms, type Part } from "./row.ts";

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
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
};

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
