import { expect, it } from "vitest";
import { byEachName } from "../../../src/shell/tables/by-each-name.ts";
import { fileEntries } from "../../../src/shell/tables/file-operands.ts";
import { subWrappers } from "../../../src/shell/tables/sub-wrappers.ts";
import { wrappers } from "../../../src/shell/tables/wrappers.ts";

it("byEachName() has a row under each of its names, blanks within a name included", () => {
  expect([...byEachName({ "a, b c": 1, d: 2 })]).toEqual([
    ["a", 1],
    ["b c", 1],
    ["d", 2],
  ]);
});

it("finds programs that share a row in each table", () => {
  expect(wrappers.get("gtimeout")).toEqual(wrappers.get("timeout"));
  expect(subWrappers.get("npm x")).toEqual(subWrappers.get("npm exec"));
  expect(fileEntries.get("sha512sum")).toEqual(fileEntries.get("cat"));
  expect(fileEntries.get("gcp")).toEqual(fileEntries.get("cp"));
  expect([...wrappers.keys(), ...subWrappers.keys(), ...fileEntries.keys()].filter((name) => name.includes(","))).toEqual([]);
});
