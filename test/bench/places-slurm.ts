// A batch whose tests take long, on two Slurm nodes with six slots each, beside one slot at home.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { batchFixture, made } from "../batch/fixture.ts";
import { slotsOfNode, slurmCluster } from "../places/slurm-cluster.ts";
import type { Part } from "./row.ts";

const count = Number(process.env["BENCH_UNITS"] ?? 24);
const testMs = 5_000;

/** Needs `npm run build` and Slurm. */
export const placesSlurmBench: Part = async (report) => {
  const cluster = await slurmCluster();
  try {
    const slots = cluster.nodes.length * slotsOfNode;
    const far = await batchMs({ args: ["--places", `slurm:${slots}`], env: cluster.env });
    const home = await batchMs({ args: ["--concurrency", "1"], env: {} });
    report({
      name: `places: ${count} units whose test takes ${testMs / 1000} s, on two Slurm nodes with ${slotsOfNode} slots each`,
      ours: `${Math.round(far / 1000)} s`,
      beside: `${Math.round(home / 1000)} s in one slot at home`,
      ratio: (far / home).toFixed(2),
      target: "≤ 0.2",
      met: far / home <= 0.2,
    });
  } finally {
    await cluster.stop();
  }
};

async function batchMs({ args, env: more }: { args: string[]; env: Record<string, string> }): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  try {
    for (const name of ["home", "config"]) mkdirSync(join(folder, name), { mode: 0o700 });
    const slurm = { command: ["srun", "-n1", "-c4", "--mem=8G"], folder: join(folder, "far"), atOnce: 100 };
    writeFileSync(join(folder, "config/settings.json"), JSON.stringify({ places: { slurm } }));
    const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TOOL_CONFIG_DIR: join(folder, "config"), ...more };
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      return join(folder, path);
    };
    const repository = join(folder, "repo");
    execFileSync("git", ["init", "--quiet", repository]);
    write("repo/slow.js", `setTimeout(() => import("./test/" + process.argv[2] + ".test.js"), ${testMs});\n`);
    const units = Array.from({ length: count }, (_, at) => made(`u${at + 1}`, ".", { test: `node slow.js u${at + 1}` }));
    const fixture = batchFixture({ folder, repository, env, write }, units);
    const words = ["batch", "--plan", fixture.plan, "--yes", "--no-pr", "--script", fixture.script, "--allow", "Bash(node:*)", ...args];
    const from = performance.now();
    const batch = spawn(process.execPath, [resolve("bin/tool.js"), ...words], { cwd: repository, env, stdio: "ignore" });
    const code = await new Promise<number | null>((done) => batch.once("close", done));
    if (code !== 0) throw new Error(`the batch ended with ${code}`);
    return performance.now() - from;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
