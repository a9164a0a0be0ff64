// The messages for disk errors come from one table: every caller reports the same error in the same words.
import { expect, it } from "vitest";
import { diskFault } from "../../src/app/disk-fault.ts";
import { diskErrorWords, errorCode, faultSentence } from "../../src/wording/error-text.ts";

it.each(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENOTDIR", "EISDIR", "EIO", "ESTALE", "EMFILE", "ELOOP"])(
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

const systemError = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: as the system says it`), { code, ...(path && { path }) });

it.each([
  ["Unknown system error -122", "EDQUOT"],
  ["Unknown system error -116", "ESTALE"],
  ["Unknown system error -69", "EDQUOT"],
  ["Unknown system error -70", "ESTALE"],
  ["ENOENT", "ENOENT"],
])("names the error that Node calls %s", (code, name) => {
  expect(errorCode(systemError(code))).toBe(name);
});

it("says what was found and where, what that means, and what to do about this very error", () => {
  expect(faultSentence(systemError("EMFILE", "/repo/list"), "It is unchanged")).toBe(
    "this process has too many files open (/repo/list). It is unchanged. Raise the limit, as `ulimit -n 4096` does in a shell, and try again",
  );
  expect(faultSentence(systemError("Unknown system error -122"), "Nothing was sent")).toBe(
    "the disk quota is used up. Nothing was sent. Make room there",
  );
  expect(faultSentence(systemError("EODD"), "It is unchanged")).toBe("EODD: as the system says it. It is unchanged. Try again");
});
