// A hundred teammates whose hands are all at one place, a command on this machine: whether all of them work, what they take, and whether the board
// is as quick as with a few.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text, toolUse } from "../messages-api.ts";
import { checkDrain } from "../process/drain-check.ts";
import { mib, processorMs, pssMiB } from "./process-figures.ts";
import { median, ms, type Part, quantile } from "./row.ts";
import { type BenchTeam, processesWith, type Script, startTeam, until } from "./team.ts";

const count = Number(process.env["BENCH_TEAMMATES"] ?? 100);
const notes = 100;
const names = Array.from({ length: count }, (_, index) => `t${index + 1}`);

/** Needs `npm run build`, Linux for the memory, and memory for two processes of each teammate. */
export const placesTeamBench: Part = async (report) => {
  let root = "";
  let mayBegin = () => {};
  const begun = new Promise<void>((resolve) => (mayBegin = resolve));
  const prepare = (folder: string) => {
    root = folder;
    aPlace(folder);
  };
  const team = await startTeam("print", script(begun), { prepare, args: ["--worktrees", "--places", `here:${count}`] });
  try {
    const far = join(root, "far");
    await until("all hands", () => names.every((name) => team.status(name)?.hands?.state === "working"), waitMs);
    await until("idle teammates", () => names.every((name) => team.status(name)?.state === "idle"), waitMs);
    const started = (performance.now() - team.startedAt()) / 1000;
    report({ ...reported, name: `${count} teammates, each with hands at a local place: all there after`, ours: `${started.toFixed(0)} s` });
    await greet(team);
    const times = await deliveries(team);
    const delivered = {
      beside: `wanted of a team of one`,
      name: `places: a message durable → in the next request of an idle teammate of ${count}`,
    };
    report({ ...delivered, ours: `median ${ms(median(times))}`, target: "≤ 15 ms", met: median(times) <= 15 });
    report({ ...delivered, ours: `p99 ${ms(quantile(times, 0.99))}`, target: "≤ 100 ms", met: quantile(times, 0.99) <= 100 });
    await quiet(report, root);
    mayBegin();
    await until("all tasks", () => tasksOf(team).filter(({ status }) => status === "completed").length === count, waitMs);
    memory(report, { root, far });
    done(report, { team, root });
  } finally {
    mayBegin();
    await team.dispose();
  }
};

const waitMs = 900_000;
const reported = { target: "reported", met: true } as const;

/** A repository with a commit, and the place `here` in the person's settings. */
function aPlace(root: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: join(root, "work"), stdio: "ignore" });
  git("init");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@localhost");
  git("add", ".");
  git("commit", "-m", "First");
  mkdirSync(join(root, "config"), { mode: 0o700 });
  writeFileSync(join(root, "config/settings.json"), JSON.stringify({ places: { here: { command: ["env"], folder: join(root, "far") } } }));
}

/** The lead starts all, waits until it may, and makes a task for each. Whoever waits so long gives up its request and sends it again. */
function script(begun: Promise<void>): Script {
  return async ({ agent, n, request }) => {
    const said = JSON.stringify(request.body.messages.at(-1));
    if (agent !== "lead") return workOf(agent, said);
    if (n === 0) return names.map((name) => toolUse("SpawnTeammate", { name }, `toolu_${name}`));
    if (!said.includes('"toolu_t1"')) return text("So be it.");
    await begun;
    return names.map((name) => toolUse("TaskCreate", { title: `The file of one of ${count}` }, `toolu_task_${name}`));
  };
}

function workOf(agent: string, said: string) {
  const held = /hold (task-\d+)/.exec(said)?.[1];
  if (held) return toolUse("Bash", { command: `echo ${agent} >${held}.txt && pwd` }, `toolu_${held}_write`);
  const written = /toolu_(task-\d+)_write/.exec(said)?.[1];
  if (written) return toolUse("TaskUpdate", { id: written, status: "completed", summary: "It is written." }, `toolu_${written}_done`);
  return text("Done.");
}

/** The first request of each opens its tree at the place. */
async function greet(team: BenchTeam): Promise<void> {
  for (const to of names) team.board.send({ from: "user", to, kind: "message", text: "Good morning." });
  await until("an answer of each", () => names.every((name) => team.requestsOf(name).length > 0), waitMs);
  await until("idle teammates", () => names.every((name) => team.status(name)?.state === "idle"), waitMs);
}

