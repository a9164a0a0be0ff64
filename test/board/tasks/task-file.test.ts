// tasks.json on a real disk: what is written, what survives damage, and that no id is used twice.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, openBoard } from "../../../src/board/board.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import type { Actor, Task } from "../../../src/board/tasks/task.ts";
import { failing } from "../../failing-calls.ts";
import { ann, bo, lead, now, task } from "../examples.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

const path = (folder: string, name = "tasks.json") => `${folder}/${name}`;
const text = (folder: string, name?: string) => readFileSync(path(folder, name), "utf8");
const json = (folder: string, name?: string) => JSON.parse(text(folder, name));

const create = (board: Board, title = "x") => operate(board, { op: "TaskCreate", args: { title } }, lead);
const update = (board: Board, args: Record<string, unknown>, actor: Actor) => operate(board, { op: "TaskUpdate", args }, actor);
/** The error's code or the task's id. */
const short = (reply: Awaited<ReturnType<typeof operate>>) => (reply.ok ? ("task" in reply ? reply.task.id : "ok") : reply.error.code);

function hold(folder: string, tasks: Task[], others: Record<string, unknown> = {}): void {
  writeFileSync(path(folder), JSON.stringify({ version: 1, revision: 1, next_id: 100, tasks, ...others }));
}

describe("a change", () => {
  it("raises the revision, keeps the previous version, logs the event, and is durable", async () => {
    using team = temporaryTeam({ clock: { now: () => new Date(now), random: Math.random } });
    await create(team.board, "first");
    const before = text(team.folder);
    await update(team.board, { id: "task-1", status: "in_progress" }, ann);
    expect(json(team.folder)).toEqual({
      version: 1,
      revision: 2,
      next_id: 2,
      tasks: [task({ id: "task-1", title: "first", status: "in_progress", assigned_to: "ann" })],
    });
    expect(text(team.folder, "tasks.json.prev")).toBe(before);
    expect(team.board.follow().next().slice(1)).toEqual([
      { kind: "task_created", at: now, by: "lead", revision: 1, task: "task-1", title: "first", assigned_to: null, dependencies: [] },
      { kind: "task_claimed", at: now, by: "ann", revision: 2, task: "task-1", title: "first", assigned_to: "ann" },
    ]);
  });

  it("leaves no trace if it changes nothing or is refused", async () => {
    using team = temporaryTeam();
    await create(team.board);
    await update(team.board, { id: "task-1", status: "in_progress" }, ann);
    const before = [
      text(team.folder),
      text(team.folder, "tasks.json.prev"),
      text(team.folder, "log/events.jsonl"),
      statSync(path(team.folder)).ino,
    ];
    expect(short(await update(team.board, { id: "task-1", status: "in_progress" }, ann))).toBe("task-1");
    expect(short(await update(team.board, { id: "task-1", status: "in_progress" }, bo))).toBe("already_claimed");
    const after = [
      text(team.folder),
      text(team.folder, "tasks.json.prev"),
      text(team.folder, "log/events.jsonl"),
      statSync(path(team.folder)).ino,
    ];
    expect(after).toEqual(before);
  });

  it("keeps keys that this version does not know, of the list and of tasks", async () => {
    using team = temporaryTeam();
    hold(team.folder, [task({ id: "task-1", estimate: { hours: 3 } })], { sprint: "S1" });
    await update(team.board, { id: "task-1", status: "in_progress" }, ann);
    expect(json(team.folder)).toMatchObject({ sprint: "S1", tasks: [{ estimate: { hours: 3 }, status: "in_progress" }] });
  });

  it("works on a list with a manually added cycle, which stalls and can be repaired", async () => {
    using team = temporaryTeam();
    hold(team.folder, [task({ id: "task-1", dependencies: ["task-2"] }), task({ id: "task-2", dependencies: ["task-1"] })]);
    expect(short(await update(team.board, { id: "task-1", status: "in_progress" }, ann))).toBe("dependency_incomplete");
    expect(short(await update(team.board, { id: "task-1", dependencies: [] }, lead))).toBe("task-1");
    expect(short(await update(team.board, { id: "task-1", status: "in_progress" }, ann))).toBe("task-1");
  });

  it("creates files that only their owner can read", async () => {
    using team = temporaryTeam();
    await create(team.board);
    const modes = ["tasks.json", "team.json", "log/events.jsonl"].map((name) => statSync(path(team.folder, name)).mode & 0o777);
    const folders = [".", "lock", "log", "mailbox/ann/new", "members/ann", "requests"].map(
      (name) => statSync(path(team.folder, name)).mode & 0o777,
    );
    expect({ modes, folders }).toEqual({ modes: [0o600, 0o600, 0o600], folders: Array(6).fill(0o700) });
  });

  it("continues after its log was deleted, folder included", async () => {
    using team = temporaryTeam();
    rmSync(`${team.folder}/log`, { recursive: true });
    expect(short(await create(team.board))).toBe("task-1");
    expect(team.board.follow().next()).toMatchObject([{ kind: "task_created", task: "task-1" }]);
  });
});

