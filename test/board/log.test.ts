// The log: one write for each line, and which lines its readers skip.
import { appendFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TeamEvent, teamEventSchema } from "../../src/board/event.ts";
import { appendEvent, followLog, readLog } from "../../src/board/log.ts";
import { now } from "./examples.ts";
import { ports, temporaryTeam } from "./temporary-team.ts";

const started = (member: string): TeamEvent => ({ kind: "member_started", at: now, by: "lead", member });
const claimed = (revision: number, by = "ann"): TeamEvent => ({
  kind: "task_claimed",
  at: now,
  by,
  revision,
  task: "task-1",
  title: "x",
  assigned_to: by,
});
const line = (event: TeamEvent) => `\n${JSON.stringify(event)}\n`;

describe("appendEvent()", () => {
  const written = (event: TeamEvent) => {
    const added: string[] = [];
    appendEvent({ append: (_path, text) => void added.push(text), makeFolder: () => {} }, "log", event);
    return added.join();
  };

  it("writes one readable line of at most 4 KB, with long texts cut and too long lists omitted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3000 }), fc.integer({ min: 0, max: 80 }), (title, count) => {
        const dependencies = Array.from({ length: count }, (_, index) => `task-${index}`);
        const event = {
          kind: "task_created",
          at: now,
          by: "lead",
          revision: 1,
          task: "task-1",
          title,
          assigned_to: "ann",
          dependencies,
        } as const;
        const text = written(event);
        expect(text).toMatch(/^\n[^\n]+\n$/);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
        const read = teamEventSchema.parse(JSON.parse(text));
        const whole = {
          ...event,
          title: read.kind === "task_created" ? read.title : "",
          dependencies: count > 40 ? undefined : dependencies,
        };
        expect([whole, { ...whole, dependencies: undefined }]).toContainEqual({
          ...read,
          dependencies: "dependencies" in read ? read.dependencies : undefined,
        });
        if (title.length <= 120) expect(whole.title).toBe(title);
      }),
      { numRuns: 500 },
    );
  });

  it("cuts a message to a preview", () => {
    const event = {
      kind: "message_sent",
      at: now,
      by: "ann",
      message: "1-ann-0",
      mail: "message",
      to: "bo",
      text: "x".repeat(30_000),
    } as const;
    expect(JSON.parse(written(event))).toEqual({ ...event, text: `${"x".repeat(500)}…` });
  });
});

describe("readLog()", () => {
  it("returns complete new events and skips torn or foreign lines", () => {
    using team = temporaryTeam();
    const path = team.board.layout.log;
    writeFileSync(path, "");
    const log = readLog(ports.disk, path);
    appendFileSync(path, line(started("ann")));
    expect(log.next()).toEqual([started("ann")]);
    expect(log.next()).toEqual([]);
    appendFileSync(
      path,
      `\n{"kind":"member_started","at":"20${line(started("bo"))}not json\n{"kind":"unheard_of","at":"${now}","by":"x"}\n[]\n`,
    );
    expect(log.next()).toEqual([started("bo")]);
    const whole = line(started("cy"));
    appendFileSync(path, whole.slice(0, 20));
    expect(log.next()).toEqual([]);
    appendFileSync(path, whole.slice(20));
    expect(log.next()).toEqual([started("cy")]);
  });

  it("reads characters that are split between two reads", () => {
    using team = temporaryTeam();
    const path = team.board.layout.log;
    writeFileSync(path, "");
    const log = readLog(ports.disk, path);
    const bytes = Buffer.from(line(started("日本")));
    for (const byte of bytes.subarray(0, -1)) {
      appendFileSync(path, Buffer.from([byte]));
      expect(log.next()).toEqual([]);
    }
    appendFileSync(path, "\n");
    expect(log.next()).toEqual([started("日本")]);
  });

  it("starts again when the log was emptied, and is empty if there is none", () => {
    using team = temporaryTeam();
    const path = team.board.layout.log;
    writeFileSync(path, line(started("ann")) + line(started("bo")));
    const log = readLog(ports.disk, path);
    expect(log.next()).toHaveLength(2);
    writeFileSync(path, line(started("cy")));
    expect(log.next()).toEqual([started("cy")]);
    expect(readLog(ports.disk, `${path}.none`).next()).toEqual([]);
  });
});

describe("followLog()", () => {
  it("holds an event back until the list has reached its revision", () => {
    using team = temporaryTeam();
    const path = team.board.layout.log;
    writeFileSync(path, "");
    let revision: number | undefined = 1;
    const follower = followLog(ports.disk, path, () => revision);
    appendFileSync(path, line(claimed(1)) + line(claimed(2)) + line(started("bo")));
    expect(follower.next()).toEqual([claimed(1), started("bo")]);
    expect(follower.next()).toEqual([]);
    revision = 2;
    expect(follower.next()).toEqual([claimed(2)]);
  });

  it("uses the last of two events with the same revision: the writer of the first was killed", () => {
    using team = temporaryTeam();
    const path = team.board.layout.log;
    writeFileSync(path, "");
    let revision: number | undefined = 1;
    const follower = followLog(ports.disk, path, () => revision);
    appendFileSync(path, line(claimed(2, "ann")));
    expect(follower.next()).toEqual([]);
    appendFileSync(path, line(claimed(2, "bo")));
    revision = 2;
    expect(follower.next()).toEqual([claimed(2, "bo")]);
    revision = undefined;
    appendFileSync(path, line(claimed(9, "cy")));
    expect(follower.next()).toEqual([claimed(9, "cy")]);
  });
});
