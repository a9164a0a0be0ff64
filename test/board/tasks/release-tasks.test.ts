// Any process can release the tasks of ended members, from the files alone.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Board } from "../../../src/board/board.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { releaseTasksOfEnded } from "../../../src/board/tasks/release-tasks.ts";
import { changeMember } from "../../../src/board/team-record.ts";
import { ann, lead, now } from "../examples.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

const release = (board: Board) => releaseTasksOfEnded(board, { by: "lead", reason: ({ ended }, task) => `${ended.how}, with ${task}` });

/** Four tasks: one in progress with ann, one kept for ann, one for bo, one for nobody. */
async function withTasks(board: Board): Promise<void> {
  for (const assignee of ["ann", "ann", "bo", null]) await operate(board, { op: "TaskCreate", args: { title: "x", assignee } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
}

const end = (board: Board) =>
  board.changeRecord((record) => changeMember(record, "ann", { ended: { how: "its pane was closed", at: now } }));

function tasks(board: Board) {
  const read = board.tasks.read();
  return read.ok ? read.list.tasks.map(({ status, assigned_to, blocked_reason }) => [status, assigned_to, blocked_reason]) : read;
}

const untouched = [
  ["in_progress", "ann", undefined],
  ["open", "ann", undefined],
  ["open", "bo", undefined],
  ["open", null, undefined],
];

describe("releaseTasksOfEnded()", () => {
  it("blocks the member's task in progress and unassigns its open tasks, once", async () => {
    using team = temporaryTeam();
    await withTasks(team.board);
    await end(team.board);
    const result = await release(team.board);
    expect(result.released.map(({ member, task }) => [member.name, task.id, task.status])).toEqual([
      ["ann", "task-1", "blocked"],
      ["ann", "task-2", "open"],
    ]);
    expect(tasks(team.board)).toEqual([
      ["blocked", "ann", "its pane was closed, with task-1"],
      ["open", null, undefined],
      ["open", "bo", undefined],
      ["open", null, undefined],
    ]);
    expect(await release(team.board)).toEqual({ ok: true, released: [] });
  });

  it("skips members not recorded as ended, and names held by a process", async () => {
    using team = temporaryTeam();
    await withTasks(team.board);
    expect(await release(team.board)).toEqual({ ok: true, released: [] });
    const claim = ports.lock.claimForLife(team.board.layout.claim("ann"));
    await end(team.board);
    expect(await release(team.board)).toEqual({ ok: true, released: [] });
    expect(tasks(team.board)).toEqual(untouched);
    if (claim.ok) claim.release();
    expect((await release(team.board)).released).toHaveLength(2);
  });

  it("checks again under the lock: a member that was restarted meanwhile keeps its tasks", async () => {
    using team = temporaryTeam();
    await withTasks(team.board);
    await end(team.board);
    const restarted = await releaseTasksOfEnded(team.board, {
      by: "lead",
      reason() {
        const text = ports.disk.read(team.board.layout.record)?.toString("utf8") ?? "";
        writeFileSync(team.board.layout.record, text.replace(/"ended": \{[^}]*\}/, '"model": "m"'));
        return "";
      },
    });
    expect([restarted, tasks(team.board)]).toEqual([{ ok: true, released: [] }, untouched]);
  });

  it("reports the refusal and what was done before it", async () => {
    using team = temporaryTeam();
    await withTasks(team.board);
    await end(team.board);
    writeFileSync(team.board.layout.tasks, "{");
    expect(await release(team.board)).toMatchObject({ ok: false, refusal: { code: "list_damaged" }, released: [] });
  });
});
