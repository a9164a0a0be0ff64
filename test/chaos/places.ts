// Batches whose units work at places over ssh and on Slurm, while links are cut and hands, sshd's children and Slurm's steps are killed. Each call of
// a unit appends a line of its own to a file: what is committed shows whether one was carried out twice, or is lost although its turn was over.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseTranscript } from "../../src/agent/session/transcript.ts";
import { batchFixture, made } from "../batch/fixture.ts";
import { sshdOnLoopback } from "../places/place-world.ts";
import { slurmCluster } from "../places/slurm-cluster.ts";
import { seeded } from "../process/seeded.ts";
import { type Counts, countsText, disturb, isEnough, type Wants } from "./place-faults.ts";
import { judgeSteps, stepProgram, stepsDone } from "./place-steps.ts";
import { processesWith, signal } from "./process-table.ts";

export type PlacesOrder = { seed: number; cuts: number; kills: number; print(text: string): void };
type Verdict = { units: number; steps: number; deaths: number; doubled: number; lost: number; violations: string[] };

const unitsOfBatch = 12;
const stepsOfUnit = 10;

/** Runs batches until there were so many faults; resolves with what was wrong. */
export async function placesChaos({ seed, cuts, kills, print }: PlacesOrder): Promise<string[]> {
  const random = seeded(seed);
  const counts: Counts = { cuts: 0, kills: new Map() };
  const violations: string[] = [];
  const cluster = await slurmCluster();
  try {
    for (let batch = 1; !isEnough(counts, { cuts, kills }); batch++) {
      const verdict = await oneBatch({ random, counts, wants: { cuts, kills }, slurm: cluster.env });
      violations.push(...verdict.violations);
      print(
        `batch ${batch}: ${verdict.units} units, ${verdict.steps} calls, ${verdict.deaths} deaths, ${verdict.doubled} doubled, ${verdict.lost} lost with a death; so far ${countsText(counts)}: ${verdict.violations.length} violations`,
      );
      for (const violation of verdict.violations) print(`  ${violation}`);
    }
  } finally {
    await cluster.stop();
  }
  return violations;
}

type Batch = { random: () => number; counts: Counts; wants: Wants; slurm: Record<string, string> };

async function oneBatch(order: Batch): Promise<Verdict> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-chaos-places-")));
  for (const name of ["repo", "home", "config", "ssh"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const sshd = await sshdOnLoopback(join(folder, "ssh"));
  try {
    // The mark is in the environment of what runs there too.
    const far = { command: [...sshd.command, "env", `CHAOS=${folder}`], arguments: "joined", folder: join(folder, "far"), atOnce: 6 };
    const slurm = { command: ["srun", "-n1", "-c4", "--mem=8G"], folder: join(folder, "far-slurm"), atOnce: 6 };
    writeFileSync(join(folder, "config/settings.json"), JSON.stringify({ places: { far, slurm } }));
    return await faultyBatch(folder, order);
  } finally {
    sshd.stop();
    for (const { pid } of processesWith(folder)) signal(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function faultyBatch(folder: string, { random, counts, wants, slurm }: Batch): Promise<Verdict> {
  const repository = join(folder, "repo");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    TOOL_CONFIG_DIR: join(folder, "config"),
    CHAOS: folder,
    ...slurm,
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  execFileSync("git", ["init", "--quiet", repository]);
  write("repo/step.js", stepProgram);
  const ids = Array.from({ length: unitsOfBatch }, (_, at) => `u${at + 1}`);
  const fixture = batchFixture(
    { folder, repository, env, write },
    ids.map((id) => made(id, ".", { test: "node --check step.js" })),
  );
  const args = ["batch", "--plan", fixture.plan, "--yes", "--no-pr", "--json", "--script", write("steps.yaml", script)];
  const words = [resolve("bin/tool.js"), ...args, "--allow", "Bash(node:*)", "--places", "far,slurm"];
  const batch = spawn(process.execPath, words, { cwd: repository, env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  batch.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  let isOver = false;
  const ended = new Promise<number | null>((done) => batch.once("close", done)).finally(() => (isOver = true));
  const until = performance.now() + 15 * 60_000;
  while (!isOver && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 100 + 400 * random()));
    disturb(processesWith(folder), { random, counts, wants });
  }
  const code = isOver ? await ended : null;
  return judged(folder, { code, said, show: (branch, path) => fixture.git("show", `${branch}:${path}`) });
}

type Ended = { code: number | null; said: string; show(branch: string, path: string): string };

function judged(folder: string, { code, said, show }: Ended): Verdict {
  const verdict: Verdict = { units: 0, steps: 0, deaths: 0, doubled: 0, lost: 0, violations: [] };
  const wrong = (text: string) => void verdict.violations.push(text);
  if (code !== 0) wrong(`the batch ended with ${code}`);
  const batches = join(folder, "config/batches");
  const [batch = ""] = readdirSync(batches);
  for (const file of readdirSync(join(batches, batch, "units"))) {
    const unit = JSON.parse(readFileSync(join(batches, batch, "units", file), "utf8"));
    verdict.units++;
    verdict.deaths += unit.deaths;
    if (unit.state !== "done") {
      wrong(`${unit.id} is ${unit.state}: ${JSON.stringify(unit.error)} ${unit.ended ?? ""}`);
      continue;
    }
    const lines = show(unit.branch, `steps-${unit.id}.txt`).split("\n").filter(Boolean);
    const seen = finishedSteps(folder, unit.session);
    const { steps, doubled, lost, violations } = judgeSteps(unit.id, { lines, seen, deaths: unit.deaths });
    verdict.steps += steps;
    verdict.doubled += doubled;
    verdict.lost += lost;
    verdict.violations.push(...violations);
  }
  if (verdict.units === 0) wrong(`no unit has begun: ${said}`);
  return verdict;
}

/** The steps whose results the model has got. */
function finishedSteps(folder: string, session: string): string[] {
  const projects = join(folder, "config/projects");
  const path = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(`${session}.jsonl`));
  const events = path === undefined ? [] : parseTranscript(readFileSync(join(projects, path), "utf8"));
  return events.filter(({ type }) => type === "tool_ended").flatMap((event) => stepsDone(JSON.stringify(event)));
}

const script = `
version: 1
agents: [tool]
scenes:
  - name: steps
    agent: tool
    when: 'Make (?<id>[\\w-]+)\\.'
    replies:
${Array.from({ length: stepsOfUnit }, (_, at) => `      - calls: [{ Bash: { command: "node step.js {{id}} ${at + 1}" } }]`).join("\n")}
      - say: "Made {{id}}."
  - name: interrupted
    agent: tool
    when: 'You were interrupted'
    idle_only: true
    replies:
      - say: "Nothing was left to do."
`;
