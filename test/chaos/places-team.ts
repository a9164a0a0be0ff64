// Teams whose teammates have their hands over ssh and on Slurm, under the same faults as batches: whether a call was carried out twice, or is lost
// although its turn was over.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchTeam, type Script, startTeam } from "../bench/team.ts";
import { text, toolUse } from "../messages-api.ts";
import { disturbed, faultyRounds, type PlacesOrder, placesUnderFaults, type Round, type Verdict } from "./place-rounds.ts";
import { judgeSteps, stepProgram, stepsDone } from "./place-steps.ts";

const names = ["ada", "bo", "cy", "di", "ed", "flo"];
const tasksOfTeam = 18;
const stepsOfTask = 6;

/** Runs teams until there were so many faults; resolves with what was wrong. */
export const placesTeamChaos = (order: PlacesOrder): Promise<string[]> => faultyRounds(order, "team", oneTeam);

async function oneTeam(round: Round): Promise<Verdict> {
  let root = "";
  let sshd = { stop: () => {} };
  const prepare = async (folder: string) => {
    root = folder;
    for (const name of ["ssh", "config"]) mkdirSync(join(folder, name), { mode: 0o700 });
    sshd = await placesUnderFaults(folder, 4);
    makeRepository(join(folder, "work"));
  };
  const team = await startTeam("print", script, { prepare, env: round.slurm, args: ["--worktrees", "--places", "far:3,slurm:3"] });
  try {
    await disturbed(() => isDone(team), { mark: root, mostMs: 5 * 60_000 }, round);
    return judged(team, root);
  } finally {
    await team.dispose();
    sshd.stop();
  }
}

function makeRepository(cwd: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, stdio: "ignore" });
  git("init");
  git("config", "user.name", "Chaos");
  git("config", "user.email", "chaos@localhost");
  writeFileSync(join(cwd, "step.js"), stepProgram);
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }\n');
  git("add", ".");
  git("commit", "-m", "First");
}

/** Whatever became of a call, the next one follows: nothing is tried again by the model but to complete its task. */
const script: Script = ({ agent, n, request }) => {
  if (agent === "lead") {
    if (n === 0) return names.map((name) => toolUse("SpawnTeammate", { name }, `toolu_${name}`));
    const tasks = Array.from({ length: tasksOfTeam }, (_, at) => toolUse("TaskCreate", { title: `Step on ${at}` }, `toolu_made_${at}`));
    return n === 1 ? tasks : text("So be it.");
  }
  const said = JSON.stringify(request.body.messages);
  const id = [...said.matchAll(/hold (task-\d+)/g)].at(-1)?.[1];
  if (id === undefined) return text("Done.");
  const steps = [...said.matchAll(/"toolu_(task-\d+)_(\d+)_\d+"/g)].filter(([, of]) => of === id).map(([, , step]) => Number(step));
  const isRefused = JSON.stringify(request.body.messages.at(-1)).includes("Cannot complete");
  const next = Math.min(Math.max(0, ...steps) + 1, isRefused ? stepsOfTask + 1 : Number.POSITIVE_INFINITY);
  if (next > stepsOfTask + 1) return text("Done.");
  const call = `toolu_${id}_${next}_${n}`;
  return next <= stepsOfTask
    ? toolUse("Bash", { command: `node step.js ${id} ${next}` }, call)
    : toolUse("TaskUpdate", { id, status: "completed", summary: "It is done." }, call);
};

function tasksOf({ board }: BenchTeam) {
  const read = board.tasks.read();
  return read.ok ? read.list.tasks : [];
}

const isDone = (team: BenchTeam) => {
  const tasks = tasksOf(team);
  return tasks.length === tasksOfTeam && tasks.every(({ status }) => status === "completed");
};

function judged(team: BenchTeam, root: string): Verdict {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: join(root, "work"), encoding: "utf8" });
  const tasks = tasksOf(team);
  const deathsOf = (name: string | null) => team.status(name ?? "")?.hands?.restarts ?? 0;
  const merged = git("for-each-ref", "--format=%(refname)", "refs/heads/tool/")
    .split("\n")
    .find((name) => name.endsWith("/merged"));
  const sum: Verdict = { work: `${tasks.length} tasks`, steps: 0, doubled: 0, lost: 0, deaths: 0, violations: [] };
  for (const name of names) sum.deaths += deathsOf(name);
  for (const { id, status, assigned_to: owner, blocked_reason: why } of tasks) {
    if (status !== "completed") {
      sum.violations.push(`${id} of ${owner} is ${status}: ${why}`);
      continue;
    }
    const results = team.requests.flatMap(({ request }) => stepsDone(JSON.stringify(request.body.messages.at(-1))));
    const seen = [...new Set(results.filter((step) => step.startsWith(`${id}-`)))];
    const lines = showOf(() => git("show", `${merged}:steps-${id}.txt`));
    const { steps, doubled, lost, violations } = judgeSteps(id, { lines, seen, deaths: deathsOf(owner) });
    sum.steps += steps;
    sum.doubled += doubled;
    sum.lost += lost;
    sum.violations.push(...violations);
  }
  return sum;
}

/** Nothing of a file that is not there. */
function showOf(show: () => string): string[] {
  try {
    return show().split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
