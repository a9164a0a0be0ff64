import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { damageNotice, openTranscript, projectName, transcriptPath } from "../../../src/agent/session/transcript.ts";
import { disk } from "../../../src/edge/disk/disk.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tool-test-transcript-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const notice = (text: string): TranscriptEvent => ({ type: "notice", level: "info", text, at: "" });

describe("openTranscript()", () => {
  it("gives back what was appended, across processes", () => {
    const path = join(folder, "s.jsonl");
    openTranscript(disk, path).append(notice("one"), { durable: true });
    openTranscript(disk, path).append(notice("two\nlines"));
    expect(openTranscript(disk, path).events()).toEqual([notice("one"), notice("two\nlines")]);
  });

  it("reports unreadable lines in the middle, but not a last line that a kill has cut", () => {
    const path = join(folder, "s.jsonl");
    const transcript = openTranscript(disk, path);
    for (const text of ["one", "two", "three"]) transcript.append(notice(text));
    writeFileSync(path, `${readFileSync(path, "utf8").replace('"two"', '"tw')}{"type":"noti`);
    expect(openTranscript(disk, path).damagedLines()).toEqual([2]);
    expect(damageNotice(openTranscript(disk, path))).toMatch(/^Line 2 of .*s\.jsonl cannot be read and is left out of this session/);
    writeFileSync(path, `${JSON.stringify(notice("one"))}\n{"type":"noti`);
    expect(damageNotice(openTranscript(disk, path))).toBeUndefined();
  });

  it("continues from the last complete event after a kill in the middle of a line", () => {
    const path = join(folder, "s.jsonl");
    openTranscript(disk, path).append(notice("one"));
    appendFileSync(path, '{"type":"notice","text":"ha');
    const transcript = openTranscript(disk, path);
    expect(transcript.events()).toEqual([notice("one")]);
    transcript.append(notice("two"));
    expect(openTranscript(disk, path).events()).toEqual([notice("one"), notice("two")]);
    expect(readFileSync(path, "utf8").split("\n").length).toBe(4);
  });

  it("is empty when there is no file", () => {
    expect(openTranscript(disk, join(folder, "none.jsonl")).events()).toEqual([]);
    writeFileSync(join(folder, "empty.jsonl"), "");
    expect(openTranscript(disk, join(folder, "empty.jsonl")).events()).toEqual([]);
  });
});

describe("projectName()", () => {
  it("turns a path into a folder name, unique for long paths", () => {
    expect(transcriptPath("/c", "/home/x/my repo", "id")).toBe("/c/projects/-home-x-my-repo/id.jsonl");
    const long = `/${"a".repeat(300)}`;
    expect(projectName(`${long}1`)).not.toBe(projectName(`${long}2`));
    expect(projectName(long).length).toBeLessThanOrEqual(120);
  });
});
