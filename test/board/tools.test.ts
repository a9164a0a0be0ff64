// The board as a model sees it: short schemas, sentences as results, refusals with their code.
import { describe, expect, it } from "vitest";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import type { Actor } from "../../src/board/tasks/task.ts";
import { boardTools } from "../../src/board/tools.ts";
import { ann, bo, lead } from "./examples.ts";
import { temporaryTeam } from "./temporary-team.ts";

const context = { signal: new AbortController().signal };

function caller(board: Parameters<typeof boardTools>[0], actor: Actor) {
  const tools = boardTools(board, actor);
  return async (name: string, input: unknown) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`${actor.name} has no ${name}`);
    const { text, isError, summary } = await tool.run(tool.input.parse(input), context);
    return [isError ? "error" : "ok", text, summary, tool.subject(tool.input.parse(input))];
  };
}

describe("boardTools()", () => {
  it("let a lead create and assign, and a teammate claim, ask and complete", async () => {
    using team = temporaryTeam();
    const [asLead, asAnn, asBo] = [lead, ann, bo].map((actor) => caller(team.board, actor));
    expect(await asLead?.("TaskCreate", { title: "Parse dates" })).toEqual([
      "ok",
      "Created task-1: Parse dates.",
      "task-1 open",
      "Parse dates",
    ]);
    await asLead?.("TaskCreate", { title: "Export", dependencies: ["task-1"], assignee: "bo" });
    expect(await asAnn?.("TaskList", {})).toEqual([
      "ok",
      "task-1 open: Parse dates\ntask-2 open, assigned to bo (waits for task-1): Export",
      "2 tasks",
      "",
    ]);
    expect(await asBo?.("TaskUpdate", { id: "task-2", status: "in_progress" })).toEqual([
      "error",
      'Cannot claim "task-2": "task-1" is still open (dependency_incomplete)',
      "dependency_incomplete",
      "task-2 in_progress",
    ]);
    await asAnn?.("TaskUpdate", { id: "task-1", status: "in_progress" });
    expect(await asAnn?.("TaskUpdate", { id: "task-1", status: "completed", summary: "done" })).toEqual([
      "ok",
      "task-1 is completed, by ann.",
      "task-1 completed, by ann",
      "task-1 completed",
    ]);
    expect(JSON.parse((await asBo?.("TaskGet", { id: "task-1" }))?.[1] ?? "")).toMatchObject({ id: "task-1", summary: "done" });
    expect(await asBo?.("SendMessage", { to: "ann", text: "trimmed?" })).toEqual(["ok", "Sent to ann.", "sent", "ann"]);
    expect(team.board.mailbox("ann").take()).toMatchObject([{ from: "bo", text: "trimmed?" }]);
    expect(await asLead?.("TaskUpdate", { id: "task-2", assignee: null })).toEqual(["ok", "task-2 is open.", "task-2 open", "task-2"]);
  });

  it("depend on the member's role, and are small", () => {
    using team = temporaryTeam();
    const names = (actor: Actor) => boardTools(team.board, actor).map(({ name }) => name);
    expect(names(lead)).toEqual(["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "SendMessage"]);
    expect(names(ann)).toEqual(["TaskUpdate", "TaskGet", "TaskList", "SendMessage"]);
    const bytes = (actor: Actor) => Buffer.byteLength(JSON.stringify(toolSchemas(boardTools(team.board, actor))));
    expect([bytes(ann) < 1_700, bytes(lead) < 2_700]).toEqual([true, true]);
  });
});
