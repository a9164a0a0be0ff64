// Teammates that died without a lead: their end is recorded once and their tasks are blocked. No process is started here.
import { utimesSync } from "node:fs";
import { expect, it } from "vitest";
import { operate } from "../../src/board/tasks/operations.ts";
import { settleDead, tasksOfDead } from "../../src/team/dead-members.ts";
import { writeExit, writeStatus } from "../../src/team/member-files.ts";
import type { MemberExit } from "../../src/team/report/status.ts";
import { ann, bo, lead, now } from "../board/examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../board/temporary-team.ts";
import { teamPorts } from "./team-ports.ts";

const exitedAt = "2026-01-02T03:04:07.000Z";

/** ann holds task-1 and bo holds task-2; those in `started` have had a session. */
async function atWork({ board }: TemporaryTeam, started: string[]): Promise<void> {
  for (const [id, owner] of [["task-1", ann] as const, ["task-2", bo] as const]) {
    await operate(board, { op: "TaskCreate", args: { title: id } }, lead);
    await operate(board, { op: "TaskUpdate", args: { id, status: "in_progress" } }, owner);
  }
  await board.changeRecord((record) => ({
    ...record,
    members: record.members.map((member) => (started.includes(member.name) ? { ...member, session: `session-${member.name}` } : member)),
  }));
}

/** The status of ann's process, last written at `now`, and its exit.json if it wrote one at that time. */
function annWrote({ board: { layout } }: TemporaryTeam, exit?: Partial<MemberExit>): void {
  ports.disk.makeFolder(layout.member("ann"));
  const tally = { turns: 1, tokens: 0, cached_tokens: 0, cost_usd: 0 };
  const state = { state: "working", task: "task-1", doing: "", since: now } as const;
  writeStatus(ports.disk, layout, { name: "ann", pid: 1, start: "1", nonce: "n", session: "session-ann", ...state, ...tally });
  utimesSync(`${layout.member("ann")}/status.json`, new Date(now), new Date(now));
  if (exit) writeExit(ports.disk, layout, { name: "ann", exit: { nonce: "n", reason: "signal", at: exitedAt, code: 1, ...exit } });
}

function ends({ board }: TemporaryTeam) {
  const read = board.record();
  if (!read.ok) throw new Error(read.reason);
  return read.record.members.flatMap(({ name, ended }) => (ended ? [{ name, ...ended }] : []));
}

function states({ board }: TemporaryTeam) {
  const read = board.tasks.read();
  if (!read.ok) throw new Error(read.reason);
  return read.list.tasks.map(({ id, status, blocked_reason }) => [id, status, blocked_reason]);
}

it("blocks the task of a teammate that died, and leaves that of another program", async () => {
  using team = temporaryTeam();
  await atWork(team, ["ann"]);
  annWrote(team);
  expect(tasksOfDead(teamPorts(team)).map(({ name, task }) => [name, task.id])).toEqual([["ann", "task-1"]]);
  expect(await settleDead(teamPorts(team), "the team was stopped")).toEqual({ ok: true });
  expect(states(team)).toEqual([
    ["task-1", "blocked", "ann is gone: its process died, and the team was stopped"],
    ["task-2", "in_progress", undefined],
  ]);
  expect(ends(team)).toEqual([{ name: "ann", how: "its process died", at: now, with_team: true }]);
});

it("does nothing the second time", async () => {
  using team = temporaryTeam();
  await atWork(team, ["ann", "bo"]);
  await settleDead(teamPorts(team), "the team was stopped");
  const before = [states(team), ends(team)];
  expect([tasksOfDead(teamPorts(team)), await settleDead(teamPorts(team), "the lead is gone")]).toEqual([[], { ok: true }]);
  expect([states(team), ends(team)]).toEqual(before);
});

it("leaves a teammate whose process runs", async () => {
  using team = temporaryTeam();
  await atWork(team, ["ann"]);
  const claim = ports.lock.claimForLife(team.board.layout.claim("ann"));
  try {
    expect([tasksOfDead(teamPorts(team)), await settleDead(teamPorts(team), "the lead is gone"), ends(team)]).toEqual([
      [],
      { ok: true },
      [],
    ]);
  } finally {
    if (claim.ok) claim.release();
  }
});

it.each<[exit: Partial<MemberExit>, how: string]>([
  [{ detail: "SIGHUP" }, "ended by SIGHUP"],
  [{}, "ended by a signal"],
  [{ reason: "lead_gone" }, "lead gone"],
  [{ reason: "fault", detail: "the disk is full" }, "the disk is full"],
])("records the end that its exit.json tells: %j", async (exit, how) => {
  using team = temporaryTeam();
  await atWork(team, ["ann"]);
  annWrote(team, exit);
  await settleDead(teamPorts(team), "the lead is gone");
  expect(ends(team)).toEqual([{ name: "ann", how, at: exitedAt, with_team: true }]);
});

it("ignores the exit.json of an earlier process", async () => {
  using team = temporaryTeam();
  await atWork(team, ["ann"]);
  annWrote(team, { nonce: "earlier" });
  await settleDead(teamPorts(team), "the lead is gone");
  expect(ends(team)).toEqual([{ name: "ann", how: "its process died", at: now, with_team: true }]);
});
