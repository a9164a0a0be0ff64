// Messages on a real disk: always in exactly one place, in order, never lost, and never from an invented sender.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, openBoard } from "../../../src/board/board.ts";
import { sweepDrafts } from "../../../src/board/messages/mailbox.ts";
import { maxMessageBytes } from "../../../src/board/messages/message.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import { changeMember } from "../../../src/board/team-record.ts";
import { failing } from "../../failing-calls.ts";
import { ann, bo, lead, user } from "../examples.ts";
import { ports, temporaryTeam } from "../temporary-team.ts";

const send = (board: Board, args: unknown, actor = ann) => operate(board, { op: "SendMessage", args }, actor);
const inbox = (board: Board, args: unknown = {}, actor = bo) => operate(board, { op: "Inbox", args }, actor);
const failure = (reply: Awaited<ReturnType<typeof operate>>) => (reply.ok ? "ok" : `${reply.error.code}: ${reply.error.message}`);
const texts = (reply: Awaited<ReturnType<typeof operate>>) =>
  "messages" in reply ? reply.messages.map(({ text }) => text) : failure(reply);
const ids = (reply: Awaited<ReturnType<typeof operate>>) => ("messages" in reply ? reply.messages.map(({ id }) => id) : []);
const places = (folder: string, agent = "bo") =>
  Object.fromEntries(
    ["tmp", "new", "cur", "done", "bad"].map((place) => [place, readdirSync(`${folder}/mailbox/${agent}/${place}`).length]),
  );

