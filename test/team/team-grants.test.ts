// What the user grants to a whole team, on a real disk with the real lock.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { teamLayout } from "../../src/board/layout.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { teamGrants } from "../../src/team/team-grants.ts";
import { scratchFolder } from "../scratch.ts";

function team() {
  const layout = teamLayout(scratchFolder());
  const open = () => teamGrants({ disk, lock: lock(), now: () => new Date(0) }, layout);
  return { path: layout.grants, open };
}

const since = new Date(0).toISOString();

it("keeps a team answer's rules, and everything that stays in the sandbox, for later members", async () => {
  const { path, open } = team();
  const lead = open();
  expect(lead.list()).toEqual([]);
  await lead.keep({ kind: "team", rules: ["Bash(git add *)", "Bash(git commit *)"] });
  await lead.keep({ kind: "team", rules: ["Bash(git add *)"] });
  await lead.keep({ kind: "sandbox", for: "team" });
  expect(open().list()).toEqual(["Bash(git add *)", "Bash(git commit *)", "x"].map((rule) => ({ rule, since })));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect([await open().withdraw("Bash(git add *)"), await open().withdraw("Bash(git add *)"), lead.list().length]).toEqual([
    true,
    false,
    2,
  ]);
});

it("keeps no answer that is for less than the team", async () => {
  const { open } = team();
  for (const answer of [
    { kind: "once" },
    { kind: "session", rules: ["Bash"] },
    { kind: "always", rules: ["Bash"] },
    { kind: "sandbox", for: "session" },
    { kind: "no" },
  ] as const)
    await open().keep(answer.kind === "session" || answer.kind === "always" ? { ...answer, rules: [...answer.rules] } : answer);
  expect(open().list()).toEqual([]);
});

it("loses no grant to another process that writes at the same time", async () => {
  const { open } = team();
  const rules = Array.from({ length: 20 }, (_, index) => `Bash(make x${index})`);
  await Promise.all(rules.map((rule) => open().keep({ kind: "team", rules: [rule] })));
  expect(
    open()
      .list()
      .map(({ rule }) => rule)
      .sort(),
  ).toEqual(rules.sort());
});

it("a damaged file grants nothing, is not written over, and the next answer says so", async () => {
  const { path, open } = team();
  writeFileSync(path, '{"version": 1, "grants": [{"rule"');
  expect(open().list()).toEqual([]);
  await expect(open().keep({ kind: "team", rules: ["Bash"] })).rejects.toThrow("grants.json is damaged. Remove it");
  expect(readFileSync(path, "utf8")).toBe('{"version": 1, "grants": [{"rule"');
});
