// Kills a lead at every step of its resume: everything of a team is killed once, then its resume is killed before its first effect, before
// its second, and so on, each time from the same files. After each kill another resume runs the team to its end, which the checker judges.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random } from "../fuzz/random.ts";
import { plan, type Size } from "./brain.ts";
import { processesWith, signal } from "./process-table.ts";
import { judge, makePlace, type Order, progress, type Run, removeSockets, startLead, startModel, untilOr } from "./run-team.ts";

export type StepsOrder = Pick<Order, "display" | "seed"> &
  Size & {
    /** The steps to try; absent: all, until a resume completes. */
    steps?: readonly number[];
    onStep?: (step: StepOutcome) => void;
  };

/** `before`: the effect before which the lead was killed; absent when the resume completed first. */
export type StepOutcome = { step: number; before: string | undefined; violations: string[] };

/** Needs `npm run build`, and the repository's root as working directory. Keeps the folder if it finds a violation. */
export async function killResumes({
  steps,
  onStep = () => {},
  ...size
}: StepsOrder): Promise<{ outcomes: StepOutcome[]; folder: string | undefined }> {
  const chance = random(size.seed);
  const planned = plan(size, chance);
  const place = makePlace();
  const model = await startModel(planned, chance);
  const order: Order = { ...size, faults: 0, kinds: [], withinMs: 60_000 };
  const newRun = (): Run => ({ order, place, model, planned, chance, leads: [], hits: [], notes: [] });
  const outcomes: StepOutcome[] = [];
  try {
    await killedAtWork(newRun());
    keep(place.root);
    for (let step = 1; outcomes.at(-1)?.before !== undefined || outcomes.length === 0; step++) {
      if (steps && !steps.includes(step)) {
        if (step > Math.max(...steps)) break;
        continue;
      }
      restore(place.root);
      const outcome = await killedAt(step, newRun());
      outcomes.push(outcome);
      onStep(outcome);
      if (outcome.violations.length > 0) return { outcomes, folder: place.root };
    }
    rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
    return { outcomes, folder: undefined };
  } finally {
    killAll(place.root);
    removeSockets(place);
    await model.api.close();
  }
}

/** Kills the team when some tasks are completed, some are held and the others wait. */
async function killedAtWork(run: Run): Promise<void> {
  startLead(run);
  await untilOr(performance.now() + run.order.withinMs, () => progress(run) > 0.3);
  killAll(run.place.root);
  await run.leads[0]?.end;
  const grants = { version: 1, grants: [{ rule: "Bash(make *)", since: new Date(0).toISOString() }] };
  writeFileSync(join(teamFolder(run.place.configDir), "grants.json"), JSON.stringify(grants));
}

async function killedAt(step: number, run: Run): Promise<StepOutcome> {
  const { place, leads } = run;
  const killed = `${place.control}.killed`;
  const before = kept(place.configDir);
  rmSync(killed, { force: true });
  writeFileSync(place.control, JSON.stringify({ id: step, below: "", killAt: step }));
  startLead(run);
  const deadline = performance.now() + run.order.withinMs;
  const isThrough = () => isResumed(run);
  await untilOr(deadline, () => leads[0]?.ended !== undefined || isThrough());
  const through = isThrough();
  if (through && !leads[0]?.ended) leads[0]?.child.kill("SIGKILL");
  await leads[0]?.end;
  const effect = through || !existsSync(killed) ? undefined : readFileSync(killed, "utf8");
  rmSync(place.control);
  startLead(run);
  await untilOr(deadline, () => leads[1]?.ended !== undefined);
  if (!leads[1]?.ended) run.notes.push("The second resume did not end");
  const { violations } = await judge(run);
  const after = kept(place.configDir);
  return { step, before: effect, violations: [...violations, ...(before === after ? [] : [`Kept: ${before} became ${after}`])] };
}

/** It has reported in which state it found each of its members. */
function isResumed({ place, leads, planned }: Run): boolean {
  const said = readFileSync(join(place.root, `lead-${leads.length}.log`), "utf8");
  return ["lead", ...planned.teammates].every((name) => said.includes(`\n  ${name}: `) || said.startsWith(`  ${name}: `));
}

/** What no resume may change: the team's members, their conversations, and granted permissions. */
function kept(configDir: string): string {
  const read = (name: string) => readFileSync(join(teamFolder(configDir), name), "utf8");
  const { members } = JSON.parse(read("team.json")) as { members: { name: string; role: string; session?: string }[] };
  return JSON.stringify([members.map(({ name, role, session }) => [name, role, session]), read("grants.json")]);
}

const teamFolder = (configDir: string) => join(configDir, "teams", "atlas");

const parts = ["config", "work", "home", "tmp"];

function keep(root: string): void {
  for (const part of parts) cpSync(join(root, part), join(root, "kept", part), { recursive: true, preserveTimestamps: true });
}

function restore(root: string): void {
  killAll(root);
  for (const part of parts) {
    rmSync(join(root, part), { recursive: true, force: true, maxRetries: 5 });
    cpSync(join(root, "kept", part), join(root, part), { recursive: true, preserveTimestamps: true });
  }
}

function killAll(root: string): void {
  for (let found = processesWith(root); found.length > 0; found = processesWith(root)) for (const { pid } of found) signal(pid, "SIGKILL");
}
