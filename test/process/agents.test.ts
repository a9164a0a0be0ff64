import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { command as tool } from "./command.ts";
import { temporaryHome } from "./tool.ts";

it("lists, shows and validates definitions from the command line", async () => {
  using home = temporaryHome();
  const folder = join(home.config, "agents");
  mkdirSync(folder);
  writeFileSync(join(folder, "good.md"), "---\nname: good\ndescription: Does good\ntools: Read\n---\nBe good.\n");
  expect(await tool(home, ["agents", "validate", folder])).toEqual({
    code: 0,
    stdout: "1 file: 1 can be used, 0 errors, 0 warnings\n",
    stderr: "",
  });
  writeFileSync(join(folder, "bad.md"), "---\nname: bad\ndescription: Is bad\nmaxTurns: many\n---\nBe bad.\n");
  expect(await tool(home, ["agents", "validate", `${folder}/bad.md`])).toEqual({
    code: 1,
    stdout: `${folder}/bad.md:4: error: "maxTurns" must be a whole number from 1 to 10000, and is "many". Correct it, or leave the line out.\n1 file: 0 can be used, 1 error, 0 warnings\n`,
    stderr: "",
  });
  const { stdout } = await tool(home, ["agents", "list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    agents: expect.arrayContaining([expect.objectContaining({ name: "good", tools: ["Read"], max_turns: null })]),
    mistakes: [{ line: 4 }],
  });
  expect((await tool(home, ["agents", "list"])).stdout).toMatch(
    /^coordinator .*\n(?:.* built in .*\n)+good +inherit +yours +Does good\n(?:.* built in .*\n)*.*bad\.md:4: error:/,
  );
  expect((await tool(home, ["agents", "show", "explorer"])).stdout).toContain("file: built in\n");
  expect((await tool(home, ["agents", "show", "good"])).stdout).toContain("Does good\n\ntools: Read\nbackground: false\n");
  expect(await tool(home, ["agents", "show", "goood"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'tool: cannot show the agent "goood": no definition has this name. Did you mean "good"?\n',
  });
  expect((await tool(home, ["agents", "validate", "no-such"])).code).toBe(2);
  expect((await tool(home, ["agents", "validate", ""])).stderr).toBe(
    'tool: cannot check "": an empty path names nothing. Give a file or a folder.\n',
  );
  mkdirSync(join(folder, "empty"));
  expect((await tool(home, ["agents", "validate", `${folder}/empty`])).stderr).toBe(
    `tool: cannot check ${folder}/empty: there is no *.md file in it.\n`,
  );
  copyFileSync(join(folder, "good.md"), join(folder, "other.md"));
  expect((await tool(home, ["agents", "validate", folder])).stdout).toContain(
    `${folder}/other.md:1: warning: The agent "good" is also defined in ${folder}/good.md, and only one of them takes effect.`,
  );
});
