// One team under chaos: the built program with a simulated model on loopback, faults at random moments, a resume after each end of its
// lead, and the independent checker on the resulting files.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Random, random } from "../fuzz/random.ts";
import { type Answer, type MessagesApi, type RecordedRequest, refusal, startMessagesApi, streamed } from "../messages-api.ts";
import { type Plan, plan, reply, requestProblem, type Size } from "./brain.ts";
import { check, type LeadEnd, type Verdict } from "./checker.ts";
import { type FaultKind, faults, type Target } from "./faults.ts";
import { processesWith, signal } from "./process-table.ts";

export type Order = Size & {
  seed: number;
  faults: number;
  kinds: readonly FaultKind[];
  display: "tmux" | "in-process";
  /** Time limit for the whole run. */
  withinMs: number;
};

export type Outcome = {
  hits: { kind: FaultKind; what: string }[];
  /** How often the lead was started again. */
  resumes: number;
  verdict: Verdict;
  ms: number;
  /** Kept when there is a violation. */
  folder: string | undefined;
};

/** Needs `npm run build`, and the repository's root as working directory. */
export async function runTeam(order: Order): Promise<Outcome> {
  const began = performance.now();
  const chance = random(order.seed);
  const planned = plan(order, chance);
  const place = makePlace();
  const model = await startModel(planned, chance);
  const run: Run = { order, place, model, planned, chance, leads: [], hits: [], notes: [] };
  try {
    await disturbedRun(run, began + order.withinMs);
    const verdict = await judge(run);
    const isWhole = verdict.violations.length === 0;
    if (isWhole) rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
    const { hits, leads } = run;
    return { hits, resumes: leads.length - 1, verdict, ms: performance.now() - began, folder: isWhole ? undefined : place.root };
  } finally {
    for (const { pid } of processesWith(place.root)) signal(pid, "SIGKILL");
    removeSockets(place);
    await model.api.close();
  }
}

type Place = { root: string; configDir: string; cwd: string; control: string; env: Record<string, string> };
type Lead = { child: ChildProcess; end: Promise<LeadEnd>; ended?: LeadEnd; wasKilled: boolean };
type FaultyModel = { api: MessagesApi; arm: (count: number) => void; problems: string[] };
export type Run = {
  order: Order;
  place: Place;
  model: FaultyModel;
  planned: Plan;
  chance: Random;
  leads: Lead[];
  hits: Outcome["hits"];
  /** Problems that no file shows. */
  notes: string[];
};

const team = "atlas";

async function disturbedRun(run: Run, deadline: number): Promise<void> {
  startLead(run);
  for (const [number, kind] of dealt(run.order, run.chance).entries()) {
    const share = (number + run.chance.below(100) / 100) / run.order.faults;
    await untilOr(deadline, () => lead(run).ended !== undefined || progress(run) >= share);
    if (isRefused(run)) startLead(run);
    if (lead(run).ended) break;
    await pause(run.chance.below(300));
    await strike(run, kind);
    await resumeIfKilled(run);
  }
  do {
    if (isRefused(run)) startLead(run);
    await untilOr(deadline, () => lead(run).ended !== undefined);
  } while (isRefused(run));
  if (!lead(run).ended)
    run.notes.push(`It did not end within ${Math.round(run.order.withinMs / 1000)} s: ${Math.round(progress(run) * 100)} % of it is done`);
}

/** Each kind equally often, in random order. */
function dealt({ faults: count, kinds }: Order, chance: Random): FaultKind[] {
  const deck: FaultKind[] = [];
  while (deck.length < count) {
    const left = [...kinds];
    while (left.length > 0) deck.push(...left.splice(chance.below(left.length), 1));
  }
  return deck.slice(0, count);
}

async function strike(run: Run, kind: FaultKind): Promise<void> {
  const { place, chance, model } = run;
  const before = lead(run);
  if (faults[kind].resume) before.wasKilled = true;
  const target: Target = {
    random: chance,
    mark: place.root,
    configDir: place.configDir,
    team,
    leadPid: () => before.child.pid ?? 0,
    control: place.control,
    armApi: model.arm,
  };
  const what = await faults[kind].inject(target);
  if (what !== undefined) run.hits.push({ kind, what });
}

async function resumeIfKilled(run: Run): Promise<void> {
  while (lead(run).wasKilled) {
    await lead(run).end;
    await pause(run.chance.below(500));
    startLead(run);
    if (!run.order.kinds.includes("lead") || !run.chance.chance(0.3)) return;
    await pause(run.chance.below(2_000)); // during its resume
    await strike(run, "lead");
  }
}

/** A resume whose first write failed has changed nothing and says so; a user would enter the command again. */
function isRefused(run: Run): boolean {
  return lead(run).ended?.code === 1 && outputOf(run).includes(`Cannot resume team ${team}: `);
}

