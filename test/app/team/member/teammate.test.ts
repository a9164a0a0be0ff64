// A teammate's process from its launch file to its end, with files, processes and time in memory.
import { describe, expect, it } from "vitest";
import { runTeammateProcess } from "../../../../src/app/team/member/teammate.ts";
import { operate } from "../../../../src/board/tasks/operations.ts";
import { anyTool, call, done, replied, say } from "../../../agent/agent-kit.ts";
import { lead } from "../../../board/examples.ts";
import { eventually } from "../../../scratch.ts";
import { refusalOf } from "../../memory-world.ts";
import { aLaunch, type TeamWorldSetup, teamsRoot, teamWorld } from "../team-world.ts";

const launchPath = `${teamsRoot}/atlas/members/ann/launch.json`;

function place({
  launch = {},
  leadPid = 7,
  ...setup
}: TeamWorldSetup & { launch?: Parameters<typeof aLaunch>[1]; leadPid?: number | null } = {}) {
  const here = teamWorld({ living: [7], ...setup });
  const board = here.team();
  here.disk.files.set(launchPath, JSON.stringify(aLaunch("ann", launch)));
  if (leadPid !== null) here.lock.held.set(board.layout.claim("lead"), { kind: "alive", pid: leadPid });
  const exit = () => JSON.parse(here.disk.files.get(`${teamsRoot}/atlas/members/ann/exit.json`) ?? "null");
  const task = () => {
    const read = board.tasks.read();
    return read.ok ? read.list.tasks[0] : undefined;
  };
  return { ...here, board, exit, task };
}

describe("runTeammateProcess()", () => {
  it("takes a task, works on it, completes it, and ends when the lead stops it", async () => {
    const outcomes = [
      replied([call("c1", "Echo")]),
      replied([call("c2", "TaskUpdate", { id: "task-1", status: "completed", summary: "Echoed." })]),
      replied([say("Done.")]),
    ];
    const { world, board, exit, task, disk, lock, work, change, listening, model } = place({
      outcomes,
      workspace: { tools: [anyTool("Echo", () => done("echoed"))] },
    });
    expect(await operate(board, { op: "TaskCreate", args: { title: "Echo it" } }, lead)).toMatchObject({ ok: true });
    const running = runTeammateProcess(world, launchPath);
    await eventually(() => task()?.status === "completed" || undefined);
    board.send({ from: "lead", to: "ann", kind: "shutdown", text: "The lead asks you to end." });
    change();
    expect(await running).toBe(0);
    expect(task()).toMatchObject({ status: "completed", assigned_to: "ann", summary: "Echoed." });
    expect(exit()).toMatchObject({ reason: "stopped", code: 0, nonce: "nonce-ann" });
    expect([disk.files.has(launchPath), listening()]).toEqual([false, 0]);
    expect([...lock.held.keys()].filter((path) => !path.includes("/lead/"))).toEqual([]);
    expect(work.requests.map(({ owner, followsLead, readOnly }) => ({ owner, followsLead, readOnly }))).toEqual([
      { owner: "session-ann:ann", followsLead: true, readOnly: false },
    ]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Echo", "TaskList", "TaskUpdate", "SendMessage", "Agent", "RecordFailure"]),
    );
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Echo it");
  });

  it("ends with 1 and says which signal if it is ended by one", async () => {
    const { world, signal, exit, lock, listening } = place();
    const running = runTeammateProcess(world, launchPath);
    await eventually(() => [...lock.held.keys()].some((path) => path.includes("/ann")) && listening() > 1);
    signal("SIGHUP");
    expect(await running).toBe(1);
    expect(exit()).toMatchObject({ reason: "signal", detail: "SIGHUP", code: 1 });
    expect([...lock.held.keys()].filter((path) => path.includes("/ann"))).toEqual([]);
  });

  it("is refused while another process has its name, and leaves that one's files alone", async () => {
    const { world, board, lock, exit, err } = place();
    lock.held.set(board.layout.claim("ann"), { kind: "alive", pid: 99 });
    expect(await runTeammateProcess(world, launchPath)).toBe(1);
    expect([err(), exit()]).toEqual(["tool: cannot start ann of team atlas: it is running already, as process 99.\n", null]);
  });

  it("records a wrong setting as what a new start would meet again", async () => {
    const { world, exit, err } = place({ files: { "/repo/.tool/settings.json": "{ nonsense" } });
    expect(await runTeammateProcess(world, launchPath)).toBe(1);
    expect(exit()).toMatchObject({ reason: "fault", cause: "configuration", code: 1 });
    expect(err()).toContain("/repo/.tool/settings.json");
  });

  it("records another fault without a cause, so that it is started again", async () => {
    const { world, exit } = place({
      edges: {
        model: async () => {
          throw new Error("The model is broken.");
        },
      },
    });
    expect(await runTeammateProcess(world, launchPath)).toBe(1);
    expect(exit()).toMatchObject({ reason: "fault", detail: "The model is broken." });
    expect(exit()).not.toHaveProperty("cause");
  });

  it("needs its launch file", async () => {
    const { world } = teamWorld();
    expect(await refusalOf(runTeammateProcess(world, "/nowhere/launch.json"))).toBe(
      "Cannot start from /nowhere/launch.json: there is no such file. Members are started by tool team only.",
    );
  });

  it("works in its own worktree, whose repository only the harness changes", async () => {
    const trees = { folderOf: () => "/repo-team-1/ann", branchOf: () => "tool/team-1/ann" };
    const { world, work, lock, listening, signal } = place({
      launch: { worktrees: { id: "1", root: "/repo", base: "abc" } },
      edges: { teamTrees: async () => trees as never },
    });
    const running = runTeammateProcess(world, launchPath);
    await eventually(() => [...lock.held.keys()].some((path) => path.includes("/ann")) && listening() > 1);
    signal();
    await running;
    expect(work.requests[0]).toMatchObject({ cwd: "/repo-team-1/ann", repositoryFixed: true, apartFrom: "/repo" });
  });
});
