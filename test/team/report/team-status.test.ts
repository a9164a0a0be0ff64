import { describe, expect, it } from "vitest";
import { operate } from "../../../src/board/tasks/operations.ts";
import { memberProcesses } from "../../../src/edge/processes/member-processes.ts";
import { writeResult } from "../../../src/team/lead/result.ts";
import { writeExit, writeStatus } from "../../../src/team/member-files.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";
import { teamStatus } from "../../../src/team/report/team-status.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

const table = memberProcesses();
const at = "2026-01-01T00:00:00.000Z";

function told(name: string, facts: Partial<MemberStatus> = {}): MemberStatus {
  const { pid, start } = table.self();
  const zero = { turns: 2, tokens: 30, cached_tokens: 10, cost_usd: 0.5 };
  return { name, pid, start, nonce: "n1", session: "s", state: "working", task: null, doing: "Read a.js", since: at, ...zero, ...facts };
}

function look({ board }: TemporaryTeam, nowMs = 0) {
  const read = teamStatus({ board, disk: ports.disk, clock: { monotonicMs: () => nowMs }, processes: table });
  if (!read.ok) throw new Error(read.reason);
  const { state, members, stalled, tasks } = read.status;
  return { state, members: members.map((member) => `${member.name} ${member.state} ${member.how}`.trim()), stalled, tasks };
}

const none = { open: 0, in_progress: 0, blocked: 0, completed: 0 };

/** This process takes the names, as the processes of a lead or teammate would. */
function claim({ board }: TemporaryTeam, ...names: string[]): Disposable {
  const claims = names.map((name) => ports.lock.claimForLife(board.layout.claim(name)));
  return {
    [Symbol.dispose]() {
      for (const taken of claims) if (taken.ok) taken.release();
    },
  };
}

describe("teamStatus()", () => {
  it("of a team that nobody started", () => {
    using team = temporaryTeam();
    expect(look(team)).toEqual({
      state: "no_processes",
      members: ["lead not_started", "ann not_started", "bo not_started"],
      stalled: [],
      tasks: none,
    });
  });

  it("names the role of a member that has one", async () => {
    using team = temporaryTeam();
    await team.board.changeRecord((record) => ({
      ...record,
      members: record.members.map((member) => (member.name === "bo" ? { ...member, definition: { name: "reviewer" } } : member)),
    }));
    const read = teamStatus({ board: team.board, disk: ports.disk, clock: { monotonicMs: () => 0 }, processes: table });
    expect(read.ok && read.status.members.map(({ name, role, definition }) => [name, role, definition])).toEqual([
      ["lead", "lead", null],
      ["ann", "teammate", null],
      ["bo", "teammate", "reviewer"],
    ]);
  });

  it("trusts only the file of the process that holds the name", () => {
    using team = temporaryTeam();
    using _names = claim(team, "lead", "ann");
    writeStatus(ports.disk, team.board.layout, told("lead"));
    writeStatus(ports.disk, team.board.layout, told("ann", { start: "another process" }));
    writeStatus(ports.disk, team.board.layout, told("bo"));
    expect(look(team)).toEqual({ state: "running", members: ["lead working", "ann starting", "bo died"], stalled: [], tasks: none });
  });

  it("names members without an event for too long, but none whose model is asked", () => {
    using team = temporaryTeam();
    using _names = claim(team, "lead", "ann", "bo");
    const quiet = { sign_ms: 1_000, hung_after_ms: 600_000, asks_model: false };
    writeStatus(ports.disk, team.board.layout, told("lead", { ...quiet, asks_model: true }));
    writeStatus(ports.disk, team.board.layout, told("ann", quiet));
    writeStatus(ports.disk, team.board.layout, told("bo", { ...quiet, state: "idle" }));
    expect([look(team, 600_999).members, look(team, 661_000).members]).toEqual([
      ["lead working", "ann working", "bo idle"],
      ["lead working", "ann hung no event for 11 minutes: Read a.js", "bo idle"],
    ]);
  });

  it("distinguishes a team without its lead from one that has ended, and says how members ended", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    writeStatus(ports.disk, layout, told("lead"));
    writeStatus(ports.disk, layout, told("ann"));
    writeExit(ports.disk, layout, { name: "ann", exit: { reason: "lead_gone", nonce: "n1", at, code: 0 } });
    writeStatus(ports.disk, layout, told("bo"));
    writeExit(ports.disk, layout, { name: "bo", exit: { reason: "stopped", nonce: "of an earlier start", at, code: 0 } });
    const claimed = claim(team, "bo");
    const without = look(team);
    claimed[Symbol.dispose]();
    const report = {
      team: "atlas",
      tasks: [],
      completed: 0,
      members: [],
      ms: 1,
      tokens: 0,
      cached_tokens: 0,
      cost_usd: 0,
      blocks: [],
      ends: [],
      permission_denials: [],
      failures: [],
    };
    writeResult(ports.disk, layout, { code: 130, report, end: { how: "interrupted", stalled: [] } });
    expect([without.state, without.members, look(team).state, look(team).members]).toEqual([
      "lead_gone",
      ["lead died", "ann ended lead gone", "bo working"],
      "ended",
      ["lead ended interrupted", "ann ended lead gone", "bo died"],
    ]);
  });

  it("says why the team is stuck, counting only running members", async () => {
    using team = temporaryTeam();
    using _names = claim(team, "lead", "bo");
    const act = (op: string, args: object, name = "user") =>
      operate(team.board, { op, args }, { name, role: name === "user" ? "user" : "teammate" });
    await act("TaskCreate", { title: "One", assignee: "ann" });
    await act("TaskUpdate", { id: "task-1", status: "in_progress" }, "ann");
    await act("TaskCreate", { title: "Two", dependencies: ["task-1"] });
    const { stalled, tasks } = look(team);
    expect({ stalled, tasks }).toEqual({
      stalled: ["task-1 is in progress with ann, who does not work in this team now."],
      tasks: { ...none, open: 1, in_progress: 1 },
    });
  });

  it("says it by the word of the lead as long as that lives", async () => {
    using team = temporaryTeam();
    const names = claim(team, "lead");
    await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, { name: "user", role: "user" });
    writeStatus(ports.disk, team.board.layout, told("lead", { stalled: [] }));
    const working = look(team).stalled;
    writeStatus(ports.disk, team.board.layout, told("lead", { state: "idle", stalled: ["task-1 waits."] }));
    const stuck = look(team).stalled;
    names[Symbol.dispose]();
    expect([working, stuck, look(team).stalled]).toEqual([
      [],
      ["task-1 waits."],
      ["task-1 is ready, and there is no teammate to claim it. Start one."],
    ]);
  });
});