describe("SendMessage", () => {
  it("puts one file into the receiver's mailbox and logs it", async () => {
    using team = temporaryTeam();
    const reply = await send(team.board, { to: "bo", text: "does parse() trim?" });
    const [name] = readdirSync(`${team.folder}/mailbox/bo/new`);
    const written = JSON.parse(readFileSync(`${team.folder}/mailbox/bo/new/${name}`, "utf8"));
    expect(reply).toEqual({ ok: true, message: written });
    expect(written).toEqual({
      id: name?.replace(/\.json$/, ""),
      from: "ann",
      to: "bo",
      kind: "message",
      text: "does parse() trim?",
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(places(team.folder)).toEqual({ tmp: 0, new: 1, cur: 0, done: 0, bad: 0 });
    expect(team.board.follow().next().slice(1)).toEqual([
      { kind: "message_sent", at: written.sent_at, by: "ann", message: written.id, mail: "message", to: "bo", text: written.text },
    ]);
  });

  it("refuses an unknown receiver, naming the possible ones", async () => {
    using team = temporaryTeam();
    const to = async (name: unknown, actor = ann) => failure(await send(team.board, { to: name, text: "x" }, actor));
    expect(await to("carl")).toBe('unknown_agent: Cannot send to "carl": no such member works in this team. You can write to lead, bo.');
    expect(await to("ann")).toBe('unknown_agent: Cannot send to "ann": that is yourself. You can write to lead, bo.');
    expect(await to("user")).toBe('unknown_agent: Cannot send to "user": the user has no mailbox. You can write to lead, bo.');
    expect(await to("../ann", user)).toBe(
      'unknown_agent: Cannot send to "../ann": no such member works in this team. You can write to lead, ann, bo.',
    );
    expect(await to(undefined)).toBe('unknown_agent: Cannot send to "": no such member works in this team. You can write to lead, bo.');
    await team.board.changeRecord((record) => changeMember(record, "bo", { ended: { how: "stopped", at: "" } }));
    expect(await to("bo")).toBe('unknown_agent: Cannot send to "bo": no such member works in this team. You can write to lead.');
    expect(await to("lead")).toBe("ok");
  });

  it("refuses blank and overlong texts, after checking the receiver", async () => {
    using team = temporaryTeam();
    const code = async (to: string, text: unknown) => failure(await send(team.board, { to, text })).split(":")[0];
    expect(await code("carl", "")).toBe("unknown_agent");
    expect([await code("bo", ""), await code("bo", " \n\t"), await code("bo", undefined), await code("bo", null)]).toEqual(
      Array(4).fill("bad_text"),
    );
    expect(await code("bo", 5)).toBe("bad_request");
    expect(failure(await send(team.board, { to: "bo", text: "ä".repeat(maxMessageBytes / 2 + 1) }))).toBe(
      "too_large: Cannot send to bo: the text has 32770 bytes, and a message has at most 32768. Write it to a file and send its path",
    );
    expect(await code("bo", "ä".repeat(maxMessageBytes / 2))).toBe("ok");
    expect(places(team.folder)).toMatchObject({ tmp: 0, new: 1 });
  });

  it("creates a missing mailbox, and sends although the log cannot be written", async () => {
    using team = temporaryTeam();
    rmSync(`${team.folder}/mailbox/bo`, { recursive: true });
    rmSync(`${team.folder}/log/events.jsonl`);
    mkdirSync(`${team.folder}/log/events.jsonl`);
    expect(failure(await send(team.board, { to: "bo", text: "x" }))).toBe("ok");
    expect(texts(await inbox(team.board))).toEqual(["x"]);
  });

  it("is not sent when the disk is full", async () => {
    const full = () => {
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };
    using team = temporaryTeam({ disk: { ...ports.disk, publish: full } });
    expect(failure(await send(team.board, { to: "bo", text: "x" }))).toBe(
      "write_failed: Cannot send to bo: the disk is full. Nothing was sent. Make room there",
    );
  });

  it("keeps every message and its order when several processes send many in one millisecond", async () => {
    const still = { now: () => new Date(1_000), random: Math.random };
    using team = temporaryTeam({ clock: still });
    const others = openBoard({ ...ports, clock: still }, team.folder);
    for (let count = 0; count < 50; count++) {
      await send(team.board, { to: "bo", text: `a${count}` });
      await send(others, { to: "bo", text: `b${count}` }, ann);
    }
    const all = texts(await inbox(team.board));
    const of = (who: string) => (typeof all === "string" ? [] : all.filter((text) => text.startsWith(who)));
    expect([...of("a"), ...of("b")]).toEqual(["a", "b"].flatMap((who) => Array.from({ length: 50 }, (_, index) => `${who}${index}`)));
  });

  it("sorts by time even if the clock goes back", async () => {
    let ms = 5_000;
    using team = temporaryTeam({ clock: { now: () => new Date(ms), random: Math.random } });
    await send(team.board, { to: "bo", text: "first" });
    ms = 1_000;
    await send(team.board, { to: "bo", text: "second" });
    expect(texts(await inbox(team.board))).toEqual(["first", "second"]);
  });

  it("chooses another name if one is taken", async () => {
    const draws = [0.1, 0.1, 0.2];
    using team = temporaryTeam({ clock: { now: () => new Date(1_000), random: () => draws.shift() ?? 0.3 } });
    const again = openBoard({ ...ports, clock: { now: () => new Date(1_000), random: () => 0.1 } }, team.folder);
    await send(team.board, { to: "bo", text: "x" });
    await send(again, { to: "bo", text: "y" });
    expect(new Set(ids(await inbox(team.board))).size).toBe(2);
  });
});

describe("Inbox", () => {
  it("returns a message each time until it is acknowledged", async () => {
    using team = temporaryTeam();
    const sent = async (text: string) => {
      const reply = await send(team.board, { to: "bo", text });
      return "message" in reply ? reply.message.id : "";
    };
    const first = await sent("1");
    expect(texts(await inbox(team.board))).toEqual(["1"]);
    expect(places(team.folder)).toMatchObject({ new: 0, cur: 1 });
    const second = await sent("2");
    expect(texts(await inbox(team.board))).toEqual(["1", "2"]);
    expect(texts(await inbox(team.board, { ack: [first] }))).toEqual(["2"]);
    expect(texts(await inbox(team.board, { ack: [first, second, second] }))).toEqual([]);
    expect(texts(await inbox(team.board, { ack: [first] }))).toEqual([]);
    expect(places(team.folder)).toEqual({ tmp: 0, new: 0, cur: 0, done: 2, bad: 0 });
    const unseen = await sent("3");
    expect(texts(await inbox(team.board, { ack: [unseen] }))).toEqual([]);
  });

  it("moves nothing when one id is unknown", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "1" });
    const [first] = ids(await inbox(team.board));
    await send(team.board, { to: "bo", text: "2" });
    const before = places(team.folder);
    expect(failure(await inbox(team.board, { ack: [first, "../../team"] }))).toBe(
      'not_found: Cannot acknowledge "../../team": bo has no such message',
    );
    expect(places(team.folder)).toEqual(before);
  });

  it("is separate for each member, and the user has none", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "lead", text: "for the lead" });
    expect(texts(await inbox(team.board))).toEqual([]);
    expect(texts(await inbox(team.board, {}, lead))).toEqual(["for the lead"]);
    expect(failure(await inbox(team.board, {}, user))).toBe(
      "unknown_agent: Cannot read the inbox of user: only lead and teammates have a mailbox",
    );
  });

  it("only reads a live member's messages", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "1" });
    const [first] = ids(await inbox(team.board));
    await send(team.board, { to: "bo", text: "2" });
    writeFileSync(`${team.folder}/mailbox/bo/new/garbage`, "garbage");
    const claim = ports.lock.claimForLife(team.board.layout.claim("bo"));
    const before = places(team.folder);
    expect(texts(await inbox(team.board))).toEqual(["1", "2"]);
    expect(failure(await inbox(team.board, { ack: [first] }))).toBe(
      "bad_request: Cannot acknowledge for bo: it is running and takes its messages itself; its inbox can only be read",
    );
    expect(places(team.folder)).toEqual(before);
    if (claim.ok) claim.release();
    expect(texts(await inbox(team.board, { ack: [first] }))).toEqual(["2"]);
  });

  it("sets aside a file that is not a message, reports it once, and continues with the others", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "1" });
    const fresh = `${team.folder}/mailbox/bo/new`;
    writeFileSync(`${fresh}/0-garbage.json`, "{");
    writeFileSync(`${fresh}/1-empty.json`, "");
    writeFileSync(`${fresh}/2-other.json`, '{"id":"2","from":"ann"}');
    mkdirSync(`${fresh}/3-folder`);
    symlinkSync("/nowhere", `${fresh}/4-link`);
    const reply = await inbox(team.board);
    expect(texts(reply)).toEqual(["1"]);
    const bad = `${team.folder}/mailbox/bo/bad`;
    const unreadable = "messages" in reply ? (reply.unreadable ?? []) : [];
    expect(unreadable).toEqual([
      { file: `${bad}/0-garbage.json`, reason: expect.stringContaining("JSON") },
      { file: `${bad}/1-empty.json`, reason: "Unexpected end of JSON input" },
      { file: `${bad}/2-other.json`, reason: expect.stringMatching(/^"to" is missing$/) },
      { file: `${bad}/3-folder`, reason: expect.stringMatching(/^EISDIR/) },
    ]);
    expect(await inbox(team.board)).toMatchObject({ ok: true, messages: [{ text: "1" }] });
    expect(await inbox(team.board)).not.toHaveProperty("unreadable");
    const logged = team.board
      .follow()
      .next()
      .filter(({ kind }) => kind === "message_unreadable");
    expect(logged.map((event) => ("file" in event ? event.file : ""))).toEqual(unreadable.map(({ file }) => file));
    writeFileSync(`${fresh}/0-garbage.json`, "again");
    await inbox(team.board);
    expect(readdirSync(bad)).toContain("0-garbage.json.2");
  });
});