/** How long messages take to teammates that wait, one after the other. */
async function deliveries(team: BenchTeam): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < notes; number++) {
    const to = names[(number * 37) % count]!;
    const mark = `note ${number};`;
    team.board.send({ from: "user", to, kind: "message", text: mark });
    const durableAt = performance.now();
    const carrier = () => team.requestsOf(to).find(({ request }) => JSON.stringify(request.body.messages.at(-1)).includes(mark));
    await until("a message", () => carrier() !== undefined);
    times.push(carrier()!.request.at - durableAt);
    await until("an idle teammate", () => team.status(to)?.state === "idle");
  }
  return times;
}

/** What all of them take while nobody has anything to do. */
async function quiet(report: Parameters<Part>[0], root: string): Promise<void> {
  const used = () => new Map(processesWith(`TMUX_TMPDIR=${root}`).map((pid) => [pid, orNothing(() => processorMs(pid))]));
  const before = used();
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  const spent = [...used()].map(([pid, total]) => total - (before.get(pid) ?? total));
  const share = (100 * spent.reduce((sum, one) => sum + one, 0)) / quietMs / (2 * count);
  report({
    name: "places: a process of an idle teammate, its own or its hands, share of a core",
    ours: `${share.toFixed(2)} %`,
    target: "≤ 0.3 %",
    met: share <= 0.3,
  });
}

const quietMs = 30_000;

function memory(report: Parameters<Part>[0], { root, far }: { root: string; far: string }): void {
  const all = processesWith(`TMUX_TMPDIR=${root}`);
  const isThere = (pid: number) =>
    readlinkSync(`/proc/${pid}/cwd`) === far && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("node\0-e\0");
  const hands = all.filter((pid) => orNothing(() => (isThere(pid) ? 1 : 0)) > 0);
  const sizes = hands.map((pid) => orNothing(() => pssMiB(pid)));
  report({
    name: `places: memory of the hands of ${hands.length} teammates, the median`,
    ours: mib(median(sizes)),
    beside: `the largest ${mib(Math.max(...sizes))}`,
    target: "≤ 60 MiB",
    met: hands.length === count && median(sizes) <= 60,
  });
  const total = all.reduce((sum, pid) => sum + orNothing(() => pssMiB(pid)), 0);
  report({ name: "places: memory of everything", ours: `${(total / 1024).toFixed(1)} GiB`, target: "≤ 24 GiB", met: total <= 24 * 1024 });
}

/** 0 for a process that is gone meanwhile. */
function orNothing(look: () => number): number {
  try {
    return look();
  } catch {
    return 0;
  }
}

/** Whoever had to begin anew was not lost, and took the time and memory of two. */
const restarts = (log: string) => log.split("\n").filter((line) => line.includes('"kind":"member_restarted"')).length;

const tasksOf = (team: BenchTeam) => {
  const read = team.board.tasks.read();
  return read.ok ? read.list.tasks : [];
};

/** Nothing lost or doubled, everything handed over, and how soon a task that is there is somebody's. */
function done(report: Parameters<Part>[0], { team, root }: { team: BenchTeam; root: string }): void {
  const log = readFileSync(team.board.layout.log, "utf8");
  const check = checkDrain(log, readFileSync(team.board.layout.tasks, "utf8"));
  const faults = check.lostOrDouble.length + check.early.length + check.overlapping.length + check.gaps.length;
  const branch = git(root, "for-each-ref", "--format=%(refname)", "refs/heads/tool/").find((name) => name.endsWith("/merged"));
  const files = git(root, "ls-tree", "--name-only", branch ?? "HEAD").filter((name) => /^task-\d+\.txt$/.test(name)).length;
  const anew = restarts(log);
  report({ name: `places: of ${count} teammates, restarted`, ours: `${anew}`, target: "0", met: anew === 0 });
  report({
    name: "places: claims lost, doubled or too early",
    ours: `${faults}`,
    target: "0",
    met: faults === 0 && check.claims === count,
  });
  report({ name: "places: files that came from there and are merged", ours: `${files}`, target: `${count}`, met: files === count });
  const events: { kind: string; task?: string; at: string }[] = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const atOf = (kind: string, task: string) => Date.parse(events.find((event) => event.kind === kind && event.task === task)?.at ?? "");
  const waits = tasksOf(team).map(({ id }) => atOf("task_claimed", id) - atOf("task_created", id));
  report({
    ...reported,
    name: `places: task made → claimed, of ${count} idle teammates`,
    ours: `median ${ms(median(waits))}, p99 ${ms(quantile(waits, 0.99))}`,
  });
}

const git = (root: string, ...args: string[]) => execFileSync("git", args, { cwd: join(root, "work"), encoding: "utf8" }).split("\n");
