import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMailbox } from "../../../src/board/messages/mailbox.ts";
import { maxMessageBytes, mostSent } from "../../../src/board/messages/message.ts";
import { createSender, type Draft } from "../../../src/board/messages/sender.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

const draft = (text: string, more: Partial<Draft> = {}): Draft => ({ from: "lead", to: "ann", kind: "message", text, ...more });

const noon = Date.parse("2026-01-02T12:00:00.000Z");
/** A clock that gives these times in turn, and a random source that gives these numbers. */
function clockAt(times: number[], drawn: number[] = [0.5]) {
  let at = 0;
  let draw = 0;
  return {
    ...ports.clock,
    now: () => new Date(times[Math.min(at++, times.length - 1)]!),
    random: () => drawn[draw++ % drawn.length]!,
  };
}

describe("createSender()", () => {
  it("puts the message into the receiver's mailbox, with id and time, and into the log", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    const sent = createSender({ ...ports, clock: clockAt([noon]) }, layout)(draft("hello", { reply_to: "m-1" }));
    const message = { id: sent.ok ? sent.message.id : "", ...draft("hello"), reply_to: "m-1", sent_at: "2026-01-02T12:00:00.000Z" };
    expect(sent).toEqual({ ok: true, message });
    expect(openMailbox(ports.disk, layout.mailbox("ann"), () => {}).peek()).toEqual([message]);
    expect(team.board.follow().next().at(-1)).toMatchObject({
      kind: "message_sent",
      by: "lead",
      to: "ann",
      text: "hello",
      message: message.id,
    });
  });

  it.each(["", "  \n\t"])("refuses the blank text %j", (text) => {
    using team = temporaryTeam();
    expect(createSender(ports, team.board.layout)(draft(text))).toMatchObject({ ok: false, code: "bad_text" });
  });

  it("refuses a text that is too long by its bytes, and takes the longest one", () => {
    using team = temporaryTeam();
    const send = createSender(ports, team.board.layout);
    expect(send(draft("é".repeat(maxMessageBytes / 2)))).toMatchObject({ ok: true });
    expect(send(draft(`${"é".repeat(maxMessageBytes / 2)}x`))).toMatchObject({ ok: false, code: "too_large" });
  });

  it("refuses a teammate's messages to a member that it floods, whichever process sends them, until ten minutes have passed", () => {
    using team = temporaryTeam();
    let now = noon;
    const at = { ...ports, clock: { ...ports.clock, now: () => new Date(now) } };
    const send = (more: Partial<Draft>) => createSender(at, team.board.layout)(draft("x", { from: "ann", to: "bo", ...more }));
    const mailbox = openMailbox(ports.disk, team.board.layout.mailbox("bo"), () => {});
    for (let n = 0; n < mostSent.messages; n++) {
      now++;
      expect(send({})).toMatchObject({ ok: true });
    }
    mailbox.acknowledge(mailbox.take().map(({ id }) => id));
    const reason = "Cannot send to bo: you have sent it 100 messages with 15 KB in the last 10 minutes, and nobody may send more.";
    expect(send({})).toMatchObject({ ok: false, code: "too_many", reason: expect.stringContaining(reason) });
    expect(mailbox.peek()).toEqual([]);
    for (const others of [{ to: "lead" }, { from: "lead" }, { from: "user" }, { kind: "turn_report" as const }])
      expect(send(others)).toMatchObject({ ok: true });
    now += mostSent.withinMs;
    expect(send({})).toMatchObject({ ok: true });
  });

  it("counts what is long by its bytes", () => {
    using team = temporaryTeam();
    const send = createSender(ports, team.board.layout);
    const long = draft("x".repeat(maxMessageBytes), { from: "ann", to: "bo" });
    const sent = Array.from({ length: 20 }, () => send(long).ok);
    expect(sent.filter(Boolean).length).toBe(mostSent.bytes / maxMessageBytes);
  });

  it("sorts its messages as they were sent, also in one millisecond and when the clock goes back", () => {
    using team = temporaryTeam();
    const send = createSender({ ...ports, clock: clockAt([noon, noon, noon, noon, noon - 5_000, noon - 5_000]) }, team.board.layout);
    for (const text of ["one", "two", "three"]) send(draft(text));
    const texts = openMailbox(ports.disk, team.board.layout.mailbox("ann"), () => {})
      .peek()
      .map(({ text }) => text);
    expect(texts).toEqual(["one", "two", "three"]);
  });

  it("tries another id where another process has drawn the same", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    const first = createSender({ ...ports, clock: clockAt([noon], [0.25]) }, layout)(draft("first"));
    const second = createSender({ ...ports, clock: clockAt([noon], [0.25, 0.75]) }, layout)(draft("second"));
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(
      openMailbox(ports.disk, layout.mailbox("ann"), () => {})
        .peek()
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(["first", "second"]);
  });

  it("sends a message with an id of its own once", () => {
    using team = temporaryTeam();
    const send = createSender(ports, team.board.layout);
    expect([send(draft("first"), "own-1").ok, send(draft("second"), "own-1").ok]).toEqual([true, true]);
    expect(openMailbox(ports.disk, team.board.layout.mailbox("ann"), () => {}).peek()).toMatchObject([{ id: "own-1", text: "first" }]);
  });

  it("makes a mailbox that is not there", () => {
    using team = temporaryTeam();
    const mailbox = team.board.layout.mailbox("ann");
    rmSync(mailbox, { recursive: true, force: true });
    expect(createSender(ports, team.board.layout)(draft("hello"))).toMatchObject({ ok: true });
    expect(readdirSync(join(mailbox, "new"))).toHaveLength(1);
  });

  it("says that nothing was sent where the disk refuses, and counts as sent what only the log misses", () => {
    using team = temporaryTeam();
    const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    const refusing = (operation: "publish" | "append") => ({
      ...ports,
      disk: {
        ...ports.disk,
        [operation]: () => {
          throw full;
        },
      },
    });
    expect(createSender(refusing("publish"), team.board.layout)(draft("hello"))).toMatchObject({
      ok: false,
      code: "write_failed",
      reason: expect.stringMatching(/^Cannot send to ann: the disk is full.*Nothing was sent/),
    });
    expect(createSender(refusing("append"), team.board.layout)(draft("hello"))).toMatchObject({ ok: true });
  });

  it("lets a fault of the program through", () => {
    using team = temporaryTeam();
    const broken = {
      ...ports,
      disk: {
        ...ports.disk,
        publish: () => {
          throw new TypeError("a fault");
        },
      },
    };
    expect(() => createSender(broken, team.board.layout)(draft("hello"))).toThrow("a fault");
  });
});
