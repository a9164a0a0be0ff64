// What a command that may change .git/config leaves there: its own words, and places in a closed form. git itself says what each text means.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseSettings } from "../../../../src/edge/git/own-settings.ts";
import { plainSettings } from "../../../../src/edge/git/repository/plain-settings.ts";
import { changedAsSaid } from "../../../../src/edge/git/repository/said-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "tool-test-"));
const file = join(folder, "config");
afterAll(() => rmSync(folder, { recursive: true }));

const before = `[core]
\tbare = false
\thooksPath = "my hooks; all"
[remote "origin"]
\turl = https://example.org/a.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;

/** The file as git leaves it after these calls of git config. */
function afterGit(...calls: string[][]): string {
  writeFileSync(file, before);
  for (const args of calls) execFileSync("git", ["config", "--file", file, ...args]);
  return execFileSync("cat", [file], { encoding: "utf8" });
}

const push = "git push -u origin next".split(" ");

it.each<[what: string, words: string, calls: string[][]]>([
  [
    "what git push -u sets",
    "git push -u origin next",
    [
      ["branch.next.remote", "origin"],
      ["branch.next.merge", "refs/heads/next"],
    ],
  ],
  [
    "a branch that follows a local one",
    "git checkout -b n --track main",
    [
      ["branch.n.remote", "."],
      ["branch.n.merge", "refs/heads/main"],
    ],
  ],
  [
    "a new remote",
    "git remote add up git@example.org:a/b.git",
    [
      ["remote.up.url", "git@example.org:a/b.git"],
      ["remote.up.fetch", "+refs/heads/*:refs/remotes/up/*"],
    ],
  ],
  ["another address that it names", "git remote set-url origin ../b", [["remote.origin.url", "../b"]]],
  [
    "a remote that it renames",
    "git remote rename origin up",
    [
      ["--rename-section", "remote.origin", "remote.up"],
      ["remote.up.fetch", "+refs/heads/*:refs/remotes/up/*"],
      ["branch.main.remote", "up"],
    ],
  ],
  [
    "a remote that it removes",
    "git remote remove origin",
    [
      ["--remove-section", "remote.origin"],
      ["--remove-section", "branch.main"],
    ],
  ],
  [
    "a submodule",
    "git submodule add ../lib",
    [
      ["submodule.lib.url", "/srv/lib"],
      ["submodule.lib.active", "true"],
    ],
  ],
  ["a key and value of its words", "git config core.pager less", [["core.pager", "less"]]],
  ["a value that git quotes", "git config user.name", [["branch.main.description", ' with "quotes" and \\ # signs; ']]],
])("takes %s", (_, words, calls) => {
  expect(changedAsSaid(before, afterGit(...calls), words.split(" "))).toBe(true);
});

it.each<[what: string, calls: string[][]]>([
  ["a program", [["core.pager", "./x"]]],
  ["a remote whose name is an option", [["remote.--upload-pack=sh ./x.sh.url", "origin"]]],
  ["a new remote that it does not name", [["remote.other.url", "https://example.com/"]]],
  ["another address of a remote", [["remote.origin.url", "https://example.com/"]]],
  ["another address for pushes", [["remote.origin.pushurl", "https://example.com/"]]],
  ["a remote without an address", [["--unset", "remote.origin.url"]]],
  ["a helper program as address", [["submodule.a.url", "ext::sh ./x.sh"]]],
  ["a protocol that git does not have", [["submodule.a.url", "x://host/"]]],
  ["an address that is an option", [["submodule.a.url", "--upload-pack=x"]]],
  ["a fetch that replaces branches", [["--add", "remote.origin.fetch", "+refs/heads/f*:refs/heads/f*"]]],
  ["a fetch that replaces the stash", [["--add", "remote.origin.fetch", "+refs/s*:refs/s*"]]],
  ["a fetch that replaces what another remote has", [["--add", "remote.origin.fetch", "+refs/heads/*:refs/remotes/up/*"]]],
  ["a branch that follows an address", [["branch.next.remote", "https://example.com/"]]],
  ["a branch that merges an option", [["branch.next.merge", "--upload-pack=x"]]],
  [
    "another order of two values",
    [
      ["--add", "core.bare", "true"],
      ["--unset", "core.bare", "false"],
      ["--add", "core.bare", "false"],
    ],
  ],
])("does not take %s", (_, calls) => {
  expect(changedAsSaid(before, afterGit(...calls), [...push, "."])).toBe(false);
});

it.each([
  ["a line that goes on behind a carriage return", `[remote "q"]\n\turl = x\\\r\n${before}`],
  ["a line that goes on", `[remote "q"]\n\turl = x\\\n${before}`],
  ["quotes within a value", `${before}[submodule "q"]\n\turl = ext:":"sh\n`],
  ["a quote that does not end", `${before}[submodule "q"]\n\turl = sh -c "touch\n`],
  ["two values in quotes", `${before}[submodule "q"]\n\turl = "a" "b"\n`],
  ["a comment behind a value", `${before}[submodule "q"]\n\turl = a # "\n`],
  ["an escaped sign of its own", `${before}[submodule "q"]\n\turl = a\\n\n`],
  ["a space at the end of a value", `${before}[submodule "q"]\n\turl = a \n`],
  ["a tab within a value", `${before}[submodule "q"]\n\turl = a\tb\n`],
  ["bytes that are not UTF-8", Buffer.from(`${before}[submodule "q"]\n\turl = \xff\n`, "latin1").toString()],
  ["an entry behind its section", `${before}[submodule "q"] url = a\n`],
  ["a section with a dot", `${before}[submodule.q]\n\turl = a\n`],
])("has no other form than git's own: %s", (_, text) => {
  expect([plainSettings(text), changedAsSaid(before, text, push)]).toEqual([undefined, false]);
});

it("reads what git writes as git reads it", () => {
  const values = ["a", " a ", 'say "x"', "a\\b", "a;b#c", "", '"a"', "\\", "\\\\", "é", "Łukasz ‘x’"];
  for (const value of values) {
    const text = afterGit(["branch.x.description", value], [`branch.a"b\\c.description`, value]);
    const said = execFileSync("git", ["config", "--file", file, "--list", "-z"], { encoding: "utf8" });
    expect(plainSettings(text)).toEqual(parseSettings(said));
  }
});