describe("ids", () => {
  it("are never reused, however the counter was lost", async () => {
    using team = temporaryTeam();
    for (const title of ["a", "b", "c"]) await create(team.board, title);
    hold(team.folder, [task({ id: "task-1" })], { next_id: 1 });
    expect(short(await create(team.board))).toBe("task-4");
    hold(team.folder, [], { next_id: 1 });
    expect(short(await create(team.board))).toBe("task-5");
    rmSync(`${team.folder}/log/events.jsonl`);
    hold(team.folder, [task({ id: "task-41" })], { next_id: 2 });
    expect(short(await create(team.board))).toBe("task-42");
    hold(team.folder, [], { next_id: 90 });
    expect(short(await create(team.board))).toBe("task-90");
  });

  it("are not reused after a creation that was logged but never written", async () => {
    using team = temporaryTeam();
    await create(team.board);
    const event = { kind: "task_created", at: now, by: "lead", revision: 2, task: "task-2", title: "torn", assigned_to: null };
    appendFileSync(`${team.folder}/log/events.jsonl`, `\n${JSON.stringify(event)}\n\n{"kind":"task_created","task":"ta`);
    expect(short(await create(team.board, "real"))).toBe("task-3");
    const titles = team.board
      .follow()
      .next()
      .flatMap((logged) => ("title" in logged ? logged.title : []));
    expect(titles).toEqual(["x", "real"]);
  });

  it("of any size do not break the counter", async () => {
    using team = temporaryTeam();
    hold(team.folder, [task({ id: "task-99999999999999999999" }), task({ id: "task-0007" })], { next_id: 3 });
    expect(short(await create(team.board))).toBe("task-8");
  });
});

