// Against git's own merges: what is said to be apart must never be in conflict.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areApart, changedLines } from "../../../../src/edge/git/changes/changed-lines.ts";
import { mergeAll } from "../../../../src/edge/git/changes/objects.ts";
import { testRepository } from "../git-kit.ts";

const base = Array.from({ length: 24 }, (_, line) => `line ${line % 7}\n`);

describe("changedLines()", () => {
  it("names the changed lines of the base, and none of a file that git shows no lines of", async () => {
    const rows = base.map((_, at) => `row ${at}\n`);
    const { say, commit, git, folder } = testRepository({ "a.txt": rows.join(""), "a b.txt": "x\n", "l.bin": "\0a", "gone.txt": "g\n" });
    const before = say("rev-parse", "HEAD");
    const text = [
      "@@ -1 +1 @@\n",
      ...rows.slice(1, 10),
      "--- a/gone.txt\n",
      "new\n",
      ...rows.slice(10, 20),
      ...rows.slice(22),
      "no newline",
    ];
    say("rm", "--quiet", "gone.txt");
    const tip = commit({ "a.txt": text.join(""), "a b.txt": "y\n", "l.bin": "\0b", "n.txt": "n\n" });
    const paths = ["a.txt", "a b.txt", "l.bin", "gone.txt", "n.txt"];
    const found = await changedLines({ git, root: folder }, { tips: [{ tip, base: before }], paths });
    expect([...(found.get(tip) ?? [])]).toEqual([
      [
        "a.txt",
        [
          [1, 2],
          [11, 11],
          [21, 23],
          [25, 25],
        ],
      ],
    ]);
  });

  it("calls no two changes apart that git cannot merge", { timeout: 60_000 }, async () => {
    const { say, write, git, folder } = testRepository({ "a.txt": base.join("") });
    const before = say("rev-parse", "HEAD");
    const edit = fc.record({
      at: fc.nat(24),
      removes: fc.nat(3),
      adds: fc.array(fc.constantFrom("line 1\n", "line 2\n", "new\n"), { maxLength: 3 }),
    });
    const edits = fc.sample(fc.array(edit, { minLength: 1, maxLength: 2 }), 24);
    const tips = edits.map((changes) => {
      const lines = [...base];
      for (const { at, removes, adds } of changes) lines.splice(at, removes, ...adds);
      write({ "a.txt": lines.join("") });
      say("add", "a.txt");
      return say("commit-tree", "-p", before, "-m", "x", say("write-tree"));
    });
    const lines = await changedLines({ git, root: folder }, { tips: tips.map((tip) => ({ tip, base: before })), paths: ["a.txt"] });
    const pairs = tips.flatMap((one, at) => tips.slice(at + 1).map((other) => [one, other] as const));
    const merged = await mergeAll(git, folder, pairs);
    const apart = pairs.map(([one, other]) => areApart(lines.get(one)?.get("a.txt"), lines.get(other)?.get("a.txt")));
    expect(pairs.filter((_, at) => apart[at] && merged[at]!.files.length > 0)).toEqual([]);
    expect(apart).toContain(true);
  });
});
