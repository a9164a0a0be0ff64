import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { asTyped } from "../../../src/app/controls/as-typed.ts";
import { modesHelp } from "../../../src/cli/modes-help.ts";
import { programTree } from "../../cli/program-tree.ts";

const command = "node bin/tool.js";

it.each([
  ["See: tool team --help", "See: node bin/tool.js team --help"],
  ["  tool                 a session\n  tool --continue", "  node bin/tool.js                 a session\n  node bin/tool.js --continue"],
  ['A=1 tool team "x"; git diff | tool --print "y"', 'A=1 node bin/tool.js team "x"; git diff | node bin/tool.js --print "y"'],
  [
    "Usage: tool [options]\nTo send it: tool -- x (tool agents list)",
    `Usage: ${command} [options]\nTo send it: ${command} -- x (${command} agents list)`,
  ],
  ["`tool team exec`", "`node bin/tool.js team exec`"],
  [
    '"x" is not a command of tool. A tool call. no tool is called "x". tool: Cannot',
    '"x" is not a command of tool. A tool call. no tool is called "x". tool: Cannot',
  ],
  ['eval "$(tool completion bash)"; tool completion fish', 'eval "$(tool completion bash)"; tool completion fish'],
])("%j names the program as it is started", (text, expected) => {
  expect(asTyped(text, command)).toBe(expected);
  expect(asTyped(text, "tool")).toBe(text);
});

it("no help screen names a program that is not on PATH", () => {
  const printed: string[] = [modesHelp];
  const visit = (one: Command) => {
    one.configureOutput({ writeOut: (text) => void printed.push(text) });
    one.outputHelp();
    one.createHelp().visibleCommands(one).forEach(visit);
  };
  visit(programTree());
  const bare = printed.flatMap((text) => asTyped(text, command).split("\n")).filter((line) => /(^|[\s(`])tool [a-z"-]/.test(line));
  expect(printed.length).toBeGreaterThan(40);
  expect(bare.filter((line) => !/tool (completion|calls?|input|is|name|shares|uses?)\b/.test(line))).toEqual([]);
});

it("sentences inside the program do not name it: those of cli, and errors that end it, are printed by way of asTyped()", () => {
  const thrown = /start-batch|session-definitions|stdin-prompt|launch-file|driver-display|task-file|prompt\.ts|report-page\/page/;
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.startsWith("cli/"),
  );
  const bare = files.flatMap((path) =>
    readFileSync(`src/${path}`, "utf8")
      .split("\n")
      .filter(
        (line) =>
          !/^\s*(?:\/\/|\*|\/\*)/.test(line) &&
          /[\s(`"]tool (?:agents|batch|demo|doctor|help|hooks|permissions|privacy|skills|tasks|team) /.test(
            line.replace(/\/\*.*?\*\//g, ""),
          ),
      )
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(bare.filter((line) => !thrown.test(line))).toEqual([]);
});
