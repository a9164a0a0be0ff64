// A teammate's edits in a shared tree, on a real list: which are refused, which need a question, and which are outside the team's rules.
import { expect, it } from "vitest";
import type { Permit, ToolCall } from "../../../src/agent/ports/permit.ts";
import { writtenFiles } from "../../../src/agent/workspace/written-files.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";
import { editPermit } from "../../../src/team/teammate/edit-permit.ts";
import { othersFiles } from "../../../src/team/teammate/others-files.ts";
import { ann, bo, lead } from "../../board/examples.ts";
import { type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

type Door = { agent: string; there?: string[]; person?: "yes" | "no" };

/** `asked`: the questions to the user. */
function door(team: TemporaryTeam, { agent, there = [], person }: Door) {
  const asked: string[] = [];
  const below: Permit = async (call) => {
    if (!person) return { allowed: true };
    const obstacle = await call.obstacle?.();
    if (obstacle) return { allowed: false, reason: obstacle.text, obstacle };
    asked.push(call.tool);
    return person === "yes" ? { allowed: true } : { allowed: false, reason: "no" };
  };
  const inTree = async (path: string) =>
    path.startsWith("/") ? { ok: false as const, reason: "is elsewhere" } : { ok: true as const, path: path.replace("./", "") };
  const written = async (call: ToolCall) => writtenFiles(call, analyseCommand((call.input as { command?: string }).command ?? ""));
  const permit = editPermit(below, { board: team.board, agent, written, inTree, exists: (path) => there.includes(path) });
  const call = (tool: string, input: object): ToolCall => ({ tool, input });
  return { asked, run: (tool: string, input: object) => permit(call(tool, input), new AbortController().signal) };
}

async function bothAtWork({ board }: TemporaryTeam) {
  for (const title of ["One", "Two"]) await operate(board, { op: "TaskCreate", args: { title } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  await operate(board, { op: "TaskUpdate", args: { id: "task-2", status: "in_progress" } }, bo);
}

const tasksOf = ({ board }: TemporaryTeam) => {
  const read = board.tasks.read();
  return read.ok ? read.list.tasks : [];
};

it("refuses an edit of a file that another task edited first, as the call's result and without asking anybody", async () => {
  using team = temporaryTeam();
  await bothAtWork(team);
  expect(await door(team, { agent: "ann" }).run("Write", { path: "./a.ts" })).toEqual({ allowed: true });
  const asking = door(team, { agent: "bo", person: "yes" });
  const refused = {
    allowed: false,
    obstacle: { isError: true, summary: "another task has it", text: expect.stringContaining("task-1 (ann)") },
  };
  expect([await asking.run("Edit", { path: "a.ts" }), asking.asked]).toMatchObject([refused, []]);
  expect(await door(team, { agent: "bo" }).run("Edit", { path: "a.ts" })).toMatchObject(refused);
});

it("claims no file for an edit that the person refused", async () => {
  using team = temporaryTeam();
  await bothAtWork(team);
  const asking = door(team, { agent: "ann", person: "no" });
  expect([await asking.run("Edit", { path: "a.ts" }), asking.asked]).toEqual([{ allowed: false, reason: "no" }, ["Edit"]]);
  expect(tasksOf(team)[0]).not.toHaveProperty("taken_files");
});

it("leaves other tools and files outside the tree to the next permit", async () => {
  using team = temporaryTeam();
  await bothAtWork(team);
  const { run } = door(team, { agent: "ann" });
  await run("Read", { path: "a.ts" });
  await run("Bash", { command: "npm test > /tmp/a.ts; node make.js a.ts" });
  await run("Write", { path: "/tmp/a.ts" });
  await run("Edit", {});
  expect(tasksOf(team)[0]).not.toHaveProperty("taken_files");
});

it("notes which files were made, for the others to be told of", async () => {
  using team = temporaryTeam();
  await bothAtWork(team);
  const { run } = door(team, { agent: "ann", there: ["old.ts"] });
  await run("Write", { path: "new.ts" });
  await run("Edit", { path: "old.ts" });
  expect(othersFiles(tasksOf(team), "bo")).toEqual([{ path: "new.ts", by: "ann, task-1" }]);
  expect(othersFiles(tasksOf(team), "ann")).toEqual([]);
});

it.each([
  "echo x > a.ts",
  "cd . && cat >> ./a.ts <<'X'\nx\nX",
  "sed -i s/a/b/ a.ts",
  "git mv a.ts c.ts",
  "cp b.ts a.ts",
  "sh -c 'rm a.ts'",
])("treats the command %j as an edit of the file", async (command) => {
  using team = temporaryTeam();
  await bothAtWork(team);
  await door(team, { agent: "ann" }).run("Edit", { path: "a.ts" });
  const { asked, run } = door(team, { agent: "bo", there: ["a.ts", "b.ts"], person: "yes" });
  expect(await run("Bash", { command })).toMatchObject({
    allowed: false,
    reason: expect.stringContaining("Cannot edit a.ts: task-1 (ann)"),
  });
  expect(asked).toEqual([]);
});

it("claims the files that a command creates or changes, and none that its operands only suggest", async () => {
  using team = temporaryTeam();
  await bothAtWork(team);
  await door(team, { agent: "ann", there: ["b.ts"] }).run("Bash", { command: "cat b.ts > a.ts; cp a.ts b.ts; touch new.ts" });
  expect(tasksOf(team)[0]?.taken_files?.map(({ path, made }) => [path, made])).toEqual([
    ["a.ts", true],
    ["b.ts", undefined],
  ]);
});
