// The workflows in docs/examples: whatever they run of this program exists, and GitLab's own schema takes the template.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { scratchFolder } from "../scratch.ts";
import { programTree } from "./program-tree.ts";

/** The texts below `run` and `script`, wherever they stand. */
function scripts(value: unknown, key = ""): string[] {
  if (typeof value === "string") return ["run", "script", "before_script"].includes(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => scripts(one, key));
  return typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, one]) => scripts(one, name)) : [];
}

/** Options in texts, and the first word, of each call of `tool`. */
const calls = (script: string) =>
  [...script.matchAll(/(?:^|\|)\s*tool (.*?)(?: > .*)?$/gm)].map(([, line = ""]) =>
    line.replaceAll(/"[^"]*"|'[^']*'/g, "TEXT").split(/\s+/),
  );

it.each(["github-action.yml", "gitlab-ci.yml"])("%s is YAML, and each command and option in it exists", (file) => {
  const program = programTree();
  const found = scripts(parse(readFileSync(`docs/examples/${file}`, "utf8"))).flatMap(calls);
  expect(found.map(([first]) => first)).toEqual(["--print", "batch"]);
  for (const words of found) {
    const command: Command = program.commands.find((one) => one.name() === words[0]) ?? program;
    const known = command.options.flatMap(({ long, short }) => [long, short]);
    expect(words.filter((word) => word.startsWith("-") && !known.includes(word))).toEqual([]);
  }
});

/** What a linter with GitLab's schema in its package says of that pipeline. */
function linted(pipeline: string): { code: number | null; said: string } {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, ".gitlab-ci.yml"), pipeline);
  const git = (...args: string[]) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd });
  for (const args of [
    ["init", "-q"],
    ["remote", "add", "origin", "git@gitlab.invalid:a/b.git"],
    ["commit", "-qm", "One", "--allow-empty"],
  ])
    git(...args);
  const linter = join(process.cwd(), "node_modules/gitlab-ci-local/src/index.js");
  const env = { PATH: process.env["PATH"], HOME: cwd };
  const { status, stdout, stderr } = spawnSync(process.execPath, [linter, "--list"], { cwd, env, encoding: "utf8" });
  return { code: status, said: stdout + stderr };
}

it("GitLab's schema takes the template, and not one with a misspelled key", () => {
  const template = readFileSync("docs/examples/gitlab-ci.yml", "utf8");
  expect(linted(template)).toMatchObject({ code: 0, said: expect.stringContaining("json schema validated") });
  expect(linted(template.replace("timeout:", "timeuot:"))).toMatchObject({
    code: 1,
    said: expect.stringContaining("'timeuot' property is not expected"),
  });
});
