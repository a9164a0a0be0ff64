import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../../src/edge/disk/disk.ts";
import { failing } from "../../failing-calls.ts";
import { lacks } from "../../needs.ts";
import { scratchFolder, smallDisk } from "../../scratch.ts";

/** Names, contents and modes of everything in a folder. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, `${modeOf(join(folder, name))} ${readFileSync(join(folder, name), "utf8")}`]),
  );
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
/** Above every pid that Linux and macOS assign. */
const nobody = 99_999_999;

it("names the file or folder whose sync fails, which the system does not", () => {
  const folder = scratchFolder();
  const [file, temporary] = [join(folder, "file"), join(folder, "file.x.tmp")];
  const sync = failing("fsyncSync", { code: "EMFILE", when: (path) => path.startsWith(folder), times: 3 });
  const named = (path: string) => expect.objectContaining({ code: "EMFILE", path });
  expect(() => disk.makeFolder(join(folder, "below"))).toThrow(named(folder));
  expect(() => disk.replace(file, "one")).toThrow(named(file));
  expect(() => disk.publish(temporary, file, "one")).toThrow(named(temporary));
  expect(sync.count()).toBe(3);
});

it("names the file to which nothing could be appended", () => {
  const folder = scratchFolder();
  const log = join(folder, "log");
  failing("writeSync", { code: "ENOSPC", when: (path) => path === log });
  expect(() => disk.append(log, "one\n")).toThrow(expect.objectContaining({ code: "ENOSPC", path: log }));
});

it("a shared file keeps its mode, and is made as the umask says", () => {
  const byUmask = (0o666 & ~process.umask()).toString(8);
  const shared = join(scratchFolder(), "shared");
  disk.replace(shared, "one", { shared: true });
  const made = modeOf(shared);
  chmodSync(shared, 0o664);
  disk.replace(shared, "two", { shared: true });
  disk.append(`${shared}.log`, "one", { shared: true });
  expect([made, modeOf(shared), modeOf(`${shared}.log`)]).toEqual([byUmask, "664", byUmask]);
});

describe("replace", () => {
  it("syncs nothing for what is of use only while its process lives", () => {
    const folder = scratchFolder();
    const sync = failing("fsyncSync", { code: "EIO", when: (path) => path.startsWith(folder) });
    disk.replace(join(folder, "status"), "works", { durable: false });
    expect(contents(folder)).toEqual({ status: "600 works" });
    expect(sync.count()).toBe(0);
  });

  it("writes a new file that only its owner can read, and leaves nothing beside it", () => {
    const folder = scratchFolder();
    disk.replace(join(folder, "list"), "one");
    expect(contents(folder)).toEqual({ list: "600 one" });
  });

  it("keeps the old file under the other name", () => {
    const folder = scratchFolder();
    const [list, prev] = [join(folder, "list"), join(folder, "prev")];
    for (const text of ["one", "two", "three"]) disk.replace(list, text, { keep: prev });
    expect(contents(folder)).toEqual({ list: "600 three", prev: "600 two" });
  });

  it("keeps nothing if there was nothing", () => {
    const folder = scratchFolder();
    disk.replace(join(folder, "list"), "one", { keep: join(folder, "prev") });
    expect(contents(folder)).toEqual({ list: "600 one" });
  });

  it("continues after a process was killed before its last rename, so that both names are one file", () => {
    const folder = scratchFolder();
    const [list, prev] = [join(folder, "list"), join(folder, "prev")];
    disk.replace(list, "one");
    linkSync(list, prev);
    disk.replace(list, "two", { keep: prev });
    expect(contents(folder)).toEqual({ list: "600 two", prev: "600 one" });
  });

  it("never writes into an existing temporary name, which may be a hard link to the file itself", () => {
    const folder = scratchFolder();
    const list = join(folder, "list");
    disk.replace(list, "one");
    linkSync(list, `${list}.${process.pid}.0.tmp`);
    disk.replace(list, "two", { keep: join(folder, "prev") });
    expect(contents(folder)).toEqual({ list: "600 two", prev: "600 one", [`list.${process.pid}.0.tmp`]: "600 one" });
  });

  it("removes files that killed processes left, and nothing else", () => {
    const folder = scratchFolder();
    const names = [
      `list.${nobody}.0.tmp`,
      `prev.${nobody}.7.tmp`,
      `list.${process.ppid}.0.tmp`,
      `other.${nobody}.0.tmp`,
      `list.${nobody}.json`,
    ];
    for (const name of names) writeFileSync(join(folder, name), "");
    disk.replace(join(folder, "list"), "one", { keep: join(folder, "prev") });
    expect(readdirSync(folder).sort()).toEqual(
      ["list", `list.${nobody}.json`, `list.${process.ppid}.0.tmp`, `other.${nobody}.0.tmp`].toSorted(),
    );
  });

  it("names the file in its error, not the temporary one", () => {
    const path = join(scratchFolder(), "list");
    for (const name of ["openSync", "fsyncSync", "renameSync"] as const) {
      const refused = failing(name, { code: "EACCES", when: (at) => at.endsWith(".tmp") });
      expect(() => disk.replace(path, "one")).toThrow(expect.objectContaining({ code: "EACCES", path }));
      expect(refused.count()).toBe(1);
      refused.mend();
    }
  });

  it("leaves nothing when it fails", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "list"));
    expect(() => disk.replace(join(folder, "list"), "one")).toThrow("EISDIR");
    expect(readdirSync(folder)).toEqual(["list"]);
  });
});

