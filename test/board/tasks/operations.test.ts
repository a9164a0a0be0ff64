// Requests as they arrive, and the replies that any program receives.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openBoard } from "../../../src/board/board.ts";
import { operate, perform } from "../../../src/board/tasks/operations.ts";
import { changeMember } from "../../../src/board/team-record.ts";
import { ann, lead, now, task } from "../examples.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

describe("operate()", () => {
  it.each<[request: unknown, code: string, message: string]>([
    [null, "bad_request", 'Cannot read the request: it must be an object like {"op":"TaskList","args":{}}'],
    [[], "bad_request", 'Cannot read the request: it must be an object like {"op":"TaskList","args":{}}'],
    ["TaskList", "bad_request", 'Cannot read the request: it must be an object like {"op":"TaskList","args":{}}'],
    [
      {},
      "bad_request",
      "Cannot run a request without op: the operations are TaskCreate, TaskUpdate, TaskGet, TaskList, SendMessage, Inbox",
    ],
    [
      { op: "constructor" },
      "bad_request",
      'Cannot run "constructor": the operations are TaskCreate, TaskUpdate, TaskGet, TaskList, SendMessage, Inbox',
    ],
    [
      { op: ["TaskList"] },
      "bad_request",
      'Cannot run ["TaskList"]: the operations are TaskCreate, TaskUpdate, TaskGet, TaskList, SendMessage, Inbox',
    ],
    [{ op: "TaskGet", id: "task-1" }, "unknown_field", 'Cannot run TaskGet: "id" is not part of a request; it has "op" and "args"'],
    [{ op: "TaskList", args: [] }, "bad_request", 'Cannot run TaskList: its "args" must be an object, and [] was found'],
    [{ op: "TaskGet", args: { id: "task-9" } }, "not_found", 'Cannot get "task-9": there is no such task. The list is empty.'],
    [
      { op: "TaskUpdate", args: { id: "task-9", status: "blocked" } },
      "not_found",
      'Cannot change "task-9": there is no such task. The list is empty.',
    ],
  ])("answers %j with %s", async (request, code, message) => {
    using team = temporaryTeam();
    expect(await operate(team.board, request, ann)).toEqual({ ok: false, error: { code, message } });
  });

  it("creates, shows and lists whole tasks", async () => {
    using team = temporaryTeam({ clock: { now: () => new Date(now), random: Math.random } });
    const one = task({ id: "task-1", title: "Parse dates", description: "ISO" });
    const args = { title: "Parse dates", description: "ISO" };
    expect(await operate(team.board, { op: "TaskCreate", args }, lead)).toEqual({ ok: true, task: one });
    expect(await operate(team.board, { op: "TaskGet", args: { id: "task-1" } }, ann)).toEqual({ ok: true, task: one });
    expect(await operate(team.board, { op: "TaskList" }, ann)).toEqual({ ok: true, tasks: [one] });
  });

  it("recognizes members that join while it runs", async () => {
    using team = temporaryTeam();
    const assign = () => operate(team.board, { op: "TaskCreate", args: { title: "x", assignee: "cy" } }, lead);
    expect(await assign()).toMatchObject({ error: { code: "unknown_agent" } });
    const record = JSON.parse(ports.disk.read(team.board.layout.record)?.toString() ?? "");
    writeFileSync(team.board.layout.record, JSON.stringify({ ...record, members: [...record.members, { name: "cy", role: "teammate" }] }));
    expect(await assign()).toMatchObject({ ok: true, task: { assigned_to: "cy" } });
  });

  it("notices that a member ended while it waited for the lock", async () => {
    using team = temporaryTeam({ lock: { ...ports.lock, withLock: afterEndOfAnn } });
    const outside = openBoard(ports, team.folder);
    function afterEndOfAnn<T>(folder: string, work: () => T): Promise<T> {
      const ended = { how: "its pane was closed", at: now };
      return outside.changeRecord((record) => changeMember(record, "ann", { ended })).then(() => ports.lock.withLock(folder, work));
    }
    const reply = await operate(team.board, { op: "TaskCreate", args: { title: "x", assignee: "ann" } }, lead);
    expect(reply).toMatchObject({
      error: {
        code: "unknown_agent",
        message:
          'Cannot create the task: "ann" is not a teammate of this team now. The teammates are bo. Spawn a new one first, then name it.',
      },
    });
  });

  it("names a damaged record", async () => {
    using team = temporaryTeam();
    writeFileSync(team.board.layout.record, "{");
    const reply = await operate(team.board, { op: "TaskCreate", args: { title: "x" } }, lead);
    expect(reply).toMatchObject({
      error: { code: "list_damaged", message: expect.stringContaining(`Cannot read the team record ${team.folder}/team.json: `) },
    });
  });

  it("tells the lead about a block, and keeps the newest reason", async () => {
    using team = temporaryTeam();
    const update = (args: object) => operate(team.board, { op: "TaskUpdate", args: { id: "task-1", ...args } }, ann);
    await operate(team.board, { op: "TaskCreate", args: { title: "Parse dates" } }, lead);
    await update({ status: "in_progress" });
    await update({ status: "blocked", reason: "which format?" });
    expect(await update({ reason: "which format, and which zone?" })).toMatchObject({
      ok: true,
      task: { status: "blocked", blocked_reason: "which format, and which zone?" },
    });
    const inbox = await operate(team.board, { op: "Inbox" }, lead);
    expect("messages" in inbox && inbox.messages.map(({ from, kind, text }) => ({ from, kind, text }))).toEqual([
      {
        from: "ann",
        kind: "task_notice",
        text: "task-1 (Parse dates) is blocked: which format? It is still assigned to ann.",
      },
      {
        from: "ann",
        kind: "task_notice",
        text: "task-1 (Parse dates) is blocked: which format, and which zone? It is still assigned to ann.",
      },
    ]);
  });

  it("sets aside a FIFO in a mailbox instead of waiting for it", async () => {
    using team = temporaryTeam();
    execFileSync("mkfifo", [`${team.board.layout.mailbox("ann")}/new/a.json`]);
    expect(await operate(team.board, { op: "Inbox" }, ann)).toMatchObject({
      ok: true,
      messages: [],
      unreadable: [{ reason: expect.stringContaining("not a file") }],
    });
  });

  it("names the first few of many open dependencies", async () => {
    using team = temporaryTeam();
    for (let n = 1; n <= 12; n++) await operate(team.board, { op: "TaskCreate", args: { title: `t${n}` } }, lead);
    const dependencies = Array.from({ length: 12 }, (_, n) => `task-${n + 1}`);
    await operate(team.board, { op: "TaskCreate", args: { title: "last", dependencies } }, lead);
    const reply = await operate(team.board, { op: "TaskUpdate", args: { id: "task-13", status: "in_progress" } }, ann);
    expect(reply).toMatchObject({
      error: { code: "dependency_incomplete", message: expect.stringMatching(/"task-10" is still open and 2 more$/) },
    });
  });
});

describe("perform()", () => {
  it("answers what operate() answers to the same arguments", async () => {
    using team = temporaryTeam();
    const unknown = await perform(team.board, { op: "SendMessage", args: { to: "nobody", text: "x" } }, ann);
    expect(unknown).toEqual(await operate(team.board, { op: "SendMessage", args: { to: "nobody", text: "x" } }, ann));
    expect(unknown).toMatchObject({ ok: false, error: { code: "unknown_agent" } });
    expect(await perform(team.board, { op: "TaskList", args: {} }, ann)).toEqual({ ok: true, tasks: [] });
  });

  it("says what the disk refused", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    using team = temporaryTeam();
    const board = {
      ...team.board,
      tasks: {
        ...team.board.tasks,
        read: () => {
          throw full;
        },
      },
    };
    expect(await perform(board, { op: "TaskGet", args: { id: "task-1" } }, lead)).toEqual({
      ok: false,
      error: { code: "write_failed", message: "Cannot run TaskGet: the disk is full. Nothing was done. Make room there" },
    });
  });
});
