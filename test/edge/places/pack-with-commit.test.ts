// A pack that we have added a commit to is one that git takes.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { packWithCommit } from "../../../src/edge/places/pack-with-commit.ts";
import { testRepository } from "../git/git-kit.ts";

it.each([0, 1, 30, 5_000])("packWithCommit() adds a commit, whose message has %i bytes more, to what is there, or to nothing", (more) => {
  const { folder, say, beside } = testRepository({ "a.txt": "a\n", "b/c.txt": "c\n" });
  const tree = say("rev-parse", "HEAD^{tree}");
  const text = Buffer.from(`tree ${tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\n${"x".repeat(more)}\n`);
  const made = execFileSync("git", ["hash-object", "-t", "commit", "--stdin"], { cwd: folder, input: text, encoding: "utf8" }).trim();
  const pack = execFileSync("git", ["pack-objects", "--quiet", "--revs", "--stdout"], { cwd: folder, input: `${tree}\n` });
  const far = beside("far");
  say("init", "--quiet", "--bare", far);
  const unpack = (bytes: Buffer) => execFileSync("git", ["unpack-objects", "-q", "--strict"], { cwd: far, input: bytes });
  unpack(packWithCommit(pack, text, 20));
  expect(say("-C", far, "ls-tree", "-r", "--name-only", made).split("\n")).toEqual(["a.txt", "b/c.txt"]);

  const alone = Buffer.from(text.toString().replace("author a", "author b"));
  unpack(packWithCommit(undefined, alone, 20));
  const id = execFileSync("git", ["hash-object", "-t", "commit", "--stdin"], { cwd: folder, input: alone, encoding: "utf8" }).trim();
  expect(say("-C", far, "cat-file", "commit", id)).toBe(alone.toString().trimEnd());
});