describe("append", () => {
  it("adds at the end of a file that only its owner can read", () => {
    const folder = scratchFolder();
    disk.append(join(folder, "log"), "one\n");
    disk.append(join(folder, "log"), "zwölf\n", { durable: true });
    expect(contents(folder)).toEqual({ log: "600 one\nzwölf\n" });
  });

  it("fails in a missing folder", () => {
    expect(() => disk.append(join(scratchFolder(), "none", "log"), "one\n")).toThrow("ENOENT");
  });
});

describe("publish", () => {
  it("creates a file where there is none, and returns false if there is one", () => {
    const folder = scratchFolder();
    const [draft, place] = [join(folder, "draft"), join(folder, "place")];
    expect([disk.publish(draft, place, "first"), disk.publish(draft, place, "second")]).toEqual([true, false]);
    expect(contents(folder)).toEqual({ place: "600 first" });
  });

  it("spares a published file whose temporary name was left by a killed process", () => {
    const folder = scratchFolder();
    disk.publish(join(folder, "draft"), join(folder, "first"), "first");
    linkSync(join(folder, "first"), join(folder, "draft"));
    expect(disk.publish(join(folder, "draft"), join(folder, "second"), "second")).toBe(true);
    expect(contents(folder)).toEqual({ first: "600 first", second: "600 second" });
  });

  it("leaves no draft if the place cannot be reached", () => {
    const folder = scratchFolder();
    expect(() => disk.publish(join(folder, "draft"), join(folder, "none", "place"), "text")).toThrow("ENOENT");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("move", () => {
  it("renames, and returns false if there is nothing to rename", () => {
    const folder = scratchFolder();
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    disk.replace(from, "text");
    expect([disk.move(from, to), disk.move(from, to)]).toEqual([true, false]);
    expect(contents(folder)).toEqual({ to: "600 text" });
  });

  it("fails if the target folder is missing", () => {
    const folder = scratchFolder();
    disk.replace(join(folder, "from"), "text");
    expect(() => disk.move(join(folder, "from"), join(folder, "none", "to"))).toThrow("ENOENT");
  });
});

describe("an error of a change that was made, as a network file system may report it", () => {
  it.each(["EIO", "EEXIST"])("(%s) does not publish a message as refused or taken", (code) => {
    const folder = scratchFolder();
    const call = failing("linkSync", { code, when: (path) => path === join(folder, "draft"), after: true });
    expect([disk.publish(join(folder, "draft"), join(folder, "place"), "text"), call.count()]).toEqual([true, 1]);
    expect(contents(folder)).toEqual({ place: "600 text" });
  });

  it("does not report a replaced or moved file as unchanged", () => {
    const folder = scratchFolder();
    const [list, moved] = [join(folder, "list"), join(folder, "moved")];
    const call = failing("renameSync", { code: "EIO", when: (path) => path.startsWith(folder), after: true });
    disk.replace(list, "text");
    expect([disk.move(list, moved), call.count()]).toEqual([true, 2]);
    expect(contents(folder)).toEqual({ moved: "600 text" });
  });
});

it("waits for no writer or reader of a FIFO", () => {
  const fifo = join(scratchFolder(), "fifo");
  execFileSync("mkfifo", [fifo]);
  expect(() => disk.readFrom(fifo, 0)).toThrow("it is not a file");
  expect(() => disk.append(fifo, "one\n")).toThrow("ENXIO");
});

describe("folders", () => {
  it("are created with their parents, for their owner alone, and may exist already", () => {
    const folder = scratchFolder();
    const deep = join(folder, "a", "b", "c");
    disk.makeFolder(deep);
    disk.makeFolder(deep);
    disk.makeFolder(join(folder, "soon"), { durable: false });
    const made = ["a", "a/b", "a/b/c", "soon"].map((name) => modeOf(join(folder, name)));
    expect(made).toEqual(["700", "700", "700", "700"]);
  });

  it("are created as the umask says if they are shared", () => {
    const folder = scratchFolder();
    disk.makeFolder(join(folder, "a", "b"), { shared: true });
    const byUmask = (0o777 & ~process.umask()).toString(8);
    expect(["a", "a/b"].map((name) => modeOf(join(folder, name)))).toEqual([byUmask, byUmask]);
  });

  it("are not created in place of a file", () => {
    const folder = scratchFolder();
    disk.replace(join(folder, "file"), "text");
    expect(() => disk.makeFolder(join(folder, "file"))).toThrow("EEXIST");
    expect(() => disk.makeFolder(join(folder, "file", "below"))).toThrow("ENOTDIR");
    if (process.platform === "linux") expect(() => disk.makeFolder("/proc/none/deep")).toThrow('no folder can be made in "/proc"');
  });

  it("are listed in order; a missing one is empty", () => {
    const folder = scratchFolder();
    for (const name of ["b", "10", "a", "9"]) disk.replace(join(folder, name), "");
    expect([disk.list(folder), disk.list(join(folder, "none"))]).toEqual([["10", "9", "a", "b"], []]);
  });
});

describe("reading", () => {
  it("gives the bytes, or nothing if there is no such file", () => {
    const folder = scratchFolder();
    disk.replace(join(folder, "file"), "text");
    expect([disk.read(join(folder, "file")), disk.read(join(folder, "none"))]).toEqual([Buffer.from("text"), undefined]);
    expect(["file", "none", "file/below"].map((name) => disk.size(join(folder, name)))).toEqual([4, undefined, undefined]);
  });

  it("is repeated if the system fails one call, and throws if it fails each time", () => {
    const path = join(scratchFolder(), "file");
    disk.replace(path, "text");
    const when = (target: string) => target === path;
    failing("readFileSync", { code: "EIO", when, times: 2 });
    expect(disk.read(path)?.toString()).toBe("text");
    failing("openSync", { code: "EIO", when });
    expect(() => disk.read(path)).toThrow("EIO");
  });

  it("fails if a link leads to itself, instead of reporting no file", () => {
    const folder = scratchFolder();
    symlinkSync(join(folder, "ring"), join(folder, "ring"));
    expect(() => disk.read(join(folder, "ring"))).toThrow("ELOOP");
  });

  it("continues from an offset", () => {
    const log = join(scratchFolder(), "log");
    disk.append(log, "one\ntwo\n");
    expect(disk.readFrom(log, 4)).toEqual({ bytes: Buffer.from("two\n"), size: 8 });
    expect(disk.readFrom(log, 8)).toEqual({ bytes: Buffer.alloc(0), size: 8 });
    expect(disk.readFrom(log, 100)).toEqual({ bytes: Buffer.alloc(0), size: 8 });
    expect(disk.readFrom(`${log}.none`, 0)).toEqual({ bytes: Buffer.alloc(0), size: 0 });
  });
});

it("removes, and does nothing if there is nothing", () => {
  const folder = scratchFolder();
  disk.replace(join(folder, "file"), "text");
  disk.remove(join(folder, "file"));
  disk.remove(join(folder, "file"));
  expect(readdirSync(folder)).toEqual([]);
});

describe.skipIf(await lacks("a file system of its own"))("a full disk", () => {
  it("leaves the old file and no other", () => {
    const { folder } = smallDisk("size=64k");
    const [list, prev] = [join(folder, "list"), join(folder, "prev")];
    disk.replace(list, "one", { keep: prev });
    disk.replace(list, "two", { keep: prev });
    const much = "x".repeat(100_000);
    expect(() => disk.replace(list, much, { keep: prev })).toThrow("ENOSPC");
    expect(() => disk.publish(join(folder, "draft"), join(folder, "place"), much)).toThrow("ENOSPC");
    expect(contents(folder)).toEqual({ list: "600 two", prev: "600 one" });
  });

  it("is noticed by an append that could write only a part, which is undone", () => {
    const { folder } = smallDisk("size=64k");
    const log = join(folder, "log");
    expect(() => disk.append(log, "x".repeat(100_000))).toThrow(
      `Cannot append to "${log}": only 65536 of 100000 bytes were written. Make room on the disk.`,
    );
    disk.append(log, "more");
    expect(contents(folder)).toEqual({ log: "600 more" });
  });

  it("may be read-only", () => {
    const { folder, remount } = smallDisk("size=64k");
    disk.replace(join(folder, "list"), "one");
    remount("ro");
    for (const write of [
      () => disk.replace(join(folder, "list"), "two"),
      () => disk.append(join(folder, "list"), "two"),
      () => disk.publish(join(folder, "draft"), join(folder, "place"), "two"),
      () => disk.remove(join(folder, "list")),
    ])
      expect(write).toThrow("EROFS");
    expect(contents(folder)).toEqual({ list: "600 one" });
  });
});
