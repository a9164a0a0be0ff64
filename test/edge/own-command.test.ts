import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownCommand } from "../../src/edge/own-command.ts";
import { scratchFolder } from "../scratch.ts";

it("ownCommand() is what works when pasted: tool where PATH leads to this program, else node and its file, from any folder", () => {
  const folder = scratchFolder();
  for (const name of ["package/bin", "on-path", "other", "node_modules/.bin"]) mkdirSync(join(folder, name), { recursive: true });
  const script = join(folder, "package/bin/tool.js");
  writeFileSync(script, "");
  symlinkSync(script, join(folder, "on-path/tool"));
  symlinkSync(script, join(folder, "node_modules/.bin/tool"));
  writeFileSync(join(folder, "other/tool"), "another program of that name");
  const said = (cwd: string, ...path: string[]) =>
    ownCommand({ script, cwd: join(folder, cwd), env: { PATH: path.map((name) => join(folder, name)).join(":") } });
  expect([
    said("package", "other", "on-path"),
    said("package", "other"),
    said("package", "node_modules/.bin"),
    said("other", "other"),
  ]).toEqual(["tool", `node ${script}`, `node ${script}`, `node ${script}`]);
  expect(ownCommand({ script, cwd: folder, env: { HOME: folder } })).toBe("node ~/package/bin/tool.js");
  const spaced = join(folder, "it's mine");
  mkdirSync(spaced);
  writeFileSync(join(spaced, "tool.js"), "");
  expect(ownCommand({ script: join(spaced, "tool.js"), cwd: folder, env: { HOME: folder } })).toBe(
    `node '${folder}/it'\\''s mine/tool.js'`,
  );
});
