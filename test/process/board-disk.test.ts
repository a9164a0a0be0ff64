// A full disk and a read-only one, both real.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBoard } from "../../src/board/board.ts";
import { createTeam } from "../../src/board/create-team.ts";
import { operate } from "../../src/board/tasks/operations.ts";
import { ann, lead } from "../board/examples.ts";
import { ports } from "../board/temporary-team.ts";
import { lacks } from "../needs.ts";
import { fill, smallDisk } from "../scratch.ts";

describe.skipIf(await lacks("a file system of its own"))("a small disk", () => {
  it("that is full refuses changes and messages, keeps everything, and continues when there is space", async () => {
    const small = smallTeam();
    const board = openBoard(ports, small.team);
    const create = () => operate(board, { op: "TaskCreate", args: { title: "x", description: "d".repeat(2_000) } }, lead);
    const send = () => operate(board, { op: "SendMessage", args: { to: "ann", text: "m".repeat(2_000) } }, lead);
    expect([(await create()).ok, (await send()).ok]).toEqual([true, true]);
    const makeRoom = fill(small.folder);
    const before = readFileSync(`${small.team}/tasks.json`);
    const refused = [
      await create(),
      await send(),
      await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann),
    ];
    expect(refused.map((reply) => (reply.ok ? "ok" : reply.error.code))).toEqual(["write_failed", "write_failed", "write_failed"]);
    for (const reply of refused) expect(reply.ok ? "" : reply.error.message).toContain("the disk is full");
    expect(readFileSync(`${small.team}/tasks.json`).equals(before)).toBe(true);
    expect(board.mailbox("ann").peek()).toHaveLength(1);
    expect(readdirSync(`${small.team}/mailbox/ann/tmp`)).toEqual([]);
    makeRoom();
    expect([(await create()).ok, (await send()).ok]).toEqual([true, true]);
    expect(board.tasks.read()).toMatchObject({ list: { revision: 2, tasks: [{ id: "task-1" }, {}] } });
  });

  it("that is read-only refuses changes and messages, and can be read", async () => {
    const small = smallTeam();
    const board = openBoard(ports, small.team);
    await operate(board, { op: "TaskCreate", args: { title: "x" } }, lead);
    small.remount("ro");
    const update = { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } };
    const refused = [await operate(board, update, ann), await operate(board, { op: "SendMessage", args: { to: "ann", text: "x" } }, lead)];
    expect(refused.map((reply) => (reply.ok ? "ok" : reply.error.code))).toEqual(["write_failed", "write_failed"]);
    for (const reply of refused) expect(reply.ok ? "" : reply.error.message).toContain("the file system is read-only");
    expect(await operate(board, { op: "TaskList" }, ann)).toMatchObject({ ok: true, tasks: [{ id: "task-1", status: "open" }] });
    expect(await operate(board, { op: "Inbox" }, ann)).toEqual({ ok: true, messages: [] });
    small.remount("rw");
    expect((await operate(board, update, ann)).ok).toBe(true);
  });
});

function smallTeam(): { folder: string; team: string; remount: (access: "ro" | "rw") => void } {
  const disk = smallDisk("size=256k,mode=700");
  const team = join(disk.folder, "atlas");
  createTeam(ports, team, { name: "atlas", cwd: "/repo", members: ["lead", "ann"] });
  return { ...disk, team };
}