describe("a damaged list", () => {
  const whole = JSON.stringify({ version: 1, revision: 7, next_id: 3, tasks: [task({ id: "task-1" }), task({ id: "task-2" })] }, null, 2);
  const damages: [name: string, bytes: string | Buffer | undefined, found: string][] = [
    ["truncated", whole.slice(0, whole.length / 2), "is not JSON"],
    ["emptied", "", "is empty"],
    ["missing", undefined, "is missing"],
    ["of zeros", Buffer.alloc(512), "is not JSON"],
    [
      "not UTF-8",
      Buffer.from(whole.replace("Title", "T\xfftle"), "latin1"),
      "is not JSON (The encoded data was not valid for encoding utf-8)",
    ],
    ["with an id twice", whole.replace('"id": "task-2"', '"id": "task-1"'), "has the id task-1 twice"],
    ["with a status of its own", whole.replace('"open"', '"done"'), 'is not a task list ("tasks.0.status" must be one of '],
    ["without its counter", whole.replace('"next_id": 3,', ""), 'is not a task list ("next_id" is missing)'],
    ["of a later version", whole.replace('"version": 1', '"version": 2'), 'is not a task list ("version" must be 1)'],
    ["a list", "[]", "is not a task list ("],
  ];

  it.each(damages)("that is %s is refused everywhere and kept unchanged", async (_name, bytes, found) => {
    using team = temporaryTeam();
    await create(team.board);
    await create(team.board);
    if (bytes === undefined) rmSync(path(team.folder));
    else writeFileSync(path(team.folder), bytes);
    const log = text(team.folder, "log/events.jsonl");
    const replies = [
      await create(team.board),
      await update(team.board, { id: "task-1", status: "in_progress" }, ann),
      await operate(team.board, { op: "TaskList" }, ann),
      await operate(team.board, { op: "TaskGet", args: { id: "task-1" } }, ann),
    ];
    for (const reply of replies) {
      expect(short(reply)).toBe("list_damaged");
      const message = reply.ok ? "" : reply.error.message;
      expect(message.startsWith(`Cannot read the task list: ${path(team.folder)} ${found}`)).toBe(true);
      expect(message.endsWith("The file is kept; restore the version before it with: tool team task restore --team atlas")).toBe(true);
    }
    expect(bytes === undefined ? existsSync(path(team.folder)) : readFileSync(path(team.folder)).equals(Buffer.from(bytes))).toBe(
      bytes !== undefined,
    );
    expect(text(team.folder, "log/events.jsonl")).toBe(log);
  });

  it("can be restored from the previous version each time", async () => {
    using team = temporaryTeam();
    await create(team.board, "first");
    await create(team.board, "second");
    writeFileSync(path(team.folder), "garbage");
    const restored = await team.board.tasks.restore("user");
    expect(restored).toMatchObject({
      ok: true,
      damaged: path(team.folder, "tasks.json.damaged-1"),
      undone: [{ kind: "task_created", title: "second" }],
    });
    expect(json(team.folder)).toMatchObject({ revision: 3, next_id: 3, tasks: [{ id: "task-1", title: "first" }] });
    expect(text(team.folder, "tasks.json.damaged-1")).toBe("garbage");
    expect(short(await create(team.board, "third"))).toBe("task-3");
    writeFileSync(path(team.folder), "");
    expect(await team.board.tasks.restore("user")).toMatchObject({ ok: true, damaged: path(team.folder, "tasks.json.damaged-2") });
    rmSync(path(team.folder));
    expect(await team.board.tasks.restore("user")).toMatchObject({ ok: true, damaged: undefined });
    expect(text(team.folder, "tasks.json.damaged-2")).toBe("");
    const log = team.board
      .follow()
      .next()
      .map(({ kind }) => kind);
    expect(log).toEqual([
      "team_created",
      "task_created",
      "task_created",
      "list_restored",
      "task_created",
      "list_restored",
      "list_restored",
    ]);
  });

  it("is not restored if it is intact, or if the previous version is damaged too", async () => {
    using team = temporaryTeam();
    await create(team.board);
    await create(team.board);
    const before = text(team.folder);
    expect(await team.board.tasks.restore("user")).toMatchObject({ ok: false, code: "bad_request" });
    expect(text(team.folder)).toBe(before);
    writeFileSync(path(team.folder), "garbage");
    writeFileSync(path(team.folder, "tasks.json.prev"), "rubbish");
    const refused = await team.board.tasks.restore("user");
    expect(refused).toMatchObject({ ok: false, code: "list_damaged" });
    expect(refused.ok ? "" : refused.reason).toContain(`${path(team.folder, "tasks.json.prev")} is not JSON`);
    expect([text(team.folder), text(team.folder, "tasks.json.prev")]).toEqual(["garbage", "rubbish"]);
  });
});

