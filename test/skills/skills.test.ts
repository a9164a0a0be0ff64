import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { definitionFiles } from "../../src/edge/disk/definition-files.ts";
import { builtInSkills } from "../../src/skills/built-in.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { skillsForModel, skillTool } from "../../src/skills/skill-tool.ts";
import { findSkill, loadSkills, skillFolders } from "../../src/skills/skills.ts";
import { scratchFolder } from "../scratch.ts";

function project(files: Record<string, string>) {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const folders = skillFolders({ root: join(folder, "repo"), configDir: join(folder, "home") });
  return { folder, load: (trusted = true, builtIn: readonly Skill[] = []) => loadSkills(definitionFiles, { folders, trusted, builtIn }) };
}

const skill = (description: string, ...keys: string[]) => `---\ndescription: ${description}\n${keys.join("\n")}\n---\nDo it.\n`;

it("finds skills and commands in the project, in .claude and in the person's own folder; the nearer of two is used", async () => {
  const { folder, load } = project({
    "repo/.tool/skills/review/SKILL.md": skill("nearest"),
    "repo/.tool/skills/review/reference.md": "no skill",
    "repo/.tool/skills/review/deeper/SKILL.md": skill("no skill either"),
    "repo/.tool/skills/README.md": "no skill",
    "repo/.claude/skills/Review/skill.md": skill("farther"),
    "repo/.claude/commands/git/commit.md": "Commit it.",
    "home/skills/release/SKILL.md": skill("mine"),
    "home/commands/review.md": "Mine as well.",
  });
  const { list, mistakes, untrusted } = await load();
  expect(list.map(({ name, scope, kind, description }) => `${name} ${scope} ${kind} ${description}`)).toEqual([
    "commit claude command ",
    "release user skill mine",
    "review project skill nearest",
  ]);
  const nearer = join(folder, "repo/.tool/skills/review/SKILL.md");
  expect(mistakes.map(({ level, file, found }) => [level, file.slice(folder.length), found])).toEqual([
    ["warning", "/repo/.claude/skills/Review/skill.md", `The skill "Review" is there twice: ${nearer} is nearer, and that one counts.`],
    ["warning", "/home/commands/review.md", `The skill "review" is there twice: ${nearer} is nearer, and that one counts.`],
  ]);
  expect(untrusted).toEqual([]);
});

it("has the built-in ones, for people only, unless another has their name", async () => {
  const { load } = project({ "home/commands/Review.md": "Mine." });
  const { list, mistakes } = await load(true, builtInSkills);
  expect([list.map(({ name, scope }) => `${name} ${scope}`), mistakes]).toEqual([["Review user", "init built-in"], []]);
  expect(skillsForModel((await load(true, builtInSkills)).list)).toEqual([]);
  expect((await project({}).load(true, builtInSkills)).list.map(({ name }) => name)).toEqual(["init", "review"]);
});

it("lists a project's skills but loads none before the project is trusted", async () => {
  const { folder, load } = project({
    "repo/.tool/skills/a/SKILL.md": skill("a"),
    "repo/.tool/commands/b.md": "b",
    "repo/.claude/skills/c/SKILL.md": "broken",
    "repo/.claude/commands/d.md": "d",
    "home/skills/e/SKILL.md": skill("e"),
  });
  const skills = await load(false);
  expect(skills.list.map(({ name }) => name)).toEqual(["e"]);
  expect(skills.mistakes).toEqual([]);
  expect(skills.untrusted.map((path) => path.slice(folder.length))).toEqual([
    "/repo/.tool/skills/a/SKILL.md",
    "/repo/.tool/commands/b.md",
    "/repo/.claude/skills/c/SKILL.md",
    "/repo/.claude/commands/d.md",
  ]);
  for (const name of ["a", "b", "C", "d"]) {
    const found = findSkill(skills, { name, by: "person" });
    expect(found).toMatchObject({ ok: false, reason: expect.stringContaining("the project is not trusted as it is now") });
  }
});

