// A real disk with an editor before it, whose texts are in memory.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editorsDisk } from "../../../src/agent/workspace/editors-disk.ts";
import { files } from "../../../src/edge/disk/files.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import { scratchFolder } from "../../scratch.ts";

function place(saved: string | Buffer, open?: string, { writes = true } = {}) {
  const path = join(scratchFolder(), "a.txt");
  writeFileSync(path, saved);
  const said: string[] = [];
  const editor = {
    read: async () => open,
    ...(writes && {
      write: async (_path: string, text: string) => {
        said.push(text);
        writeFileSync(path, text);
        return true;
      },
    }),
  };
  const disk = editorsDisk(files({ ignorePatterns, ripgrep: false }), editor);
  const read = async () => {
    const found = await disk.read(path);
    if (found.kind !== "file") throw new Error(found.kind);
    return { text: found.bytes.toString("utf8"), version: found.version };
  };
  return { path, disk, said, read, onDisk: () => readFileSync(path, "utf8") };
}

describe("a file that is open in an editor", () => {
  it.each([
    ["is read as it stands there", "one\n", "one\ntwo\n", "one\ntwo\n"],
    ["keeps the line ends of the file", "\uFEFFone\r\ntwo\r\n", "one\n2\n", "\uFEFFone\r\n2\r\n"],
    ["is what is saved, if only line ends differ", "one\r\ntwo\n", "one\ntwo\n", "one\r\ntwo\n"],
    ["is what is saved, if the editor does not say", "one\n", undefined, "one\n"],
    ["is what is saved, if it is no text", "a\0b", "ab", "a\0b"],
  ])("%s", async (_what, saved, open, expected) => {
    expect((await place(saved, open).read()).text).toBe(expected);
  });

  it("is changed in the editor, at the version that was read there", async () => {
    const { path, disk, said, read, onDisk } = place("one\n", "one\ntwo\n");
    const { version } = await read();
    expect(await disk.write(path, { bytes: Buffer.from("x"), expected: "another" })).toEqual({ kind: "changed", path });
    expect(await disk.write(path, { bytes: Buffer.from("one\n2\n"), expected: version })).toMatchObject({ kind: "written", path });
    expect([said, onDisk()]).toEqual([["one\n2\n"], "one\n2\n"]);
  });

  it("is not changed over what is not saved, if the editor takes no text", async () => {
    const { path, disk, read, onDisk } = place("one\n", "one\ntwo\n", { writes: false });
    const { version } = await read();
    expect(await disk.write(path, { bytes: Buffer.from("x"), expected: version })).toMatchObject({ kind: "refused" });
    expect(onDisk()).toBe("one\n");
  });

  it("that is saved is changed on the disk", async () => {
    const { path, disk, said, read, onDisk } = place("one\n", "one\n");
    const { version } = await read();
    expect(await disk.write(path, { bytes: Buffer.from("two\n"), expected: version })).toMatchObject({ kind: "written" });
    expect([said, onDisk()]).toEqual([[], "two\n"]);
  });
});
