// The time from `tool team --resume`, after SIGKILL of everything, to the first request of each teammate, beside the same for a new team.
// At the kill everybody holds a task and has unread mail; what is lost or duplicated is counted.
import { readFileSync, writeFileSync } from "node:fs";
import { toolUse } from "../messages-api.ts";
import { median, ms, type Row } from "./row.ts";
import { type BenchTeam, type Script, startTeam, until } from "./team.ts";

const resumesOfEach = 5;
/** `BENCH_RESUMES=200` runs the full benchmark. */
const teams = Math.ceil(Number(process.env["BENCH_RESUMES"] ?? 20) / resumesOfEach);
const names = ["ada", "bo", "cy", "dee"];

export async function resumeBench(report: (row: Row) => void): Promise<void> {
  const cold: number[] = [];
  const resumed: number[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < teams; round++) {
    const team = await startTeam("print", atWork);
    try {
      cold.push(await allAtWorkMs(team, new Map()));
      for (let n = 1; n <= resumesOfEach; n++) {
        resumed.push(await resumeMs(team, n));
        wrong.push(...whatIsWrong(team, n));
      }
    } finally {
      await team.dispose();
    }
  }
  const ratio = median(resumed) / median(cold);
  report({
    name: "resume: a team of 4 after SIGKILL of everything → all working again",
    ours: `${ms(median(resumed))}, ${ms(Math.min(...resumed))} to ${ms(Math.max(...resumed))} in ${resumed.length} resumes`,
    beside: `a cold start ${ms(median(cold))}`,
    ratio: ratio.toFixed(2),
    target: "≤ 1.5 × a cold start",
    met: ratio <= 1.5,
  });
  report({
    name: "resume: tasks, messages and grants lost or doubled",
    ours: wrong.length === 0 ? `0 in ${resumed.length} resumes` : `${wrong.length}: ${wrong[0]}`,
    target: "0",
    met: wrong.length === 0,
  });
}

/** The lead starts all teammates at once; none of their first requests is answered. */
const atWork: Script = ({ agent, n }) => {
  if (agent !== "lead" || n > 0) return new Promise<never>(() => {});
  const tasks = names.map((name) => toolUse("TaskCreate", { title: `Read with ${name}` }, `toolu_create_${name}`));
  return [...tasks, ...names.map((name) => toolUse("SpawnTeammate", { name }, `toolu_spawn_${name}`))];
};

/** `before`: how many requests each member had made. Returns once each has made one more and holds a task. */
async function allAtWorkMs(team: BenchTeam, before: Map<string, number>): Promise<number> {
  const first = (name: string) => team.requestsOf(name)[before.get(name) ?? 0]?.request.at;
  await until("the first request of every teammate", () => names.every((name) => first(name) !== undefined));
  return Math.max(...names.map((name) => first(name) ?? Number.NaN)) - team.startedAt();
}

async function resumeMs(team: BenchTeam, n: number): Promise<number> {
  if (n === 1) writeFileSync(team.board.layout.grants, grants);
  for (const to of names) team.board.send({ from: "user", to, kind: "message", text: `message ${n} to ${to}.` });
  await team.killAll();
  const before = new Map(names.map((name) => [name, team.requestsOf(name).length]));
  team.resume();
  return allAtWorkMs(team, before);
}

const grants = `${JSON.stringify({ version: 1, grants: [{ rule: "Bash(npm test)", since: "2026-01-01T00:00:00.000Z" }] })}\n`;

function whatIsWrong({ board, requestsOf }: BenchTeam, n: number): string[] {
  const read = board.tasks.read();
  const owners = (read.ok ? read.list.tasks : []).map(({ status, assigned_to }) => `${status} ${assigned_to}`).toSorted();
  const newest = (name: string) => JSON.stringify(requestsOf(name).at(-1)?.request.body.messages);
  const messages = names.flatMap((name) => Array.from({ length: n }, (_, index) => ({ name, text: `message ${index + 1} to ${name}.` })));
  return [
    ...(owners.join() === names.map((name) => `in_progress ${name}`).join() ? [] : [`tasks are ${owners.join()}`]),
    ...messages.flatMap(({ name, text }) => {
      const times = newest(name).split(text).length - 1;
      return times === 1 ? [] : [`"${text}" was shown ${times} times`];
    }),
    ...(readFileSync(board.layout.grants, "utf8") === grants ? [] : ["the grants have changed"]),
  ];
}
