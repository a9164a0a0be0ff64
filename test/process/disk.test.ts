import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import type { DiskWork } from "../programs/disk-worker.ts";
import { eventually, scratchFolder, startProgram } from "../scratch.ts";
import { seeded } from "./seeded.ts";

const startWorker = (work: DiskWork) => startProgram("disk-worker", work);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it.each([0o000, 0o027, 0o377])("files are readable by their owner only under umask %o", async (umask) => {
  const folder = scratchFolder();
  const { ended, output } = startWorker({ kind: "umask", folder, umask });
  expect([await ended, output()]).toEqual([{ code: 0, signal: null }, ""]);
  const names = ["deep", "deep/folder", "list", "prev", "log", "message"];
  expect(names.map((name) => `${name} ${modeOf(join(folder, name))}`)).toEqual([
    "deep 700",
    "deep/folder 700",
    "list 600",
    "prev 600",
    "log 600",
    "message 600",
  ]);
});

it("a replaced file is complete after a SIGKILL at any moment, and so is the previous one", async () => {
  const folder = scratchFolder();
  const [list, prev] = [join(folder, "list"), join(folder, "prev")];
  for (const number of [1, 2]) disk.replace(list, textOf(number), { keep: prev });
  const random = seeded(7);
  for (let round = 0; round < 20; round++) {
    const before = readFileSync(list, "utf8");
    const { child, ended } = startWorker({ kind: "replace", folder, after: wholeNumber(before) });
    await eventually(() => readFileSync(list, "utf8") !== before);
    await new Promise((resolve) => setTimeout(resolve, random() * 20));
    child.kill("SIGKILL");
    await ended;
    const [newest, older] = [list, prev].map((path) => wholeNumber(readFileSync(path, "utf8")));
    // A kill between the two renames leaves one file under both names.
    expect([newest, newest! - 1]).toContain(older);
  }
  disk.replace(list, "end", { keep: prev });
  expect(readdirSync(folder).sort()).toEqual(["list", "prev"]);
});

const textOf = (number: number) => `${number} ${"x".repeat(50_000)} ${number}`;

/** The number at both ends of the text, if the text between them is complete. */
function wholeNumber(text: string): number {
  const [, first, last] = /^(\d+) x{50000} (\d+)$/.exec(text) ?? [];
  expect(first).toMatch(/^\d+$/);
  expect(last).toBe(first);
  return Number(first);
}
