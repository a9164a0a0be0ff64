import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patientDisk } from "../../../src/edge/disk/patient-disk.ts";
import { failing } from "../../failing-calls.ts";
import { scratchFolder } from "../../scratch.ts";

/** A disk that refuses below one folder, and a clock that moves only with `tick`. */
function refusingDisk(code = "ENOSPC") {
  const folder = scratchFolder();
  const told: (string | undefined)[] = [];
  const sleepers: (() => void)[] = [];
  let nowMs = 0;
  const disk = patientDisk({
    onWait: (refusal) => told.push(refusal?.words),
    monotonicMs: () => nowMs,
    sleep: () => new Promise((resolve) => sleepers.push(resolve)),
  });
  const refusing = failing("openSync", { code, when: (path) => path.startsWith(folder) });
  const tick = async (ms: number) => {
    nowMs += ms;
    for (const wake of sleepers.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const at = (name: string) => join(folder, name);
  return { disk, told, tick, at, text: (name: string) => readFileSync(at(name), "utf8"), refusing };
}

describe("a disk that refuses for a while", () => {
  it("receives the writes that were kept meanwhile in order, once it accepts them, and both states are reported", async () => {
    const { disk, told, tick, at, text, refusing } = refusingDisk();
    disk.append(at("log"), "one\n");
    disk.replace(at("status"), "old");
    disk.append(at("log"), "two\n");
    disk.replace(at("status"), "new");
    expect(disk.publish(at("draft"), at("message"), "mail")).toBe(true);
    await tick(100);
    expect([disk.unwritten(), existsSync(at("log")), told]).toEqual([4, false, ["the disk is full"]]);
    refusing.mend();
    await tick(100);
    await disk.written();
    expect([text("log"), text("status"), text("message"), disk.unwritten()]).toEqual(["one\ntwo\n", "new", "mail", 0]);
    expect([told, existsSync(at("draft"))]).toEqual([["the disk is full", undefined], false]);
  });

  it.each([
    ["Unknown system error -122", "the disk quota is used up"],
    ["Unknown system error -116", "the file server lost it"],
  ])("is waited for if Node has no name for its reason, %s", async (code, words) => {
    const { disk, told, tick, at, text, refusing } = refusingDisk(code);
    disk.append(at("log"), "one\n");
    await tick(100);
    refusing.mend();
    await tick(100);
    await disk.written();
    expect([text("log"), told]).toEqual(["one\n", [words, undefined]]);
  });

  it("is waited for by a caller that must not continue before that", async () => {
    const { disk, tick, at, refusing } = refusingDisk();
    disk.append(at("log"), "line\n");
    let isWritten = false;
    const written = disk.written().then(() => {
      isWritten = true;
    });
    await tick(1000);
    await tick(1000);
    expect(isWritten).toBe(false);
    refusing.mend();
    await tick(1000);
    await written;
  });

  it("is not waited for by an interrupted caller, and receives the writes anyway", async () => {
    const { disk, tick, at, text, refusing } = refusingDisk();
    const interrupt = new AbortController();
    disk.append(at("log"), "line\n");
    const written = disk.written(interrupt.signal);
    interrupt.abort();
    await written;
    expect(disk.unwritten()).toBe(1);
    refusing.mend();
    await tick(1000);
    expect(text("log")).toBe("line\n");
  });

  it("shows the kept content of a whole file to its readers", () => {
    const { disk, at } = refusingDisk();
    disk.replace(at("record"), "kept");
    expect(disk.read(at("record"))?.toString()).toBe("kept");
  });

  it.each([
    ["ENOSPC", 30 * 60_000],
    ["EDQUOT", 30 * 60_000],
    ["EIO", 60_000],
    ["EMFILE", 60_000],
  ])("that continues to refuse (%s) is given up in time, with its own error", async (code, limitMs) => {
    const { disk, tick, at, refusing, told } = refusingDisk(code);
    disk.append(at("log"), "line\n");
    const written = disk.written();
    const settled = written.then(
      () => "written",
      (error: Error) => error.message,
    );
    await tick(0);
    await tick(limitMs - 1);
    expect(refusing.count()).toBeGreaterThan(1);
    await tick(1);
    expect(await settled).toContain(`${code}: injected`);
    expect(told).toHaveLength(1); // nobody is told that the disk accepts writes again
  });

  it("does not keep a process from ending: what is kept is tried once more, and counted", async () => {
    const { disk, tick, at, text, refusing } = refusingDisk();
    disk.append(at("log"), "one\n");
    await tick(0);
    disk.hurry();
    disk.append(at("log"), "two\n");
    await tick(0);
    expect(disk.unwritten()).toBe(2);
    refusing.mend();
    disk.hurry();
    expect([disk.unwritten(), text("log")]).toEqual([0, "one\ntwo\n"]);
  });
});

it("throws permanent errors at once", () => {
  const { disk, at, told } = refusingDisk("EACCES");
  expect(() => disk.append(at("log"), "line\n")).toThrow("EACCES");
  expect(() => disk.replace(at("status"), "text")).toThrow("EACCES");
  expect([disk.unwritten(), told]).toEqual([0, []]);
});

it("an attempt is repeated until it succeeds", async () => {
  const { disk, tick, at, refusing } = refusingDisk();
  const attempt = disk.untilDone(() => disk.now.publish(at("draft"), at("claim"), "text"));
  await tick(100);
  await tick(200);
  expect(refusing.count()).toBe(3);
  refusing.mend();
  await tick(400);
  expect(await attempt).toBe(true);
});

it("a folder that could not be synced after a change is synced later, and the change counts as made", async () => {
  const { disk, tick, at, text, told, refusing } = refusingDisk("EIO");
  refusing.mend();
  const sync = failing("fsyncSync", { code: "EIO", when: (path) => path === join(at("."), ".").replace(/\/\.$/, ""), times: 2 });
  disk.replace(at("list"), "new");
  expect([text("list"), disk.unwritten()]).toEqual(["new", 1]);
  await tick(100);
  await tick(200);
  await disk.written();
  expect([sync.count(), disk.unwritten(), told]).toEqual([2, 0, ["the disk reports an error", undefined]]);
});