/** A team that was killed before it had a record is started anew. */
export function startLead({ order, place, model, leads }: Run): void {
  const isThere = existsSync(join(place.configDir, "teams", team, "team.json"));
  const argv = isThere ? ["--resume", team] : ["--teammates", String(order.teammates), "Do the work."];
  const log = openSync(join(place.root, `lead-${leads.length + 1}.log`), "a");
  const faulty = `${pathToFileURL(resolve("dist/test/chaos-faults.js")).href}?control=${place.control}`;
  const program = [
    "--import",
    faulty,
    resolve("bin/tool.js"),
    "team",
    "--print",
    "--display",
    order.display,
    "--allow",
    "Bash",
    "--allow",
    "Edit",
    ...argv,
  ];
  const env = { ...place.env, ANTHROPIC_BASE_URL: model.api.url, ANTHROPIC_API_KEY: "sk-test" };
  const child = spawn(process.execPath, program, { cwd: place.cwd, env, stdio: ["ignore", log, log] });
  closeSync(log);
  const end = new Promise<LeadEnd>((done) => child.once("exit", (code, ended) => done({ code, signal: ended })));
  const started: Lead = { child, end, wasKilled: false };
  void end.then((ended) => {
    started.ended = ended;
  });
  leads.push(started);
}

export async function judge(run: Run): Promise<Verdict> {
  const { place, planned, model, notes } = run;
  await untilOr(performance.now() + 10_000, () => processesWith(place.root).length === 0);
  const end = endOf(run);
  const verdict = check({
    configDir: place.configDir,
    team,
    expected: { titles: new Map(planned.tasks.map(({ title, dependencies }) => [title, dependencies])) },
    end,
    processes: processesWith(place.root).map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`),
  });
  return { ...verdict, violations: [...notes, ...model.problems, ...verdict.violations] };
}

function endOf(run: Run): LeadEnd {
  const end = lead(run).ended ?? { code: null, signal: "nothing: it still runs" };
  return { ...end, nothingToResume: outputOf(run).includes("Nothing to resume: all tasks") };
}

function outputOf({ leads, place }: Run): string {
  return readFileSync(join(place.root, `lead-${leads.length}.log`), "utf8");
}

function lead({ leads }: Run): Lead {
  return leads.at(-1)!;
}

/** From 0 to 1; 0 if the list cannot be read. */
export function progress({ place, planned }: Run): number {
  try {
    const { tasks } = JSON.parse(readFileSync(join(place.configDir, "teams", team, "tasks.json"), "utf8")) as {
      tasks: { status: string }[];
    };
    return tasks.filter(({ status }) => status === "completed").length / planned.tasks.length;
  } catch {
    return 0;
  }
}

export async function untilOr(deadline: number, look: () => boolean): Promise<void> {
  while (!look() && performance.now() < deadline) await pause(20);
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tool-chaos-")));
  for (const name of ["home", "work", "tmp", "config"]) mkdirSync(join(root, name));
  const [cwd, configDir] = [join(root, "work"), join(root, "config")];
  execFileSync("git", ["init", "--quiet", cwd]);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    TMUX_TMPDIR: mkdtempSync("/tmp/tool-s-"), // the path of a socket is short
    TOOL_CONFIG_DIR: configDir,
    TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  };
  return { root, cwd, configDir, control: join(root, "disturbance"), env };
}

export const removeSockets = ({ env }: Place) => rmSync(env["TMUX_TMPDIR"]!, { recursive: true, force: true });

export async function startModel(planned: Plan, chance: Random): Promise<FaultyModel> {
  const problems: string[] = [];
  let armed = 0;
  const api = await startMessagesApi({
    reply({ body }: RecordedRequest): Answer {
      const [, agent = ""] = /^You are ([\w-]+),/.exec(body.system[0]?.text ?? "") ?? [];
      const problem = requestProblem(body.messages);
      if (problem) problems.push(`A request of ${agent}: ${problem}`);
      const whole = reply(agent, body.messages, planned);
      return armed-- > 0 ? faulty(whole, chance) : whole;
    },
  });
  return {
    api,
    problems,
    arm(count) {
      armed = count;
    },
  };
}

function faulty(whole: Parameters<typeof streamed>[0], chance: Random): Answer {
  return chance.of<() => Answer>([
    () => refusal(529, "overloaded_error", "Overloaded"),
    () => refusal(500, "api_error", "Internal error"),
    () => refusal(429, "rate_limit_error", "Slow down", { "retry-after": "1" }),
    () => ({ hangUp: true }),
    () => streamed(whole, { wire: { cutAfter: 20 + chance.below(400) } }),
    () => streamed(whole, { wire: { endAfter: 20 + chance.below(400) } }),
  ])();
}
