// Messages that follow from the list: sent once by whichever process is first, and again after a refusal until they are sent.
import { expect, it } from "vitest";
import { openMailbox } from "../../../src/board/messages/mailbox.ts";
import { createOwedMessages, type Owed, owedId } from "../../../src/board/messages/owed-messages.ts";
import type { BoardPorts } from "../../../src/board/tasks/task-file.ts";
import { now } from "../examples.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../temporary-team.ts";

const owed = (id: string, to: string): Owed => ({ id, draft: { from: "lead", to, kind: "notice", text: `about ${id}` } });
const both = [owed("1-lead-a", "ann"), owed("2-lead-b", "bo")];

const mailbox = ({ board }: TemporaryTeam, name: string) => openMailbox(ports.disk, board.layout.mailbox(name), () => {});

/** A disk that refuses to write into this member's mailbox while `refuses` is true. */
function refusing({ board }: TemporaryTeam, name: string) {
  const state = { refuses: true };
  const publish: BoardPorts["disk"]["publish"] = (temporary, path, text) => {
    if (state.refuses && path.startsWith(`${board.layout.mailbox(name)}/`)) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    return ports.disk.publish(temporary, path, text);
  };
  return { state, ports: { ...ports, disk: { ...ports.disk, publish } } };
}

it("two processes that send at once send each message once, and a later one sends none", async () => {
  using team = temporaryTeam();
  const process = () => createOwedMessages(ports, team.board.layout, () => both);
  const [first, second] = [process(), process()];
  expect(first.missing()).toEqual(both);
  expect(await Promise.all([first.send(), second.send()])).toEqual([undefined, undefined]);
  expect(
    ["ann", "bo"].map((name) =>
      mailbox(team, name)
        .take()
        .map(({ text }) => text),
    ),
  ).toEqual([["about 1-lead-a"], ["about 2-lead-b"]]);
  mailbox(team, "ann").acknowledge(["1-lead-a"]);
  expect([await process().send(), process().missing(), mailbox(team, "ann").peek()]).toEqual([undefined, [], []]);
});

it("a refused message stays missing, is reported, and is sent once the disk accepts it", async () => {
  using team = temporaryTeam();
  const { state, ports: failing } = refusing(team, "bo");
  const messages = createOwedMessages(failing, team.board.layout, () => both);
  expect(await messages.send()).toMatchObject({ ok: false, code: "write_failed", reason: expect.stringContaining("Cannot send to bo") });
  expect(messages.missing().map(({ id }) => id)).toEqual(["2-lead-b"]);
  const read = mailbox(team, "ann").take();
  mailbox(team, "ann").acknowledge(read.map(({ id }) => id));
  state.refuses = false;
  expect([await messages.send(), messages.missing(), mailbox(team, "ann").peek(), mailbox(team, "bo").peek().length]).toEqual([
    undefined,
    [],
    [],
    1,
  ]);
});

it("a message that no longer follows from the list is not sent", async () => {
  using team = temporaryTeam();
  const current = [...both];
  const messages = createOwedMessages(ports, team.board.layout, () => current);
  current.pop();
  expect([await messages.send(), mailbox(team, "bo").peek()]).toEqual([undefined, []]);
});

it("does not wait for a disk that queues refused writes", async () => {
  using team = temporaryTeam();
  const refused = refusing(team, "ann").ports.disk;
  const queued: string[] = [];
  const queueing = { ...ports.disk, publish: (_temporary: string, path: string) => queued.push(path) > 0 };
  const patience: NonNullable<BoardPorts["patience"]> = { now: refused, untilDone: async (attempt) => attempt() };
  const messages = createOwedMessages({ ...ports, disk: queueing, patience }, team.board.layout, () => both);
  expect([await messages.send(), queued]).toEqual([expect.objectContaining({ code: "write_failed" }), []]);
});

it("ids sort by the time at which a message was first owed", () => {
  const ids = [now, "2001-09-09T01:46:39.999Z", "2001-09-09T01:46:40.000Z"].map((at) => owedId(at, "ann", "task-1"));
  expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]]);
});
