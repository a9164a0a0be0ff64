// The messages for disk errors come from one table: every caller reports the same error in the same words.
import { expect, it } from "vitest";
import { diskFault } from "../../src/app/disk-fault.ts";
import { diskErrorWords } from "../../src/wording/error-text.ts";

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
