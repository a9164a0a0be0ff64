import { execFileSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitlinks } from "../../../../src/edge/git/repository/gitlinks.ts";
import { scratchFolder } from "../../../scratch.ts";

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
  expect([links.length, gitlinks()(file).sort()]).toEqual([2, links.sort()]);
});

it("finds those of a split index too, among all that it replaces", () => {
  const { file, links } = indexed(
    "git update-index --split-index; git rm -q --cached a/one; git update-index --add --cacheinfo 160000,HASH,a/one",
  );
  expect(links).toContain("a/one");
  expect(gitlinks()(file)).toEqual(expect.arrayContaining(links));
});

it("writes names that are not UTF-8 so that they lead to the same folder", () => {
  const { file } = indexed(String.raw`git update-index --add --cacheinfo 160000,HASH,$'x\xff'`);
  expect(gitlinks()(file)).toContain("x\udcff");
});

it("finds no links where there is no index, or what is none, and those of a changed one whatever its times", () => {
  const { file } = indexed("echo none > other; cp .git/index before");
  const read = gitlinks();
  expect([read(join(file, "../none")), read(join(file, "../../other"))]).toEqual([[], []]);
  expect(read(file)).toHaveLength(2);
  const folder = join(file, "../..");
  execFileSync("bash", ["-c", link("2".repeat(40), "later")], { cwd: folder });
  utimesSync(file, 1, 1);
  expect(read(file)).toHaveLength(3);
});
