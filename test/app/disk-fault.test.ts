// What a person reads when a disk refuses: advice about the configuration folder appears only for errors in that folder.
import { expect, it } from "vitest";
import { diskFault } from "../../src/app/disk-fault.ts";

const configDir = "/home/me/.tool";
const own = `Sessions and teams are kept in ${configDir}: make room there and make it writable, or set TOOL_CONFIG_DIR to another folder.`;
const allow = "Give yourself the permission, or choose another place.";

it.each([
  ["EACCES", "/home/me/.tool", "permission denied", own],
  ["ENOSPC", "/home/me/.tool/teams/atlas/lock", "the disk is full", own],
  ["EROFS", "/home/me", "the file system is read-only", own],
  ["EACCES", "/repo/.tool", "permission denied", allow],
  ["EPERM", "/home/me/.toolbox/settings.json", "the system does not permit it", allow],
  ["ENOSPC", "/repo/.gitignore", "the disk is full", "Make room there."],
  ["EROFS", "/repo/.tool", "the file system is read-only", "Make it writable, or choose another place."],
  ["ENOTDIR", "/repo/.tool/settings.json", "a part of the path is a file", "Move that file away, or choose another place."],
  [
    "EMFILE",
    "/home/me/.tool/teams",
    "this process has too many files open",
    "Raise the limit, as `ulimit -n 4096` does in a shell, and try again.",
  ],
  ["ENFILE", "/repo/.tool", "this machine has too many files open", "End programs that you do not need, and try again."],
])("%s at %s", (code, path, why, advice) => {
  expect(diskFault({ code, path }, configDir)).toEqual({ text: `Cannot use ${path}: ${why}`, advice });
});

it("without a path says what was found, and where everything is kept", () => {
  expect(diskFault({ code: "ENOSPC", message: "Only 3 of 9 bytes were written." }, configDir)).toEqual({
    text: "Only 3 of 9 bytes were written",
    advice: own,
  });
});

it("does not repeat the system's words if it names no path", () => {
  const message = "ENOSPC: no space left on device, write";
  expect(diskFault({ code: "ENOSPC", message }, configDir)).toEqual({ text: "Cannot use a file: the disk is full", advice: own });
});

it.each(["ENOENT", "ECONNREFUSED", undefined])("is silent about %s", (code) => {
  expect(diskFault({ code, path: "/repo/file" }, configDir)).toBeUndefined();
});
