import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { gitlinks, kindOfIndex } from "../../../../src/edge/git/repository/gitlinks.ts";
import { scratchFolder } from "../../../scratch.ts";
import { craftedIndex } from "../crafted-index.ts";

const link = (hash: string, path: string) => `git update-index --add --cacheinfo 160000,${hash},${path}`;

/** An index with files, two links and a file between them; what git says of it, as raw-path.ts writes names. */
function indexed(script: string, format = "sha1") {
  const folder = scratchFolder();
  const hash = "1".repeat(format === "sha1" ? 40 : 64);
  const begin = `git init -q --object-format=${format} . && mkdir -p a/b && touch a/one a/b/two z && git add .`;
  const long = "n".repeat(200);
  const all = `${begin}; ${link(hash, "a/link")}; ${link(hash, `a/${long}/${long}`)}; ${script.replaceAll("HASH", hash)}`;
  execFileSync("bash", ["-c", all], { cwd: folder, stdio: "pipe" });
  const listed = execFileSync("git", ["ls-files", "--stage", "-z"], { cwd: folder, encoding: "latin1" });
  const links = listed.split("\0").flatMap((line) => (line.startsWith("160000") ? [line.slice(line.indexOf("\t") + 1)] : []));
  return { file: join(folder, ".git/index"), links };
}

it.each([
  ["version 2", "true", "sha1"],
  ["version 3, with further flags", "git update-index --skip-worktree a/one; echo > new; git add -N new", "sha1"],
  ["version 4, with cut names", "git update-index --index-version 4; touch a/b/twofold; git add a/b", "sha1"],
  ["hashes of 32 bytes", "true", "sha256"],
])("finds the links of an index: %s", (_what, script, format) => {
  const { file, links } = indexed(script, format);
  expect([links.length, gitlinks()(dirname(file)).sort()]).toEqual([2, links.sort()]);
});

it("finds those of a split index too, among all that it replaces", () => {
  const { file, links } = indexed(
    "git update-index --split-index; git rm -q --cached a/one; git update-index --add --cacheinfo 160000,HASH,a/one",
  );
  expect(links).toContain("a/one");
  expect(gitlinks()(dirname(file))).toEqual(expect.arrayContaining(links));
});

it("writes names that are not UTF-8 so that they lead to the same folder", () => {
  const { file } = indexed(String.raw`git update-index --add --cacheinfo 160000,HASH,$'x\xff'`);
  expect(gitlinks()(dirname(file))).toContain("x\udcff");
});

it("finds no links where there is no index, or what is none, and those of a changed one whatever its times", () => {
  const { file } = indexed("mkdir other; echo none > other/index");
  const read = gitlinks();
  expect([read(join(file, "../none")), read(join(file, "../../other"))]).toEqual([[], []]);
  expect(read(dirname(file))).toHaveLength(2);
  const folder = join(file, "../..");
  execFileSync("bash", ["-c", link("2".repeat(40), "later")], { cwd: folder });
  utimesSync(file, 1, 1);
  expect(read(dirname(file))).toHaveLength(3);
});

it.each([
  ["a flag of a later version", craftedIndex([{ path: "p/x", isExtended: true }]), ["p/x"]],
  ["further bits of the mode", craftedIndex([{ path: "p/x", mode: 0o300160001 }]), ["p/x"]],
  ["a zero byte in the name", craftedIndex([{ path: "p/x\0more" }]), ["p/x"]],
  ["paths as git does not write them", craftedIndex([{ path: "/p/x" }, { path: "a/../p//x" }]), ["/p/x", "a/../p//x"]],
  ["an entry after it that is cut off", craftedIndex([{ path: "p/x" }, { path: "z", mode: 0o100644, length: 400 }]), ["p/x"]],
  ["fewer entries than it says", craftedIndex([{ path: "p/x" }], 9), ["p/x"]],
])("finds what git finds in an index that an agent has written itself: %s", (what, bytes, links) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "index"), bytes);
  expect(gitlinks()(folder)).toEqual(links);
  expect([what, kindOfIndex(bytes, 20).kind]).toEqual([what, /flag|paths/.test(what) ? "more" : "odd"]);
});

it("finds links at the places of a table, where git begins to read with several processors", () => {
  const hidden = craftedIndex([{ path: "p/x" }]).subarray(12);
  const start = craftedIndex([{ path: "a", mode: 0o100644 }]).subarray(0, -20);
  const table = Buffer.from("IEOT....\0\0\0\x01........", "latin1");
  for (const [at, value] of Object.entries({ 4: 12, 12: start.length + 8, 16: 1 })) table.writeUInt32BE(value, Number(at));
  const folder = scratchFolder();
  const bytes = Buffer.concat([start, Buffer.from("ZZZZ...."), hidden, table]);
  writeFileSync(join(folder, "index"), bytes);
  expect([gitlinks()(folder), kindOfIndex(bytes, 20).kind]).toEqual([["p/x"], "more"]);
});

it("gives up on a table that makes it read the same entries over and over", () => {
  const start = craftedIndex(Array.from({ length: 300 }, (_, at) => ({ path: `p${at}` })));
  const table = Buffer.alloc(12 + 8 * 300);
  table.write("IEOT");
  table.writeUInt32BE(table.length - 8, 4);
  for (let at = 12; at < table.length; at += 8) table.writeUInt32BE(12, at);
  for (let at = 16; at < table.length; at += 8) table.writeUInt32BE(300, at);
  const folder = scratchFolder();
  writeFileSync(join(folder, "index"), Buffer.concat([start, table]));
  expect(() => gitlinks()(folder)).toThrow("too often to be read");
});

it("knows an index of files alone, and one of which a part is elsewhere", () => {
  const kindIn = (script: string) => {
    const { file } = indexed(`git rm -rqf --cached a; ${script}`);
    return kindOfIndex(readFileSync(file), 20);
  };
  expect(kindIn("true")).toEqual({ kind: "files", isSplit: false });
  expect(kindIn("git update-index --add --cacheinfo 160000,HASH,a/one")).toEqual({ kind: "more", isSplit: false });
  expect(kindIn("git update-index --split-index")).toEqual({ kind: "more", isSplit: true });
});
