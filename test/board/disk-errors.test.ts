// The words for errors of a disk are in one table: whoever reports one says the same.
import { expect, it } from "vitest";
import { diskFault } from "../../src/app/disk-fault.ts";
import { diskErrorWords } from "../../src/board/disk-errors.ts";

it.each(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENOTDIR", "EIO"])(
  "%s is said in the same words with and without advice",
  (code) => {
    const words = diskErrorWords(code);
    expect(words).toMatch(/^[a-z].*[^.]$/);
    expect(diskFault({ code, path: "/repo/a" }, "/home/me/.tool")?.text).toBe(`Cannot use /repo/a: ${words}`);
  },
);

it.each(["ENOENT", "toString", undefined])("has none for %s", (code) => {
  expect(diskErrorWords(code)).toBeUndefined();
});
