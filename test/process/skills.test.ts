import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { command as tool } from "./command.ts";
import { temporaryHome } from "./tool.ts";

it("lists, shows and validates skills from the command line", async () => {
  using home = temporaryHome();
  const write = (path: string, text: string) => {
    const file = join(home.config, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const good = write(
    "skills/good/SKILL.md",
    "---\ndescription: Does good\nallowed-tools: Read\nargument-hint: [who]\n---\nBe good to $1.\n",
  );
  write("skills/good/reference.md", "Not a skill.\n");
  write("commands/fix.md", "Fix it.\n");
  const folder = join(home.config, "skills");
  expect(await tool(home, ["skills", "validate", folder, join(home.config, "commands")])).toEqual({
    code: 0,
    stdout: "2 files: 2 can be used, 0 errors, 0 warnings\n",
    stderr: "",
  });
  expect((await tool(home, ["skills", "validate", good, join(home.config, "commands/fix.md")])).stdout).toBe(
    "2 files: 2 can be used, 0 errors, 0 warnings\n",
  );
  const bad = write("skills/bad/SKILL.md", "---\ndescription: Is bad\nuser-invocable: perhaps\n---\nBe bad.\n");
  expect(await tool(home, ["skills", "validate", bad])).toEqual({
    code: 1,
    stdout: `${bad}:3: error: "user-invocable" must be true or false, and is "perhaps". Correct it, or leave the line out.\n1 file: 0 can be used, 1 error, 0 warnings\n`,
    stderr: "",
  });
  expect(JSON.parse((await tool(home, ["skills", "list", "--json"])).stdout)).toMatchObject({
    ok: true,
    skills: [
      { name: "fix", kind: "command", by_person: true, allowed_tools: null },
      { name: "good", kind: "skill", allowed_tools: ["Read"], argument_hint: "[who]", file: good },
      { name: "init", scope: "built-in", file: null, by_model: false },
      { name: "review", scope: "built-in", file: null, by_model: false },
    ],
    mistakes: [{ line: 3 }],
    untrusted: [],
  });
  expect((await tool(home, ["skills", "list"])).stdout).toMatch(
    /^fix {5}\/name {9}yours {5}Fix it\.\ngood {4}model, \/name {2}yours {5}Does good\ninit {4}\/name {9}built in {2}write or extend AGENTS\.md.*\nreview {2}\/name {9}built in {2}review .*\n.*bad\/SKILL\.md:3: error:/,
  );
  expect((await tool(home, ["skills", "show", "review"])).stdout).toContain("\nfile: built in\n\nReview a change");
  write("commands/review.md", "Look at it my way.\n");
  expect((await tool(home, ["skills", "list"])).stdout).toMatch(/^review {2}\/name {9}yours {5}Look at it my way\.$/m);
  expect((await tool(home, ["skills", "show", "good"])).stdout).toContain(
    "good\nDoes good\n\nused by: model, /name\ntools while in use: Read\narguments: [who]\ncontext: inline\n",
  );
  expect(await tool(home, ["skills", "show", "goood"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'tool: cannot use the skill "goood": there is none. Did you mean "good"?\n',
  });
  expect((await tool(home, ["skills", "validate", "no-such"])).code).toBe(2);
});
