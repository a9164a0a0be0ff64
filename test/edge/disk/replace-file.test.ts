import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdingHere } from "../../../src/edge/disk/held-folder.ts";
import { versionOf } from "../../../src/edge/disk/opened-file.ts";
import { rawPath } from "../../../src/edge/disk/raw-path.ts";
import { removeFile } from "../../../src/edge/disk/remove-file.ts";
import { replaceFile } from "../../../src/edge/disk/replace-file.ts";
import { type Tree, tree } from "../../tools/tree.ts";

let folder: Tree;
let claim: string;
beforeEach(() => {
  folder = tree({ "a.txt": "a" });
  const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(folder.at("a.txt"), { bigint: true });
  const digest = createHash("sha256").update([dev, ino, size, mtimeNs, ctimeNs].join(" ")).digest("hex");
  claim = folder.at(`.a.txt.${digest.slice(0, 16)}.tmp`);
  writeFileSync(claim, "of another agent");
});
afterEach(() => folder.remove());

/** Writes "x" while the claim is there. `onWait` gets the time waited; returns the outcome, and what is in the folder. */
async function write(onWait: (ms: number) => void) {
  let nowMs = 0;
  const sleep = async (ms: number) => {
    nowMs += ms;
    onWait(nowMs);
  };
  const order = { bytes: Buffer.from("x"), expected: versionOf(Buffer.from("a")), holding: "recheck" as const };
  const { kind } = await replaceFile(folder.at("a.txt"), { ...order, clock: { monotonicMs: () => nowMs, sleep } });
  return [kind, folder.text("a.txt"), readdirSync(folder.path)];
}

it("makes a file, and folders to it, under names that are not UTF-8", async () => {
  const path = folder.at("d\udcfe/n\udcff");
  const order = { bytes: Buffer.from("x"), expected: undefined, holding: holdingHere() };
  expect((await replaceFile(path, order)).kind).toBe("written");
  expect(readFileSync(rawPath(path), "utf8")).toBe("x");
  expect(removeFile(path, { expected: versionOf(order.bytes), holding: order.holding }).kind).toBe("removed");
});

describe("another agent's claim on the same content", () => {
  it.each([0, 4_000_000_000])("is removed only after it stayed for ten seconds, whatever its time is: %d", async (seconds) => {
    utimesSync(claim, seconds, seconds);
    let waitedMs = 0;
    const outcome = await write((ms) => {
      waitedMs = ms;
    });
    expect([outcome, waitedMs >= 10_000 && waitedMs < 10_200]).toEqual([["written", "x", ["a.txt"]], true]);
  });

  it("lets nobody past if it goes, or if another takes its place", async () => {
    const replaced = await write(() => {
      folder.put("third", "of a third agent");
      renameSync(folder.at("third"), claim);
    });
    expect(replaced).toEqual(["changed", "a", [basename(claim), "a.txt"]]);
    expect(await write(() => rmSync(claim, { force: true }))).toEqual(["changed", "a", ["a.txt"]]);
  });
});
