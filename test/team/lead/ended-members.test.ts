// The steps after a teammate's end, when a lock or a disk fails in the middle of them.
import { describe, expect, it } from "vitest";
import { openBoard } from "../../../src/board/board.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { createEndedMembers } from "../../../src/team/lead/ended-members.ts";
import { ann, lead, now } from "../../board/examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

const gone = { name: "ann", how: "its pane was closed", at: now, tellLead: true };

/** ann has blocked task-1 and works on task-2. */
async function atWork({ board }: TemporaryTeam): Promise<void> {
  for (const title of ["One", "Two"]) await operate(board, { op: "TaskCreate", args: { title } }, lead);
  const update = (args: object) => operate(board, { op: "TaskUpdate", args }, ann);
  await update({ id: "task-1", status: "in_progress" });
  await update({ id: "task-1", status: "blocked", reason: "which format?" });
  await update({ id: "task-2", status: "in_progress" });
}

/** The board of a lead's process; `refuse` decides which files it cannot write. */
function leadOf(team: TemporaryTeam) {
  let refused = "";
  const disk: typeof ports.disk = {
    ...ports.disk,
    replace(path, text, options) {
      if (refused && path.endsWith(refused)) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
      ports.disk.replace(path, text, options);
    },
  };
  const [problems, told]: [string[], string[]] = [[], []];
  const members = createEndedMembers({
    board: openBoard({ ...ports, disk }, team.folder),
    touched: (_member, task) => [`${task}.ts`],
    onProblem: (reason) => problems.push(reason),
    tellLead: (text) => told.push(text),
  });
  return {
    members,
    problems,
    told,
    refuse(file: string) {
      refused = file;
    },
    state() {
      const [record, list] = [team.board.record(), team.board.tasks.read()];
      const ended = record.ok && record.record.members.find(({ name }) => name === "ann")?.ended;
      return { ended, tasks: list.ok && list.list.tasks.map(({ status, blocked_reason }) => [status, blocked_reason]) };
    },
  };
}

const settled = {
  ended: { how: gone.how, at: now },
  tasks: [
    ["blocked", "which format?"],
    ["blocked", "ann is gone: its pane was closed; files touched: task-2.ts"],
  ],
};
const notice =
  'ann is gone: its pane was closed. Its tasks are blocked: task-1 (files touched: task-1.ts), task-2 (files touched: task-2.ts). Hand them over with TaskUpdate (status "open", another assignee), or start another teammate.';

describe("the end of a member", () => {
  it("is recorded, its task is blocked, and the lead is told about everything that is blocked with it", async () => {
    using team = temporaryTeam();
    await atWork(team);
    const { members, told, problems, state } = leadOf(team);
    await members.add(gone);
    await members.reconcile();
    expect([state(), told, problems]).toEqual([settled, [notice], []]);
    const released = { op: "TaskUpdate", args: { id: "task-1", status: "open", assignee: "bo" } };
    expect(await operate(team.board, released, lead)).toMatchObject({ ok: true, task: { status: "open", assigned_to: "bo" } });
  });

  it.each(["team.json", "tasks.json"])("that cannot be settled while %s is refused is settled later and reported once", async (file) => {
    using team = temporaryTeam();
    await atWork(team);
    const { members, told, problems, refuse, state } = leadOf(team);
    refuse(file);
    await members.add(gone);
    await members.reconcile();
    const before = [state().tasks, told, problems];
    expect(before).toEqual([
      [
        ["blocked", "which format?"],
        ["in_progress", undefined],
      ],
      [],
      [expect.stringContaining(`${file}: the disk is full. It is unchanged`)],
    ]);
    refuse("");
    await members.reconcile();
    await members.reconcile();
    expect([state(), told]).toEqual([settled, [notice]]);
  });

  it("that was asked for is not told to the lead", async () => {
    using team = temporaryTeam();
    await atWork(team);
    const { members, told, state } = leadOf(team);
    await members.add({ ...gone, how: "stopped", tellLead: false });
    expect([state().tasks, told]).toEqual([
      [
        ["blocked", "which format?"],
        ["blocked", "ann has ended; files touched: task-2.ts"],
      ],
      [],
    ]);
  });

  it("that a former lead recorded before it died is settled by the next one, which is told", async () => {
    using team = temporaryTeam();
    await atWork(team);
    const first = leadOf(team);
    first.refuse("tasks.json");
    await first.members.add(gone);
    const next = leadOf(team);
    await next.members.reconcile();
    expect([next.state(), next.told]).toEqual([settled, [notice]]);
  });
});
