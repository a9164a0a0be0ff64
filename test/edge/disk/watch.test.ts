import { appendFileSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { watch } from "../../../src/edge/disk/watch.ts";
import { eventually, scratchFolder } from "../../scratch.ts";

// Polls run only when a test says so; all other notices are the operating system's own.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());
const pollMs = 1000;
const poll = () => vi.advanceTimersByTime(pollMs);

/** A watch that counts its calls. */
function counted(...folders: string[]): { calls: number; stop: () => void } {
  const counter = { calls: 0, stop: () => {} };
  counter.stop = watch.watch(folders, () => void counter.calls++, { pollMs });
  onTestFinished(() => counter.stop());
  return counter;
}
const callsOf = (counter: { calls: number }, calls: number) => eventually(() => counter.calls === calls);

it("notices a change in any of the folders", async () => {
  const [one, two] = [scratchFolder(), scratchFolder()];
  const counter = counted(one, two);
  writeFileSync(join(one, "file"), "");
  await callsOf(counter, 1);
  writeFileSync(join(two, "file"), "");
  await callsOf(counter, 2);
  appendFileSync(join(two, "file"), "more");
  await callsOf(counter, 3);
});

it("makes one call of many changes at once", async () => {
  const folder = scratchFolder();
  const counter = counted(folder);
  for (let index = 0; index < 30; index++) writeFileSync(join(folder, `file-${index}`), "text");
  await eventually(() => counter.calls > 0);
  rmSync(join(folder, "file-0"));
  await eventually(() => counter.calls > 1);
  expect(counter.calls).toBe(2);
});

it("calls at each poll, whether the system notifies or not", async () => {
  const counter = counted(scratchFolder());
  poll();
  await callsOf(counter, 1);
  poll();
  await callsOf(counter, 2);
});

it("picks up a folder that was missing, at the next poll", async () => {
  const folder = join(scratchFolder(), "later");
  const counter = counted(folder);
  poll();
  await callsOf(counter, 1);
  mkdirSync(folder);
  poll();
  await callsOf(counter, 2);
  writeFileSync(join(folder, "file"), "");
  await callsOf(counter, 3);
});

it("picks up a folder that was removed and created again", async () => {
  const folder = join(scratchFolder(), "again");
  mkdirSync(folder);
  const counter = counted(folder);
  rmdirSync(folder);
  await eventually(() => counter.calls > 0);
  mkdirSync(folder);
  const before = counter.calls;
  poll();
  await callsOf(counter, before + 1);
  writeFileSync(join(folder, "file"), "");
  await callsOf(counter, before + 2);
});

it("is silent once stopped", async () => {
  const folder = scratchFolder();
  const [stopped, running] = [counted(folder), counted(folder)];
  writeFileSync(join(folder, "file"), "");
  stopped.stop();
  await eventually(() => running.calls > 0);
  poll();
  await eventually(() => running.calls > 1);
  expect(stopped.calls).toBe(0);
});