it("opens only regular files of the folder, and an unreadable one does not affect others", async () => {
  const { folder, load } = project({
    "repo/.claude/skills/good/SKILL.md": skill("good"),
    "repo/.claude/skills/bytes/SKILL.md": "\0\u0001",
    "repo/.claude/skills/large/SKILL.md": "x".repeat(1_100_000),
    "outside/SKILL.md": skill("outside"),
  });
  const skills = join(folder, "repo/.claude/skills");
  for (const name of ["fifo", "link", "nowhere"]) mkdirSync(join(skills, name));
  execFileSync("mkfifo", [join(skills, "fifo/SKILL.md")]);
  symlinkSync(join(folder, "outside/SKILL.md"), join(skills, "link/SKILL.md"));
  symlinkSync(join(folder, "gone"), join(skills, "nowhere/SKILL.md"));
  symlinkSync(join(folder, "outside"), join(skills, "out"));
  symlinkSync(skills, join(skills, "ring"));
  const { list, mistakes } = await load();
  expect(list.map(({ name }) => name)).toEqual(["good"]);
  expect(mistakes.map(({ level, file, found }) => `${level} ${file.slice(skills.length)} ${found}`)).toEqual([
    "error /bytes/SKILL.md The file is not read: it is not UTF-8 text.",
    "error /fifo/SKILL.md The file is not read: it is not a regular file.",
    "error /large/SKILL.md The file is not read: it has 1100000 bytes, and at most 1048576 are read.",
    "error /link/SKILL.md The file is not read: it is a link that leads out of its folder.",
    "error /nowhere/SKILL.md The file is not read: it is a link that leads nowhere.",
    "error /out/SKILL.md The file is not read: it is a link that leads out of its folder.",
  ]);
});

it("does not load what a rule hides from the agent", async () => {
  const { folder } = project({ "repo/.tool/skills/a/SKILL.md": skill("a"), "repo/.tool/skills/b/SKILL.md": skill("b") });
  const { list, mistakes } = await loadSkills(definitionFiles, {
    folders: skillFolders({ root: join(folder, "repo"), configDir: join(folder, "home") }),
    trusted: true,
    whyHidden: async (file) => (file.includes("/a/") ? "a rule denies it" : undefined),
  });
  expect(list.map(({ name }) => name)).toEqual(["b"]);
  expect(mistakes.map(({ found }) => found)).toEqual(["The file is not read: a rule denies it."]);
});

it("gives a skill only to the users that it is for, and suggests similar names", async () => {
  const { load } = project({
    "home/skills/deploy/SKILL.md": skill("Deploys", "disable-model-invocation: true"),
    "home/skills/style/SKILL.md": skill("House style", "user-invocable: false"),
    "home/skills/ok/SKILL.md": "---\ndescription: Nothing\n---\n",
  });
  const skills = await load();
  const found = (name: string, by: "model" | "person") => {
    const one = findSkill(skills, { name, by });
    return one.ok ? one.skill.name : one.reason;
  };
  expect(found("Deploy", "person")).toBe("deploy");
  expect(found("style", "model")).toBe("style");
  expect(found("deploy", "model")).toBe('Cannot use the skill "deploy": only the person uses it, by typing its name.');
  expect(found("style", "person")).toBe('Cannot use the skill "style": only the model uses it, when it fits.');
  expect(found("deplo", "person")).toBe('Cannot use the skill "deplo": there is none. Did you mean "deploy"?');
  expect(found("ok", "person")).toMatch(
    /^Cannot use the skill "ok": its file has a mistake\. .*\/ok\/SKILL\.md:\d+: error: There are no instructions in the file\. /,
  );
  expect(found("other", "model")).toBe('Cannot use the skill "other": there is none. There are: style.');
});

it("lists the skills that a model may choose, within a limit of bytes", async () => {
  const { load } = project({
    "home/skills/hidden/SKILL.md": skill("Not for models", "disable-model-invocation: true"),
    "home/commands/typed.md": "Without a description.",
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`home/skills/skill-${n + 10}/SKILL.md`, skill(`Does ${n} ${"long ".repeat(20)}`)]),
    ),
  });
  const listed = skillsForModel((await load()).list);
  expect(listed.length).toBe(40);
  const { description } = skillTool({ skills: listed, listBytes: 1_500, use: async () => ({ text: "", isError: false, summary: "" }) });
  const list = description.slice(description.indexOf("- skill-10"));
  expect(Buffer.byteLength(list)).toBeLessThanOrEqual(1_500);
  expect(list.split("\n").at(-1)).toMatch(/^- and \d+ more; a wrong name is answered with the nearest ones$/);
});
