// Claiming a file before an edit, on a real list: who is refused, who is notified, and how often.
import { expect, it } from "vitest";
import { type Board, openBoard } from "../../../src/board/board.ts";
import { claimEdit, whyNotYours } from "../../../src/board/tasks/edit-claim.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { ann, bo, lead } from "../examples.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

async function bothAtWork(board: Board, files: string[] = []) {
  for (const title of ["Parse dates", "Print dates"]) await operate(board, { op: "TaskCreate", args: { title, files } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  await operate(board, { op: "TaskUpdate", args: { id: "task-2", status: "in_progress" } }, bo);
}

const mailOf = (board: Board, agent: string) =>
  board
    .mailbox(agent)
    .peek()
    .map(({ from, kind, text }) => ({ from, kind, text }));

const refused =
  "Cannot edit src/date.ts: task-1 (ann) is in progress and has it first. Go on with other files, and edit this one when task-1 is completed; or ask lead, who can give it to task-2; or set task-2 to blocked with this reason";

it("the second task to edit a file is refused, and owners and lead are told once", async () => {
  using team = temporaryTeam();
  await bothAtWork(team.board);
  const edit = (agent: string) => claimEdit(team.board, { agent, path: "src/date.ts", made: false });
  expect([await edit("ann"), await edit("ann"), await edit("bo"), await edit("bo")]).toEqual([undefined, undefined, refused, refused]);
  expect([mailOf(team.board, "ann"), mailOf(team.board, "bo")]).toEqual([
    [
      {
        from: "bo",
        kind: "notice",
        text: "My task-2 also changes src/date.ts. task-1 has it first: my edits of it are refused until task-1 is completed or blocked.",
      },
    ],
    [
      {
        from: "ann",
        kind: "notice",
        text: "My task-1 has src/date.ts first: edits of it under task-2 are refused until task-1 is completed or blocked. Do the rest first, or ask lead.",
      },
    ],
  ]);
  expect(mailOf(team.board, "lead")).toMatchObject([{ from: "bo", kind: "task_notice" }]);
  team.board.mailbox("lead").acknowledge(
    team.board
      .mailbox("lead")
      .take()
      .map(({ id }) => id),
  );
  expect([await openBoard(ports, team.folder).overlapNotices.send(), mailOf(team.board, "lead")]).toEqual([undefined, []]);
});

it("one of many concurrent editors gets the file", async () => {
  using team = temporaryTeam();
  await bothAtWork(team.board);
  const boards = [team.board, openBoard(ports, team.folder)];
  const answers = await Promise.all(
    ["ann", "bo", "ann", "bo"].map((agent, at) => claimEdit(boards[at % 2] as Board, { agent, path: "src/date.ts", made: false })),
  );
  expect(new Set(answers.map((answer) => answer?.slice(0, 12)))).toEqual(new Set([undefined, "Cannot edit "]));
});

it("a check beforehand writes nothing", async () => {
  using team = temporaryTeam();
  await bothAtWork(team.board, ["src/date.ts"]);
  const before = team.board.tasks.read();
  const look = (agent: string) => whyNotYours(team.board, { agent, path: "src/date.ts" });
  expect([look("ann"), look("bo"), look("lead")]).toEqual([undefined, refused, undefined]);
  expect(team.board.tasks.read()).toEqual(before);
});

it("two tasks that name the same file are reported when the second is claimed, even if the disk refused at first", async () => {
  using team = temporaryTeam();
  const publish = () => {
    throw Object.assign(new Error("EDQUOT: quota used up"), { code: "EDQUOT" });
  };
  await bothAtWork(openBoard({ ...ports, disk: { ...ports.disk, publish } }, team.folder), ["src/date.ts"]);
  expect(mailOf(team.board, "lead")).toEqual([]);
  expect(await team.board.overlapNotices.send()).toBeUndefined();
  expect([mailOf(team.board, "lead").length, mailOf(team.board, "ann").length, mailOf(team.board, "bo").length]).toEqual([1, 1, 1]);
});

it("an edit goes through while the list cannot be read", async () => {
  using team = temporaryTeam();
  ports.disk.replace(team.board.layout.tasks, "damaged");
  expect(await claimEdit(team.board, { agent: "ann", path: "a.ts", made: true })).toBeUndefined();
});
