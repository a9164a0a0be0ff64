// Which members receive a message after a teammate's run of turns, on a real board and in real mailboxes.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Ending, Input } from "../../../src/agent/events.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { teamBoard } from "../../../src/team/team-board.ts";
import { afterTurn, turnRecord } from "../../../src/team/teammate/after-turn.ts";
import type { Memory, Teammate } from "../../../src/team/teammate/teammate.ts";
import { createUnblocked } from "../../../src/team/teammate/unblocked.ts";
import { ann, lead } from "../../board/examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

const question: Input = { source: { kind: "mail", message: "m1", from: "bo", mail: "message" }, text: "Which format?" };
const typed: Input = { source: { kind: "user" }, text: "Go on." };
const at = "2026-01-01T00:00:00.000Z";

type Run = {
  text?: string;
  inputs?: Input[];
  ending?: Ending;
  wroteTo?: string;
  paused?: Memory["paused"];
  triesMade?: number;
  agentsAtWork?: boolean;
};

/** ann holds task-1 and has ended a run of turns. */
async function ends(
  team: TemporaryTeam,
  { text = "", inputs = [], ending = { kind: "done" }, wroteTo, paused, triesMade = 0, agentsAtWork = false }: Run,
) {
  await operate(team.board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await operate(team.board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  const problems: string[] = [];
  const onProblem = (reason: string) => problems.push(reason);
  const board = teamBoard({ board: team.board, disk: ports.disk, name: "ann", onProblem, onUnsent: () => {}, now: () => new Date(at) });
  const before = board.tasks();
  const record = turnRecord();
  record.apply({ type: "input", inputs, at });
  if (wroteTo) record.wrote.add(wroteTo);
  const idleTurns: Memory["idleTurns"] = new Map();
  const memory: Memory = {
    unblocked: createUnblocked("ann"),
    idleTurns,
    lastText: text,
    paused,
    triesMade,
    unreported: undefined,
    leadGoneAt: undefined,
  };
  const session = { wroteTo: () => record.wrote, touched: () => ["a.ts"] };
  await afterTurn({ board, name: "ann", session, agentsAtWork: () => agentsAtWork } as unknown as Teammate, memory, {
    ended: { ending, text },
    record,
    before,
  });
  const mail = (name: string) =>
    team.board
      .mailbox(name)
      .peek()
      .map(({ kind, text }) => [kind, text]);
  const list = team.board.tasks.read();
  return { lead: mail("lead"), bo: mail("bo"), status: list.ok && list.list.tasks[0]?.status, idleTurns: [...idleTurns], problems };
}

const nothing = { lead: [], bo: [], status: "in_progress", idleTurns: [["task-1", 1]], problems: [] };

it("reports an unrequested run to nobody, and counts it against the task", async () => {
  using team = temporaryTeam();
  expect(await ends(team, { text: "I think about it." })).toEqual(nothing);
});

it("does not count it while its own agents are at work", async () => {
  using team = temporaryTeam();
  expect(await ends(team, { agentsAtWork: true })).toEqual({ ...nothing, idleTurns: [] });
});

it("reports no run in which only a notice came", async () => {
  using team = temporaryTeam();
  const notice: Input = { source: { kind: "mail", message: "m2", from: "bo", mail: "notice" }, text: "My task-2 also changes a.ts." };
  expect(await ends(team, { text: "I go on.", inputs: [notice] })).toEqual(nothing);
});

it("sends plain text as the answer to the asker, and to the lead as a report", async () => {
  using team = temporaryTeam();
  expect(await ends(team, { text: "ISO dates.", inputs: [question] })).toEqual({
    ...nothing,
    bo: [["message", "ISO dates."]],
    lead: [["turn_report", expect.stringContaining("ISO dates.")]],
  });
});

it("answers no one twice", async () => {
  using team = temporaryTeam();
  expect((await ends(team, { text: "Answered.", inputs: [question], wroteTo: "bo" })).bo).toEqual([]);
});

it.each([
  { wroteTo: undefined, told: [["turn_report", expect.stringContaining("Done so.")]] },
  { wroteTo: "lead", told: [] },
])("reports to the lead what a person typed, unless it wrote to the lead itself: $wroteTo", async ({ wroteTo, told }) => {
  using team = temporaryTeam();
  expect((await ends(team, { text: "Done so.", inputs: [typed], ...(wroteTo && { wroteTo }) })).lead).toEqual(told);
});

it("blocks the task when the run failed, and tells the lead with the files touched", async () => {
  using team = temporaryTeam();
  const { lead: told, status } = await ends(team, { ending: { kind: "max_turns", limit: 7 } });
  expect({ told, status }).toEqual({
    status: "blocked",
    told: [["task_notice", expect.stringMatching(/task-1[\s\S]*reached maxTurns \(7\)[\s\S]*a\.ts/)]],
  });
});

it("says that it waits for the person", async () => {
  using team = temporaryTeam();
  expect((await ends(team, { paused: { reason: "Esc was pressed" } })).lead).toEqual([
    ["notice", expect.stringContaining("Esc was pressed")],
  ]);
});

it("keeps a text that is too long for a message in a file, and sends its path", async () => {
  using team = temporaryTeam();
  const text = "long ".repeat(8_000);
  const [[kind, sent = ""] = []] = (await ends(team, { text, inputs: [typed] })).lead;
  const [, file = ""] = /\(the whole text: (.+)\)$/.exec(sent) ?? [];
  expect([kind, Buffer.byteLength(sent) < 32_768, readFileSync(file, "utf8").includes(text.trim())]).toEqual(["turn_report", true, true]);
});
