// Kills a process at each of its steps on the board: the list is the old one or the new one, a message is there once or not at all, and the
// next process continues immediately.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBoard } from "../../src/board/board.ts";
import { operate } from "../../src/board/tasks/operations.ts";
import type { TaskList } from "../../src/board/tasks/task.ts";
import { changeMember } from "../../src/board/team-record.ts";
import { createEndedMembers } from "../../src/team/lead/ended-members.ts";
import { ann, bo, lead } from "../board/examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../board/temporary-team.ts";

type Request = { op: string; args: Record<string, unknown> };
type Run = { killed: boolean; reply: unknown };

const worker = join(import.meta.dirname, "../../dist/test/board-worker.js");

function run(folder: string, agent: string, { request, step }: { request: Request; step: number }): Promise<Run> {
  const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [worker, folder, agent, JSON.stringify(request), String(step)], { env }, (error, stdout, stderr) => {
      if (error && error.signal !== "SIGKILL") return reject(new Error(`${error.message}\n${stderr}`));
      resolve({ killed: error !== null, reply: stdout === "" ? undefined : JSON.parse(stdout) });
    });
  });
}

/** Runs the request in a new team for each step, until a step is past its end. Returns the number of steps. */
async function atEachStep(
  agent: string,
  request: (team: TemporaryTeam) => Promise<Request>,
  check: (team: TemporaryTeam, run: Run) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step++) {
    using team = temporaryTeam();
    const result = await run(team.folder, agent, { request: await request(team), step });
    await check(team, result);
    if (!result.killed) return step - 1;
  }
}

const list = ({ folder }: TemporaryTeam): TaskList => JSON.parse(readFileSync(`${folder}/tasks.json`, "utf8"));
const as = (team: TemporaryTeam, request: Request, actor = lead) => operate(openBoard(ports, team.folder), request, actor);

function raise(problem: string): never {
  throw new Error(problem);
}

/** The log has each revision once, up to the newest. */
function expectLogged(team: TemporaryTeam): void {
  const revisions = openBoard(ports, team.folder).follow().next();
  const logged = revisions.flatMap((event) => ("revision" in event ? event.revision : []));
  expect(logged).toEqual(Array.from({ length: list(team).revision }, (_, index) => index + 1));
}

