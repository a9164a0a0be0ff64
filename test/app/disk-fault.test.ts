// What a person reads when a disk refuses: advice about the configuration folder appears only for errors in that folder.
import { expect, it } from "vitest";
import { diskFault } from "../../src/app/disk-fault.ts";

const configDir = "/home/me/.tool";
const own = (there: string) => `Sessions and teams are kept in ${configDir}: ${there}, or set TOOL_CONFIG_DIR to another folder.`;
const permission = own("give yourself the permission to write there");
const allow = "Give yourself the permission, or choose another place.";

it.each([
  ["EACCES", "/home/me/.tool", "permission denied", permission],
  ["EPERM", "/home/me/.tool/sessions", "the system does not permit it", permission],
  ["EDQUOT", "/home/me/.tool", "the disk quota is used up", own("make room there")],
  ["EIO", "/home/me/.tool", "the disk reports an error", own("check that disk")],
  ["ENOTDIR", "/home/me/.tool/teams", "a part of the path is a file", own("move the file away that is in its place")],
  ["ENOSPC", "/home/me/.tool/teams/atlas/lock", "the disk is full", own("make room there")],
  ["EROFS", "/home/me", "the file system is read-only", own("make it writable")],
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
    advice: own("make room there"),
  });
});

it("does not repeat the system's words if it names no path", () => {
  const message = "ENOSPC: no space left on device, write";
  expect(diskFault({ code: "ENOSPC", message }, configDir)).toEqual({
    text: "Cannot use a file: the disk is full",
    advice: own("make room there"),
  });
});

it.each(["ENOENT", "ECONNREFUSED", undefined])("is silent about %s", (code) => {
  expect(diskFault({ code, path: "/repo/file" }, configDir)).toBeUndefined();
});
