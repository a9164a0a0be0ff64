import { expect, it } from "vitest";
import { diskNotice, flushDisk } from "../../src/app/disk-notice.ts";
import { diskMeaning } from "../../src/wording/error-text.ts";

it.each([
  ["ENOSPC", "The disk is full: waiting until /c can be written again. Nothing is lost. Make room there."],
  [
    "EMFILE",
    "This process has too many files open: waiting until /c can be written again. Nothing is lost. Raise the limit, as `ulimit -n 4096` does in a shell, and try again.",
  ],
])("a wait for %s says what to do about that", (code, text) => {
  expect(diskNotice(diskMeaning(code), "/c")).toBe(text);
});

it("a process that ends before the disk accepts its writes says why, and what to do about that", () => {
  const refused = { unwritten: () => 2, refusal: () => diskMeaning("EIO")!, hurry: () => {} };
  expect(() => flushDisk(refused, "/c/log")).toThrow(
    "The last 2 writes of this session failed, because the disk refuses them (the disk reports an error): /c/log ends before them. Check that disk.",
  );
});
