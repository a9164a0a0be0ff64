import { expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

const skill = (name: string) => `---\nname: ${name}\ndescription: Reviews a change.\n---\nReview it.\n`;

it("tool skills validate without a path checks all that a session here would load, nearest first", async () => {
  const { tool } = commandLine({
    ".tool/skills/review/SKILL.md": skill("review"),
    ".tool/skills/review/notes.md": "no skill by itself",
    ".claude/skills/again/SKILL.md": skill("review"),
    ".claude/skills/bad/SKILL.md": "---\nname: bad\n---\n",
    ".claude/commands/fix.md": "Fix it.\n",
  });
  const { code, out } = await tool("skills", "validate", "--json");
  const { checked, mistakes } = JSON.parse(out) as {
    checked: { file: string; name: string }[];
    mistakes: { level: string; found: string }[];
  };
  expect([code, checked.map(({ file, ...rest }) => ({ file: file.split("/").slice(-3).join("/"), ...rest }))]).toEqual([
    1,
    [
      { file: "skills/review/SKILL.md", name: "review", usable: true },
      { file: "skills/again/SKILL.md", name: "review", usable: true },
      { file: "skills/bad/SKILL.md", name: null, usable: false },
      { file: ".claude/commands/fix.md", name: "fix", usable: true },
    ],
  ]);
  expect(mistakes.map(({ found }) => found)).toContainEqual(
    expect.stringMatching(/^The skill "review" is there twice: .*\.tool\/skills\/review/),
  );
});

it("tool skills validate of a folder without any says that there are none", async () => {
  const { tool } = commandLine({});
  expect(await tool("skills", "validate")).toEqual({ code: 0, out: "0 files: 0 can be used, 0 errors, 0 warnings\n", err: "" });
});
