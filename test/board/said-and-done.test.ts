// Wherever the disk fails during a change, the reply agrees with what is on disk: a model that is told "no" tries again, and must not
// create a second task or message.
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operate } from "../../src/board/tasks/operations.ts";
import { failing } from "../failing-calls.ts";
import { ann, lead } from "./examples.ts";
import { temporaryTeam } from "./temporary-team.ts";

const calls = ["openSync", "writeSync", "fsyncSync", "closeSync", "linkSync", "renameSync", "unlinkSync"] as const;
/** Every call that one change makes, by kind and number; past the last one nothing fails. */
const places = calls.flatMap((name) => Array.from({ length: 8 }, (_, index) => [name, index + 1] as const));

/** Fails the nth call of this kind below the folder. */
function failNth(folder: string, name: (typeof calls)[number], nth: number) {
  let seen = 0;
  return failing(name, { code: "EIO", when: (path) => path.startsWith(folder) && !path.includes("/lock") && ++seen === nth });
}

describe.each(places)("%s number %i fails with EIO", (name, nth) => {
  it("while a task is created: the confirmed task exists, or none", async () => {
    using team = temporaryTeam();
    const fault = failNth(team.folder, name, nth);
    const reply = await operate(team.board, { op: "TaskCreate", args: { title: "x" } }, lead);
    fault.mend();
    const read = team.board.tasks.read();
    expect(read.ok && read.list.tasks.length).toBe(reply.ok ? 1 : 0);
    const again = await operate(team.board, { op: "TaskCreate", args: { title: "y" } }, lead);
    expect(again).toMatchObject({ ok: true });
  });

  it("while a message is sent: the confirmed message exists, or none", async () => {
    using team = temporaryTeam();
    const fault = failNth(team.folder, name, nth);
    const reply = await operate(team.board, { op: "SendMessage", args: { to: "bo", text: "hello" } }, ann);
    fault.mend();
    expect(readdirSync(`${team.folder}/mailbox/bo/new`).length).toBe(reply.ok ? 1 : 0);
  });
});
