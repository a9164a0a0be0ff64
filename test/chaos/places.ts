// Batches whose units work at places over ssh and on Slurm, while links are cut and hands, sshd's children and Slurm's steps are killed. Each call of
// a unit appends a line of its own to a file: what is committed shows whether one was carried out twice, or is lost although its turn was over.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseTranscript } from "../../src/agent/session/transcript.ts";
import { batchFixture, made } from "../batch/fixture.ts";
import { disturbed, faultyRounds, type PlacesOrder, placesUnderFaults, type Round, type Verdict } from "./place-rounds.ts";
import { judgeSteps, stepProgram, stepsDone } from "./place-steps.ts";
import { processesWith, signal } from "./process-table.ts";

const unitsOfBatch = 12;
const stepsOfUnit = 10;

/** Runs batches until there were so many faults; resolves with what was wrong. */
export const placesChaos = (order: PlacesOrder): Promise<string[]> => faultyRounds(order, "batch", oneBatch);

async function oneBatch(round: Round): Promise<Verdict> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-chaos-places-")));
  for (const name of ["repo", "home", "config", "ssh"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const sshd = await placesUnderFaults(folder, 6);
  try {
    return await faultyBatch(folder, round);
  } finally {
    sshd.stop();
    for (const { pid } of processesWith(folder)) signal(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function faultyBatch(folder: string, round: Round): Promise<Verdict> {
  const repository = join(folder, "repo");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    TOOL_CONFIG_DIR: join(folder, "config"),
    CHAOS: folder,
    ...round.slurm,
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
  await disturbed(() => isOver, { mark: folder, mostMs: 15 * 60_000 }, round);
  const code = isOver ? await ended : null;
  return judged(folder, { code, said, show: (branch, path) => fixture.git("show", `${branch}:${path}`) });
}

type Ended = { code: number | null; said: string; show(branch: string, path: string): string };

function judged(folder: string, { code, said, show }: Ended): Verdict {
  const verdict: Verdict = { work: "", steps: 0, deaths: 0, doubled: 0, lost: 0, violations: [] };
  const wrong = (text: string) => void verdict.violations.push(text);
  if (code !== 0) wrong(`the batch ended with ${code}`);
  const batches = join(folder, "config/batches");
  const [batch = ""] = readdirSync(batches);
  const units = readdirSync(join(batches, batch, "units"));
  verdict.work = `${units.length} units`;
  for (const file of units) {
    const unit = JSON.parse(readFileSync(join(batches, batch, "units", file), "utf8"));
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
  if (units.length === 0) wrong(`no unit has begun: ${said}`);
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
