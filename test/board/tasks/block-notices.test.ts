// A task blocked by a member without a process, when the lead could not be told at once.
import { expect, it } from "vitest";
import { type Board, openBoard } from "../../../src/board/board.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { ann, lead } from "../examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../temporary-team.ts";

const text = "task-1 (Parse dates) is blocked: which format? It is still assigned to ann.";

/** Another program's board, for which the disk refuses to write messages. */
function withoutMail({ folder }: TemporaryTeam): Board {
  const publish = () => {
    throw Object.assign(new Error("EDQUOT: quota used up"), { code: "EDQUOT" });
  };
  return openBoard({ ...ports, disk: { ...ports.disk, publish } }, folder);
}

async function blockedByAnn(board: Board) {
  const update = (args: object) => operate(board, { op: "TaskUpdate", args: { id: "task-1", ...args } }, ann);
  await operate(board, { op: "TaskCreate", args: { title: "Parse dates" } }, lead);
  await update({ status: "in_progress" });
  return update({ status: "blocked", reason: "which format?" });
}

const inbox = async (board: Board, ack: string[] = []) => {
  const reply = await operate(board, { op: "Inbox", args: { ack } }, lead);
  return "messages" in reply ? reply.messages : [];
};

it("a refused notice is owed until it is sent, and is sent once", async () => {
  using team = temporaryTeam();
  const refused = withoutMail(team);
  expect(await blockedByAnn(refused)).toMatchObject({ ok: true, task: { status: "blocked" } });
  expect([team.board.blockNotices.untold(), await refused.blockNotices.send()]).toEqual([
    ["task-1"],
    {
      ok: false,
      code: "write_failed",
      reason: "Cannot send to lead: the disk quota is used up. Nothing was sent. Make room there",
    },
  ]);
  const [first, second] = [openBoard(ports, team.folder), openBoard(ports, team.folder)];
  expect(await Promise.all([first.blockNotices.send(), second.blockNotices.send()])).toEqual([undefined, undefined]);
  const shown = await inbox(team.board);
  expect([shown.map((message) => message.text), first.blockNotices.untold()]).toEqual([[text], []]);
  await inbox(
    team.board,
    shown.map(({ id }) => id),
  );
  const later = openBoard(ports, team.folder);
  expect([await later.blockNotices.send(), later.blockNotices.untold(), await inbox(later)]).toEqual([undefined, [], []]);
});

it("the lead's own look into its mailbox sends what is owed", async () => {
  using team = temporaryTeam();
  await blockedByAnn(withoutMail(team));
  expect((await inbox(team.board)).map((message) => message.text)).toEqual([text]);
});

it("a task that is no longer blocked is not reported", async () => {
  using team = temporaryTeam();
  const refused = withoutMail(team);
  await blockedByAnn(refused);
  await operate(refused, { op: "TaskUpdate", args: { id: "task-1", status: "open" } }, lead);
  expect([team.board.blockNotices.untold(), await inbox(team.board)]).toEqual([[], []]);
});

it("a member with a process reports its own blocks", async () => {
  using team = temporaryTeam();
  const claim = ports.lock.claimForLife(team.board.layout.claim("ann"));
  await blockedByAnn(team.board);
  expect([team.board.blockNotices.untold(), await inbox(team.board)]).toEqual([[], []]);
  if (claim.ok) claim.release();
});
