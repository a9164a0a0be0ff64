import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { disk } from "../../../src/edge/disk/disk.ts";
import { createLineHistory } from "../../../src/screen/editor/line-history.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tool-history-"));
  file = join(folder, "project", "history");
});
afterEach(() => rmSync(folder, { recursive: true }));

const history = () => createLineHistory(disk, file);

it("keeps lines across sessions, in a file that only the person can read", () => {
  history().add("one");
  history().add("two\nlines");
  expect(history().load()).toEqual(["one", "two\nlines"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("lists a repeated line once, and skips invalid lines", () => {
  for (const line of ["a", "a", "b", "x".repeat(20_000)]) history().add(line);
  writeFileSync(file, `${readFileSync(file, "utf8")}{"no":"line"}\n"cut`);
  expect(history().load()).toEqual(["a", "b"]);
});

it("keeps a line that the disk refuses, and writes it with the next one", () => {
  const typed = history();
  writeFileSync(join(folder, "project"), "in the way of the folder");
  typed.add("refused");
  rmSync(join(folder, "project"));
  typed.add("next");
  typed.add("last");
  expect(history().load()).toEqual(["refused", "next", "last"]);
});

it("is loaded from a disk that refuses to shorten it", () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => `"${index}"\n`).join("");
  mkdirSync(join(folder, "project"));
  writeFileSync(file, lines);
  const full = {
    ...disk,
    replace() {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    },
  };
  expect(createLineHistory(full, file).load()).toHaveLength(500);
});

it("grows no further than twice what it keeps", () => {
  history().add("first");
  writeFileSync(file, Array.from({ length: 1_200 }, (_, index) => `"${index}"\n`).join(""));
  expect(history().load()).toEqual(Array.from({ length: 500 }, (_, index) => String(700 + index)));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(501);
});
