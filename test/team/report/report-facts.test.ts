// Facts for the report page that are derived from a team's report: its changed files, its questions, and a copy with other texts.
import { expect, it } from "vitest";
import { clock } from "../../../src/edge/clock.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { filesOf, reportFacts, withTexts } from "../../../src/team/report/report-facts.ts";
import { teamRequests } from "../../../src/team/requests.ts";
import { temporaryTeam } from "../../board/temporary-team.ts";
import { aReport, aTask, factsOf } from "../../screen/report-page/facts.ts";

it("lists each changed file once, by path, with the tasks and agents that wrote it", () => {
  const tasks = [
    aTask({ id: "task-1", assigned_to: "ada", changes: [{ path: "b.ts", added: 3, removed: 1 }] }),
    aTask({
      id: "task-2",
      assigned_to: "bo",
      changes: [
        { path: "b.ts", added: 2, removed: 0 },
        { path: "a.ts", added: 1, removed: 1 },
      ],
    }),
    aTask({ id: "task-3", assigned_to: "bo", changes: [{ path: "b.ts", added: 1, removed: 1 }] }),
  ];
  expect(filesOf({ tasks })).toEqual([
    { path: "a.ts", tasks: ["task-2"], agents: ["bo"], added: 1, removed: 1 },
    { path: "b.ts", tasks: ["task-1", "task-2", "task-3"], agents: ["ada", "bo"], added: 6, removed: 2 },
  ]);
});

it("gives no line counts for a file if one of its changes has none, and no agent for an unassigned task", () => {
  const tasks = [
    aTask({ id: "task-1", assigned_to: null, changes: [{ path: "a.ts" }] }),
    aTask({ id: "task-2", assigned_to: "bo", changes: [{ path: "a.ts", added: 2, removed: 0 }] }),
  ];
  expect(filesOf({ tasks })).toEqual([{ path: "a.ts", tasks: ["task-1", "task-2"], agents: ["bo"], added: undefined, removed: undefined }]);
});

it("shows each question with its outcome, and agents without a process as having spent nothing", () => {
  using team = temporaryTeam();
  const process = { machine: "m", boot: "b", namespace: "n", pid: 7, start: "1" };
  const requests = teamRequests({ board: team.board, disk, clock, processes: { self: () => process, isAlive: () => true } });
  const ask = (name: string) => requests.open({ name, process }, { kind: "plan", plan: "First the tests." });
  requests.answer(ask("ann").id, { kind: "no", reason: "too early" }, "lead");
  ask("bo");
  const read = team.board.record();
  if (!read.ok) throw new Error(read.reason);
  const facts = reportFacts(
    { board: team.board, record: read.record, disk, configDir: team.folder },
    { report: aReport([], { ms: 5_000 }), running: true, stalled: ["bo"], requests },
  );
  const answers = facts.questions.map(({ agent, asked, answer }) => `${agent}: ${asked} ${answer}`).toSorted();
  expect(answers).toEqual([expect.stringMatching(/^ann: a plan answered at the lead: .*too early/), "bo: a plan "]);
  expect(facts.agents.map(({ name, spent }) => [name, spent])).toEqual([
    ["lead", []],
    ["ann", []],
    ["bo", []],
  ]);
  expect([facts.to >= facts.from + 5_000, facts.running, facts.stalled]).toEqual([true, true, ["bo"]]);
});

it("changes every text of a copy, and asks once for each different text", async () => {
  const asked: string[] = [];
  const facts = factsOf(aReport([aTask({ id: "task-1", title: "Parse" }), aTask({ id: "task-2", title: "Parse" })]), []);
  const before = structuredClone(facts);
  const changed = await withTexts(facts, async (text) => {
    asked.push(text);
    return text.toUpperCase();
  });
  expect(changed.report.tasks.map(({ id, title }) => [id, title])).toEqual([
    ["TASK-1", "PARSE"],
    ["TASK-2", "PARSE"],
  ]);
  expect([changed.from, changed.running, changed.report.cost_usd]).toEqual([facts.from, false, facts.report.cost_usd]);
  expect(asked.filter((text) => text === "Parse")).toHaveLength(1);
  expect(facts).toEqual(before);
});