describe("a process killed at every step", () => {
  it("while creating leaves no task or a complete one, and its id is not used for another", async () => {
    const create = { op: "TaskCreate", args: { title: "first" } };
    const steps = await atEachStep(
      "lead",
      async () => create,
      async (team, { killed }) => {
        const before = list(team).tasks;
        expect(before.length).toBeLessThanOrEqual(1);
        if (!killed) expect(before).toHaveLength(1);
        const next = await as(team, { op: "TaskCreate", args: { title: "second" } });
        expect(next.ok).toBe(true);
        const { tasks, revision } = list(team);
        expect(tasks.map(({ title }) => title)).toEqual([...before.map(({ title }) => title), "second"]);
        expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
        expect(revision).toBe(tasks.length);
        expectLogged(team);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  it("while claiming leaves it open or claimed, never half", async () => {
    const steps = await atEachStep(
      "ann",
      async (team) => {
        await as(team, { op: "TaskCreate", args: { title: "first" } });
        return { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } };
      },
      async (team, { killed }) => {
        const [found] = list(team).tasks;
        const claimed = found?.status === "in_progress" && found.assigned_to === "ann";
        expect(claimed || (found?.status === "open" && found.assigned_to === null && killed)).toBe(true);
        const second = await as(team, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, bo);
        expect(second.ok ? "ok" : second.error.code).toBe(claimed ? "already_claimed" : "ok");
        expectLogged(team);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(5);
  });

  it("while blocking leaves a lead that is told once, if the task is blocked", async () => {
    const steps = await atEachStep(
      "ann",
      async (team) => {
        await as(team, { op: "TaskCreate", args: { title: "first" } });
        await as(team, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
        return { op: "TaskUpdate", args: { id: "task-1", status: "blocked", reason: "which format?" } };
      },
      async (team, { killed }) => {
        const isBlocked = list(team).tasks[0]?.status === "blocked";
        if (!killed) expect(isBlocked).toBe(true);
        const inbox = await as(team, { op: "Inbox", args: {} });
        const notices = "messages" in inbox ? inbox.messages : [];
        expect(notices.map(({ from, text }) => [from, text])).toEqual(
          isBlocked ? [["ann", "task-1 (first) is blocked: which format? It is still assigned to ann."]] : [],
        );
        // A message that was read and acknowledged does not appear again.
        const later = await as(team, { op: "Inbox", args: { ack: notices.map(({ id }) => id) } });
        expect(later).toEqual({ ok: true, messages: [] });
      },
    );
    expect(steps).toBeGreaterThanOrEqual(18);
  });

  it("while recording an end leaves a task that the next look blocks, once, and a lead that is told", async () => {
    const end = { name: "ann", how: "its process died", at: "2026-01-02T03:04:05.000Z", tellLead: true };
    const steps = await atEachStep(
      "lead",
      async (team) => {
        for (const assignee of [null, "ann"]) await as(team, { op: "TaskCreate", args: { title: "x", assignee } });
        await as(team, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
        return { op: "MemberEnded", args: end };
      },
      async (team, { killed, reply }) => {
        const board = openBoard(ports, team.folder);
        const read = board.record();
        const wasRecorded = read.ok && read.record.members.some(({ ended }) => ended);
        // The process that looks after the team next: it learns of the end from the record, or finds it again.
        const next = createEndedMembers({ board, touched: () => ["half.txt"], onProblem: raise, tellLead: () => {} });
        await (wasRecorded ? next.reconcile() : next.add({ ...end, how: "found dead" }));
        const how = wasRecorded ? end.how : "found dead";
        expect(list(team).tasks.map(({ status, assigned_to, blocked_reason }) => [status, assigned_to, blocked_reason])).toEqual([
          ["blocked", "ann", `ann is gone: ${how}; files touched: half.txt`],
          ["open", null, undefined],
        ]);
        const blocks = board.follow().next();
        expect(blocks.filter(({ kind }) => kind === "task_blocked")).toHaveLength(1);
        expectLogged(team);
        if (!killed) expect(reply).toEqual([expect.stringMatching(/^ann is gone: its process died\. Its task task-1 is blocked; /)]);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(18);
  });

  it("while changing the team's record beside another process leaves it whole, with the other's change", async () => {
    const change = (name: string, model: string) => ({ op: "MemberChanged", args: { name, model } });
    let other: Promise<Run> | undefined;
    const steps = await atEachStep(
      "lead",
      async (team) => {
        other = run(team.folder, "lead", { request: change("bo", "theirs"), step: 0 });
        return change("ann", "ours");
      },
      async (team, { killed }) => {
        expect(await other).toEqual({ killed: false, reply: true });
        const after = await openBoard(ports, team.folder).changeRecord((record) => changeMember(record, "lead", { model: "last" }));
        const models = after.ok ? after.record.members.map(({ name, model }) => [name, model]) : [];
        const ours = models.find(([name]) => name === "ann")?.[1];
        expect(models).toEqual([
          ["lead", "last"],
          ["ann", killed ? ours : "ours"],
          ["bo", "theirs"],
        ]);
        expect([undefined, "ours"]).toContain(ours);
        expect(readdirSync(team.folder).filter((name) => name.includes("team.json"))).toEqual(["team.json"]);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(4);
  });

  it("while sending leaves one message or none, and reports success only if it exists", async () => {
    const steps = await atEachStep(
      "ann",
      async () => ({ op: "SendMessage", args: { to: "bo", text: "once" } }),
      async (team, { killed }) => {
        const arrived = openBoard(ports, team.folder).mailbox("bo").peek();
        expect(arrived.length).toBeLessThanOrEqual(1);
        if (!killed) expect(arrived).toHaveLength(1);
        await as(team, { op: "SendMessage", args: { to: "bo", text: "later" } }, ann);
        const inbox = await as(team, { op: "Inbox", args: {} }, bo);
        expect("messages" in inbox ? inbox.messages.map(({ text }) => text) : []).toEqual([...arrived.map(({ text }) => text), "later"]);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(4);
  });

  it("while reading or acknowledging keeps every message in one place, and shows it until it is acknowledged", async () => {
    let ids: string[] = [];
    const steps = await atEachStep(
      "bo",
      async (team) => {
        for (const text of ["1", "2", "3"]) await operate(team.board, { op: "SendMessage", args: { to: "bo", text } }, ann);
        const shown = await as(team, { op: "Inbox", args: {} }, bo);
        ids = "messages" in shown ? shown.messages.map(({ id }) => id) : [];
        await operate(team.board, { op: "SendMessage", args: { to: "bo", text: "4" } }, ann);
        return { op: "Inbox", args: { ack: ids.slice(0, 2) } };
      },
      async (team) => {
        const files = ["new", "cur", "done"].map((place) => readdirSync(`${team.folder}/mailbox/bo/${place}`));
        expect(new Set(files.flat()).size).toBe(4);
        expect(files.flat()).toHaveLength(4);
        const after = await as(team, { op: "Inbox", args: { ack: ids.slice(0, 2) } }, bo);
        expect("messages" in after ? after.messages.map(({ text }) => text) : []).toEqual(["3", "4"]);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(14);
  });
});
