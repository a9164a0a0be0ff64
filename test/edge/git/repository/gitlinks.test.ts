import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { rawPath } from "../../../../src/edge/disk/raw-path.ts";
import { gitlinks, kindOfIndex } from "../../../../src/edge/git/repository/gitlinks.ts";
import { scratchFolder } from "../../../scratch.ts";
import { craftedIndex, overfullIndex } from "../crafted-index.ts";

/** Of one folder of git's. */
function linksIn(read = gitlinks()) {
  return (gitDir: string) => {
    const { links, unread } = read([gitDir]);
    expect(unread).toEqual([]);
    return links[0]!;
  };
}

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
  expect([links.length, linksIn()(dirname(file)).sort()]).toEqual([2, links.sort()]);
});

it("finds those of a split index too, among all that it replaces", () => {
  const { file, links } = indexed(
    "git update-index --split-index; git rm -q --cached a/one; git update-index --add --cacheinfo 160000,HASH,a/one",
  );
  expect(links).toContain("a/one");
  expect(linksIn()(dirname(file))).toEqual(expect.arrayContaining(links));
});

it("writes names that are not UTF-8 so that they lead to the same folder", () => {
  const { file } = indexed(String.raw`git update-index --add --cacheinfo 160000,HASH,$'x\xff'`);
  expect(linksIn()(dirname(file))).toContain("x\udcff");
});

it("finds no links where there is no index, or what is none, and those of a changed one whatever its times", () => {
  const { file } = indexed("mkdir other; echo none > other/index");
  const read = linksIn();
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
  expect(linksIn()(folder)).toEqual(links);
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
  expect([linksIn()(folder), kindOfIndex(bytes, 20).kind]).toEqual([["p/x"], "more"]);
});

it("gives up on a table that makes it read the same entries over and over", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "index"), overfullIndex([{ path: "p/x" }, { path: "p/y" }]));
  expect(gitlinks()([folder])).toEqual({
    links: [[]],
    unread: [{ path: join(folder, "index"), why: "names the same entries too often to be read" }],
  });
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

it("reads a file of several names once, and counts it once: two of 200 MB are not more than one", () => {
  const [folder, other] = [scratchFolder(), scratchFolder()];
  const [file, copy] = [join(folder, "index"), join(other, "index")];
  const bytes = craftedIndex([{ path: "p/x" }]);
  for (const path of [file, copy]) writeFileSync(path, bytes);
  for (const path of [file, copy]) truncateSync(path, 200 * 1024 * 1024);
  const names = ["a", "b", "c"].map((digit) => join(folder, `sharedindex.${digit.repeat(40)}`));
  for (const name of names) linkSync(file, name);
  writeFileSync(join(folder, "sharedindex.aside"), overfullIndex([{ path: "q" }])); // git reads none of that name
  const read = gitlinks();
  expect(read([folder, other])).toEqual({ links: [["p/x"], ["p/x"]], unread: [] });
  const third = scratchFolder();
  writeFileSync(join(third, "index"), bytes);
  truncateSync(join(third, "index"), 150 * 1024 * 1024);
  const unread = [{ path: join(third, "index"), why: "is one of several with more than 512 MB together, more than a session reads" }];
  expect(read([folder, third, other])).toEqual({ links: [["p/x"], [], ["p/x"]], unread });
});

it("stops at more links than anybody has", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "index"), craftedIndex(Array.from({ length: 100_002 }, (_, at) => ({ path: `p${at}` }))));
  expect(gitlinks()([folder]).unread).toEqual([{ path: join(folder, "index"), why: "has more links than a session follows" }]);
});

it("finds names below a folder that is not UTF-8", () => {
  const folder = `${scratchFolder()}/x\udcff`;
  mkdirSync(rawPath(folder));
  writeFileSync(rawPath(`${folder}/index`), craftedIndex([{ path: "p/x" }]));
  expect(linksIn()(folder)).toEqual(["p/x"]);
});

it("keeps to what a path can be in names that are cut, and goes on after one that is longer", () => {
  const entry = (dropped: number[], suffix: string) => {
    const head = Buffer.alloc(62);
    head.writeUInt32BE(0o160000, 24);
    head.writeUInt16BE(0xfff, 60);
    return Buffer.concat([head, Buffer.from(dropped), Buffer.from(`${suffix}\0`)]);
  };
  const header = craftedIndex([]).subarray(0, 12);
  header.writeUInt32BE(4, 4);
  header.writeUInt32BE(4, 8);
  const long = "n".repeat(5000);
  // the second drops 4998 bytes, as the packs of git write it
  const entries = [entry([0], long), entry([0xa6, 0x06], "x"), entry([0], "/y"), entry([0], "z")];
  const folder = scratchFolder();
  writeFileSync(join(folder, "index"), Buffer.concat([header, ...entries, Buffer.alloc(20)]));
  expect(linksIn()(folder).map((path) => path.replace(long.slice(0, 4096), "4096"))).toEqual(
    expect.arrayContaining(["4096", "nnx", "nnx/y", "nnx/yz"]),
  );
});
