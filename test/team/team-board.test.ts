// A teammate's board when the disk refuses a message.
import { expect, it } from "vitest";
import { openBoard } from "../../src/board/board.ts";
import { teamBoard } from "../../src/team/team-board.ts";
import { ports, temporaryTeam } from "../board/temporary-team.ts";

it("a message that the disk refuses is sent later, in order and once, and is in the status until then", async () => {
  using team = temporaryTeam();
  let isRefusing = true;
  const disk: typeof ports.disk = {
    ...ports.disk,
    publish(temporary, path, text) {
      if (isRefusing) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      return ports.disk.publish(temporary, path, text);
    },
  };
  const [problems, unsent]: [string[], (string | undefined)[]] = [[], []];
  const board = teamBoard({
    board: openBoard({ ...ports, disk }, team.folder),
    disk,
    name: "ann",
    onProblem: (reason) => problems.push(reason),
    onUnsent: (to) => unsent.push(to),
    now: () => new Date(0),
  });
  board.send({ to: "lead", kind: "task_notice", text: "task-1 is blocked." });
  board.send({ to: "bo", kind: "message", text: "And you?" });
  board.tasks();
  expect([problems, unsent]).toEqual([[expect.stringMatching(/^Cannot send to lead: permission denied\. /)], ["lead", "lead", "lead"]]);
  isRefusing = false;
  board.tasks();
  board.tasks();
  const texts = ["lead", "bo"].map((name) =>
    team.board
      .mailbox(name)
      .peek()
      .map(({ text }) => text),
  );
  expect([texts, unsent.at(-1)]).toEqual([[["task-1 is blocked."], ["And you?"]], undefined]);
});