describe("a member's own mailbox", () => {
  it("takes wanted messages, keeps those shown to an earlier process, and acknowledges by id", async () => {
    using team = temporaryTeam();
    const { board } = team;
    for (const kind of ["message", "shutdown", "notice"] as const) board.send({ from: "lead", to: "bo", kind, text: kind });
    const mailbox = board.mailbox("bo");
    const kinds = (messages: { kind: string }[]) => messages.map(({ kind }) => kind);
    expect(kinds(mailbox.peek())).toEqual(["message", "shutdown", "notice"]);
    expect(kinds(mailbox.take(({ kind }) => kind === "shutdown"))).toEqual(["shutdown"]);
    expect(kinds(mailbox.peek())).toEqual(["message", "notice"]);
    expect(kinds(mailbox.take())).toEqual(["message", "notice"]);
    expect(kinds(openBoard(ports, team.folder).mailbox("bo").unacknowledged())).toEqual(["message", "shutdown", "notice"]);
    mailbox.acknowledge([
      ...mailbox
        .unacknowledged()
        .map(({ id }) => id)
        .slice(0, 2),
      "unknown",
    ]);
    expect(kinds(mailbox.unacknowledged())).toEqual(["notice"]);
    expect(places(team.folder)).toMatchObject({ new: 0, cur: 1, done: 2 });
  });
});

