// A lead's process in memory: how it ends decides the exit code, and everything that it opened is closed in every case.
import { describe, expect, it } from "vitest";
import { runLeadProcess } from "../../../../src/app/team/lead/lead.ts";
import { runLeadInPane } from "../../../../src/app/team/lead/lead-pane.ts";
import { operate } from "../../../../src/board/tasks/operations.ts";
import type { Display } from "../../../../src/team/display/display.ts";
import { call, replied, say } from "../../../agent/agent-kit.ts";
import { lead } from "../../../board/examples.ts";
import { eventually } from "../../../scratch.ts";
import { refusalOf } from "../../memory-world.ts";
import { aLaunch, type TeamWorldSetup, teamsRoot, teamWorld } from "../team-world.ts";

function memoryDisplay() {
  const opened: string[] = [];
  let disposed = 0;
  const display: Display = {
    kind: "plain",
    async open({ name }) {
      opened.push(name);
      throw new Error("There is no room for another pane.");
    },
    state: async () => "gone",
    lastWords: async () => "",
    label: async () => {},
    close: async () => {},
    dispose: async () => void disposed++,
  };
  return { display, opened, disposed: () => disposed };
}

function place({ launch = {}, ...setup }: TeamWorldSetup & { launch?: Parameters<typeof aLaunch>[1] } = {}) {
  const shown = memoryDisplay();
  const here = teamWorld({ ...setup, edges: { display: async () => shown.display, ...setup.edges } });
  const board = here.team();
  const run = (more: Partial<Parameters<typeof runLeadProcess>[1]> = {}) =>
    runLeadProcess(here.world, {
      launch: aLaunch("lead", launch),
      display: shown.display,
      print: () => {},
      ...more,
    });
  const result = () => JSON.parse(here.disk.files.get(`${teamsRoot}/atlas/members/lead/result.json`) ?? "null");
  return { ...here, ...shown, board, run, result };
}

const endWhenDone = { attended: false, allow: [], deny: [], leadGraceMs: 5_000, endWhenDone: true };

describe("runLeadProcess()", () => {
  it("ends with 0 once the model has nothing to do, and writes the result before it releases the name", async () => {
    const { run, result, lock, listening, disposed, work, model } = place({
      outcomes: [replied([say("There is nothing to do.")]), replied([say("Nothing.")]), replied([say("Nothing.")])],
      launch: { prompt: "Say whether there is work", options: endWhenDone },
    });
    const { code, end } = await run();
    expect([code, end.how]).toEqual([0, "nothing_to_do"]);
    expect(result()).toMatchObject({ code: 0, end: { how: "nothing_to_do" } });
    expect([[...lock.held.keys()], listening(), disposed(), work.ended]).toEqual([[], 0, 1, ["session-lead:lead"]]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Say whether there is work");
  });

  it("changes nothing itself, and has tools for tasks and teammates", async () => {
    const { run, work, model } = place({
      outcomes: [replied([say("No.")]), replied([say("No.")])],
      launch: { prompt: "?", options: endWhenDone },
    });
    await run();
    expect(work.requests[0]).toMatchObject({ readOnly: true, followsLead: false, sharedTree: true });
    const names = model.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["TaskCreate", "SpawnTeammate", "StopTeammate", "SendMessage"]));
    expect(names).not.toContain("Agent");
  });

  it("tells the model about a teammate that does not start", async () => {
    const outcomes = [
      replied([call("c1", "SpawnTeammate", { name: "cy", prompt: "Wait." })]),
      replied([say("It did not start.")]),
      replied([say("No.")]),
    ];
    const { run, opened, model } = place({ outcomes, launch: { prompt: "Start cy", options: endWhenDone } });
    await run();
    expect(opened).toContain("cy");
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("There is no room for another pane.");
  });

  it("counts a team whose tasks are all completed as done", async () => {
    const { run, board, result } = place({
      outcomes: [replied([say("Finished.")]), replied([say("Finished.")])],
      launch: { prompt: "Finish", options: endWhenDone },
    });
    await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
    await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, { name: "ann", role: "teammate" });
    await operate(
      board,
      { op: "TaskUpdate", args: { id: "task-1", status: "completed", summary: "Done." } },
      { name: "ann", role: "teammate" },
    );
    const { code, end, report } = await run();
    expect([code, end.how, report.completed]).toEqual([0, "completed", 1]);
    expect(result().code).toBe(0);
  });

  it("ends with 130 when it is interrupted, and closes everything all the same", async () => {
    const { run, signal, listening, lock, disposed } = place({ launch: { options: { ...endWhenDone, endWhenDone: false } } });
    const running = run();
    await eventually(() => listening() > 1);
    signal("SIGINT");
    expect((await running).code).toBe(130);
    expect([[...lock.held.keys()], listening(), disposed()]).toEqual([[], 0, 1]);
  });

  it("ends at once at a signal from before there was a lead", async () => {
    const { run, model } = place({ launch: { prompt: "Work", options: endWhenDone } });
    expect((await run({ interrupted: AbortSignal.abort() })).code).toBe(130);
    expect(model.requests).toEqual([]);
  });

  it("is refused while another process leads the team", async () => {
    const { run, board, lock } = place();
    lock.held.set(board.layout.claim("lead"), { kind: "elsewhere", where: "another machine" });
    expect(await refusalOf(run())).toBe("Cannot start lead of team atlas: it is running already, as a process on another machine.");
  });

  it("records its session in the team's record, so that other terminals find it", async () => {
    const { run, board } = place({
      outcomes: [replied([say("No.")]), replied([say("No.")])],
      launch: { prompt: "?", options: endWhenDone },
    });
    await run();
    const read = board.record();
    expect(read.ok && read.record.members.find(({ name }) => name === "lead")).toMatchObject({ session: "session-lead" });
  });

  it("sends piped input redacted, below what was typed", async () => {
    const { run, model } = place({
      outcomes: [replied([say("No.")]), replied([say("No.")])],
      launch: { prompt: "Look at this", options: endWhenDone },
    });
    await run({ piped: "key=s3cret" });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Look at this\\n\\nkey=[redacted]");
  });
});

describe("runLeadInPane()", () => {
  it("records a fault, but nothing of a name that another process has", async () => {
    const path = `${teamsRoot}/atlas/members/lead/launch.json`;
    const { world, disk, board, lock } = place({ files: { "/repo/.tool/settings.json": "{ nonsense" } });
    const exit = () => JSON.parse(disk.files.get(`${teamsRoot}/atlas/members/lead/exit.json`) ?? "null");
    disk.files.set(path, JSON.stringify(aLaunch("lead")));
    expect(await refusalOf(runLeadInPane(world, path))).toContain("/repo/.tool/settings.json");
    expect(exit()).toMatchObject({ reason: "fault", code: 1, nonce: "nonce-lead" });
    disk.files.delete(`${teamsRoot}/atlas/members/lead/exit.json`);
    disk.files.delete("/repo/.tool/settings.json");
    disk.files.set(path, JSON.stringify(aLaunch("lead")));
    lock.held.set(board.layout.claim("lead"), { kind: "alive", pid: 7 });
    expect(await refusalOf(runLeadInPane(world, path))).toContain("is running already, as process 7");
    expect(exit()).toBeNull();
  });
});
