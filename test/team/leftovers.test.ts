// What a dead lead left behind, found on a real disk and in the real process table, and ended.
import { spawn } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { operate } from "../../src/board/tasks/operations.ts";
import { findLeftovers, reap } from "../../src/team/leftovers.ts";
import { ann, lead, now } from "../board/examples.ts";
import { type TemporaryTeam, temporaryTeam } from "../board/temporary-team.ts";
import { teamPorts } from "./team-ports.ts";

/** ann has ended with task-1 in progress; one of her commands still runs, and her last launch file was never read. */
async function deserted(team: TemporaryTeam, session: string) {
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await operate(team.board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  await team.board.changeRecord((record) => ({
    ...record,
    members: record.members.map((member) => (member.name === "ann" ? { ...member, session, ended: { how: "killed", at: now } } : member)),
  }));
  const launch = `${team.board.layout.member("ann")}/launch.json`;
  mkdirSync(dirname(launch), { recursive: true });
  writeFileSync(launch, "{}");
  utimesSync(launch, new Date(0), new Date(0));
  const command = spawn("sleep", ["1000"], { env: { PATH: process.env["PATH"], TOOL_OWNER: `${session}:ann` }, detached: true });
  onTestFinished(() => void command.kill("SIGKILL"));
  const ended = new Promise<string | null>((resolve) => command.once("exit", (_code, signal) => resolve(signal)));
  return { launch, pid: command.pid, ended };
}

it("finds a command, a launch file and a task in progress with nobody, and ends them", async () => {
  using team = temporaryTeam();
  const session = crypto.randomUUID();
  const { launch, pid, ended } = await deserted(team, session);
  const { found, waiting, problems } = await findLeftovers(teamPorts(team), { note: true, patient: false });
  expect({ found, waiting, problems }).toEqual({
    found: [
      { kind: "commands", name: "ann", owner: `${session}:ann`, pids: [pid] },
      { kind: "launch_file", name: "ann", path: launch },
      { kind: "task", name: "ann", task: "task-1" },
    ],
    waiting: [],
    problems: [],
  });
  const reaped = [];
  for (const leftover of found) reaped.push(await reap(leftover, teamPorts(team), "the lead is gone"));
  expect(reaped).toEqual([
    { kind: "done", how: "ended" },
    { kind: "done", how: "removed" },
    { kind: "done", how: "blocked" },
  ]);
  expect(await ended).toMatch(/^SIG(TERM|KILL)$/);
  expect((await findLeftovers(teamPorts(team), { note: true, patient: false })).found).toEqual([]);
});

it("finds nothing in a team that was left in order", async () => {
  using team = temporaryTeam();
  expect(await findLeftovers(teamPorts(team), { note: true, patient: true })).toEqual({ found: [], waiting: [], problems: [] });
});
