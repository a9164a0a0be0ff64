// One use of a skill with commands in memory.
import { expect, it } from "vitest";
import type { Skill } from "../../src/skills/skill.ts";
import { type CommandRun, type SkillPorts, useSkill } from "../../src/skills/use-skill.ts";

const aSkill = (change: Partial<Skill> = {}): Skill => ({
  name: "style",
  description: "House style",
  body: "Follow it.",
  context: "inline",
  byModel: true,
  byPerson: true,
  kind: "skill",
  scope: "project",
  file: "/repo/.tool/skills/style/SKILL.md",
  sha256: "c0ffee",
  bytes: 10,
  ...change,
});

function ports(results: Record<string, CommandRun> = {}) {
  const calls: string[] = [];
  const made: SkillPorts = {
    cwd: "/repo",
    async run(command) {
      calls.push(`run ${command}`);
      return results[command] ?? { text: "" };
    },
    narrow: (skill, tools) => void calls.push(`narrow ${skill} ${tools.join(", ")}`),
  };
  return { made, calls };
}

const { signal } = new AbortController();

it("says where the instructions come from, and where the files beside them are", async () => {
  const { made, calls } = ports();
  expect(await useSkill(aSkill(), "", made, signal)).toEqual({
    text: 'Instructions of the skill "style". Files that it names are in .tool/skills/style.\n\nFollow it.',
    commands: 0,
    denied: [],
    askedMs: 0,
    source: { path: ".tool/skills/style/SKILL.md", sha256: "c0ffee", bytes: 10 },
  });
  expect(calls).toEqual([]);
});

it("names a file outside the working directory by its whole path, and no folder of a command", async () => {
  const { text, source } = await useSkill(aSkill({ kind: "command", file: "/home/a/.tool/commands/style.md" }), "", ports().made, signal);
  expect([text, source.path]).toEqual(['Instructions of the skill "style".\n\nFollow it.', "/home/a/.tool/commands/style.md"]);
});

it("narrows the tools before it runs a command", async () => {
  const { made, calls } = ports();
  const { text } = await useSkill(aSkill({ body: "!`git status`", allowedTools: ["Read", "Bash(git *)"] }), "", made, signal);
  expect(calls).toEqual(["narrow style Read, Bash(git *)", "run git status"]);
  expect(text).toContain("Until this work is done you have only: Read, Bash(git *).");
  expect((await useSkill(aSkill({ allowedTools: [] }), "", made, signal)).text).toContain("you have only: no tools.");
});

it("puts results of commands into the text, and adds up what was denied and how long was asked", async () => {
  const denied = { tool: "Bash", subject: "curl x", reason: "no" };
  const { made } = ports({
    "git log -1": { text: "one", denied: [denied], askedMs: 5 },
    "git diff $1": { text: "never" },
    "git diff main": { text: "two", askedMs: 7 },
  });
  const used = await useSkill(aSkill({ body: "Log: !`git log -1`\nDiff: !`git diff $1`" }), "main", made, signal);
  expect(used).toMatchObject({ text: expect.stringMatching(/\n\nLog: one\nDiff: two$/), commands: 2, denied: [denied], askedMs: 12 });
});