describe("a disk that refuses", () => {
  const refusing = (call: "append" | "replace", code: string): (typeof ports)["disk"] => ({
    ...ports.disk,
    [call]: () => {
      throw Object.assign(new Error(`${code}: no`), { code });
    },
  });

  it.each([
    ["append", "ENOSPC", "the disk is full. It is unchanged. Make room there"],
    ["append", "EROFS", "the file system is read-only. It is unchanged. Make it writable, or choose another place"],
    ["replace", "Unknown system error -122", "the disk quota is used up. It is unchanged. Make room there"],
    ["replace", "EACCES", "permission denied. It is unchanged. Give yourself the permission, or choose another place"],
  ] as const)("in %s with %s leaves the old list, and the next change is complete", async (call, code, sentence) => {
    using team = temporaryTeam({ disk: refusing(call, code) });
    const before = text(team.folder);
    const reply = await create(team.board);
    expect(short(reply)).toBe("write_failed");
    expect(reply.ok ? "" : reply.error.message).toBe(`Cannot change the task list ${path(team.folder)}: ${sentence}`);
    expect(text(team.folder)).toBe(before);
    expect((await create(openBoard(ports, team.folder), "later")).ok).toBe(true);
    expect(json(team.folder)).toMatchObject({ revision: 1, tasks: [{ title: "later" }] });
    const logged = team.board.follow().next();
    expect(logged.flatMap((event) => ("title" in event ? event.title : []))).toEqual(["later"]);
  });

  it("to read the list for a moment does not call it damaged, and restores no earlier version over it", async () => {
    using team = temporaryTeam();
    await create(team.board, "first");
    await create(team.board, "acknowledged");
    const before = text(team.folder);
    const broken = failing("openSync", { code: "EMFILE", when: (opened) => opened === path(team.folder) });
    const sentence = `the task list ${path(team.folder)}: this process has too many files open`;
    expect(team.board.tasks.read()).toMatchObject({
      ok: false,
      code: "write_failed",
      reason: expect.stringContaining(`Cannot read ${sentence}`),
    });
    for (const refused of [await team.board.tasks.restore("user"), await team.board.tasks.change(() => undefined)])
      expect(refused).toMatchObject({ ok: false, code: "write_failed", reason: expect.stringContaining(`Cannot change ${sentence}`) });
    broken.mend();
    expect(text(team.folder)).toBe(before);
    expect(short(await create(team.board))).toBe("task-3");
  });

  it("and a held lock have their own codes", async () => {
    const timeout = Object.assign(new Error('Cannot lock "x" within 10 s: process 7 holds it'), { name: "LockTimeout" });
    using held = temporaryTeam({ lock: { ...ports.lock, withLock: () => Promise.reject(timeout) } });
    expect(await create(held.board)).toEqual({ ok: false, error: { code: "lock_timeout", message: timeout.message } });
    const full = Object.assign(new Error("ENOSPC: no"), { code: "ENOSPC" });
    using noRoom = temporaryTeam({ lock: { ...ports.lock, withLock: () => Promise.reject(full) } });
    expect(short(await create(noRoom.board))).toBe("write_failed");
    const fault = new TypeError("a fault of ours");
    using broken = temporaryTeam({ lock: { ...ports.lock, withLock: () => Promise.reject(fault) } });
    await expect(create(broken.board)).rejects.toBe(fault);
  });
});

describe("many at once", () => {
  it("never lose a change: forty creations and claims from one process", async () => {
    using team = temporaryTeam();
    const created = await Promise.all(Array.from({ length: 20 }, () => create(team.board)));
    expect(created.map(short).sort()).toEqual(Array.from({ length: 20 }, (_, index) => `task-${index + 1}`).sort());
    const claims = await Promise.all(
      [ann, bo].flatMap((actor) => created.map((reply) => update(team.board, { id: short(reply), status: "in_progress" }, actor))),
    );
    expect(claims.filter((reply) => reply.ok)).toHaveLength(2);
    expect(json(team.folder)).toMatchObject({ revision: 22, next_id: 21 });
    expect(readdirSync(team.folder).sort()).toEqual([
      "lock",
      "log",
      "mailbox",
      "members",
      "requests",
      "tasks.json",
      "tasks.json.prev",
      "team.json",
    ]);
  });
});
