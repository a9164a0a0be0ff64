// What batches were estimated at beside what they took: the demo, whose plan an agent makes, and batches of the fixture one after another in a
// repository, of which the first has nothing to go by.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { BatchRecord } from "../../src/batch/batch-record.ts";
import type { UnitRecord } from "../../src/batch/unit-record.ts";
import { estimateText } from "../../src/screen/batch/batch-plan.ts";
import { tokens } from "../../src/wording/figures.ts";
import { batchFixture, made } from "../batch/fixture.ts";
import { seeded } from "../process/seeded.ts";
import type { Part } from "./row.ts";

const tool = resolve("bin/tool.js");
const exec = promisify(execFile);
/** How the units of the fixture work, in shares that change from batch to batch. */
const ways = [".", " the wrong way", " of nothing", " and leave a process", " slowly", "."];

/** Needs `npm run build`. */
export const batchEstimatesBench: Part = async (report) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  const [repository, config] = [join(folder, "repo"), join(folder, "config")];
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TOOL_CONFIG_DIR: config };
  const tries: boolean[] = [];
  const run = async (name: string, args: string[]) => {
    const known = new Set(batchesIn(config));
    await exec(process.execPath, [tool, ...args], { cwd: repository, env }).catch(() => {}); // units fail as they are meant to
    const id = batchesIn(config).find((each) => !known.has(each)) ?? "";
    const { estimate, used } = ended(join(config, "batches", id));
    const holds = estimate !== undefined && estimate.tokens.low <= used && used <= estimate.tokens.high;
    tries.push(holds);
    report({
      name: `estimate of ${name}`,
      ours: estimate ? estimateText(estimate) : "none",
      beside: `${tokens(used)} used`,
      target: "holds",
      met: holds,
    });
  };
  try {
    for (const name of ["repo", "home"]) mkdirSync(join(folder, name));
    await exec("git", ["init", "--quiet", repository]);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      return join(folder, path);
    };
    for (let turn = 1; turn <= 2; turn++) await run(`the demo, time ${turn}`, ["demo", "batch", "--print"]);
    const random = seeded(3);
    const ids = Array.from({ length: 12 }, (_, at) => `u${at + 1}`);
    const fixture = batchFixture(
      { folder, repository, env, write },
      ids.map((id) => made(id)),
    );
    for (let turn = 1; turn <= 8; turn++) {
      const units = ids.slice(0, 5 + Math.floor(random() * 8)).map((id) => made(id, ways[Math.floor(random() * ways.length)]));
      const plan = write("plan.json", JSON.stringify({ instruction: `Turn ${turn}`, units }));
      const args = ["batch", "--plan", plan, "--yes", "--no-pr", "--script", fixture.script, "--allow", "Bash(node --test:*)"];
      await run(`batch ${turn} of the fixture, ${units.length} units`, args);
    }
    const held = tries.filter(Boolean).length;
    report({ name: "estimates that held", ours: `${held} of ${tries.length}`, target: "≥ 8 of 10", met: held >= 0.8 * tries.length });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

function batchesIn(config: string): string[] {
  try {
    return readdirSync(join(config, "batches"));
  } catch {
    return []; // before the first
  }
}

function ended(folder: string): { estimate: BatchRecord["estimate"]; used: number } {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));
  const { estimate } = read("batch.json") as BatchRecord;
  const units = readdirSync(join(folder, "units")).map((name) => read(`units/${name}`) as UnitRecord);
  return { estimate, used: units.reduce((sum, one) => sum + one.tokens, 0) };
}