describe("a message that cannot be read for a moment", () => {
  it.each(["EIO", "EMFILE", "EACCES", "Unknown system error -116"])("(%s) stays where it is and is read next time", async (code) => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "hello" });
    const broken = failing("openSync", { code, when: (path) => path.includes("/mailbox/bo/new/") });
    const mailbox = team.board.mailbox("bo");
    expect([mailbox.peek(), mailbox.take(), places(team.folder)]).toEqual([[], [], { tmp: 0, new: 1, cur: 0, done: 0, bad: 0 }]);
    broken.mend();
    expect(mailbox.take().map(({ text }) => text)).toEqual(["hello"]);
  });

  it("is acknowledged by its file name", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "hello" });
    const [id] = ids(await inbox(team.board));
    failing("openSync", { code: "EIO", when: (path) => path.includes("/mailbox/bo/cur/") });
    expect(await inbox(team.board, { ack: [id] })).toEqual({ ok: true, messages: [] });
    expect(places(team.folder)).toEqual({ tmp: 0, new: 0, cur: 0, done: 1, bad: 0 });
  });

  it("is not reported as acknowledged if it could not be moved", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "hello" });
    const [id] = ids(await inbox(team.board));
    const broken = failing("renameSync", { code: "EIO", when: (path) => path.includes("/mailbox/bo/cur/") });
    expect(failure(await inbox(team.board, { ack: [id] }))).toBe(
      `write_failed: Cannot acknowledge "${id}": the disk refuses writes. The message is kept; try again`,
    );
    broken.mend();
    expect(await inbox(team.board, { ack: [id] })).toEqual({ ok: true, messages: [] });
  });

  it("is not shown if it cannot be marked as shown", async () => {
    using team = temporaryTeam();
    await send(team.board, { to: "bo", text: "hello" });
    const broken = failing("renameSync", { code: "EIO", when: (path) => path.includes("/mailbox/bo/new/") });
    expect(team.board.mailbox("bo").take()).toEqual([]);
    broken.mend();
    expect(
      team.board
        .mailbox("bo")
        .take()
        .map(({ text }) => text),
    ).toEqual(["hello"]);
  });
});

it("an old draft of a killed sender is removed, and a fresh one stays", () => {
  using team = temporaryTeam();
  const folder = `${team.folder}/mailbox/bo`;
  for (const name of ["old.json", "fresh.json"]) writeFileSync(`${folder}/tmp/${name}`, "{");
  const now = new Date();
  utimesSync(`${folder}/tmp/old.json`, now, new Date(now.getTime() - 3_600_000));
  sweepDrafts(ports.disk, folder, now);
  expect(readdirSync(`${folder}/tmp`)).toEqual(["fresh.json"]);
});
