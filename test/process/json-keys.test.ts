// Everything printed as JSON has keys in snake_case, whichever command prints it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";
import { command } from "./command.ts";

/** Names of files, agents and variables are data and appear as values; the input of a call is the model's own. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([key, part]) => [key, ...(key === "input" ? [] : keysOf(part))]);
}

it("all keys of all commands that print JSON are in snake_case", async () => {
  const there = teamPlace();
  writeFileSync(join(there.repository, "a.txt"), "a\n");
  const api = await provider({ tool: [[call("Read", { path: "a.txt" })], text("Read.")] });
  const home = { config: there.env["TOOL_CONFIG_DIR"]!, env: { ...there.env, ...api.env }, cwd: there.repository };
  const json = async (...args: string[]) => {
    const { stdout } = await command(home, args);
    const lines = stdout.trimEnd().split("\n");
    return lines.flatMap((line) => keysOf(JSON.parse(line)).map((key) => ({ command: args.join(" "), key })));
  };
  const commands = [
    "--print --output-format json summarise",
    "team create atlas --members lead,ada --json",
    "team task create --team atlas --title One --json",
    "team send ada hello --team atlas --as lead --json",
    "team inbox --team atlas --as ada --json",
    "team list --json",
    "team status atlas --json",
    "team tasks --team atlas --json",
    "team log --team atlas --json",
    "team report atlas --json",
    "team answer --team atlas --json",
    "team gc --json",
    "team stop atlas --json",
    "tasks --json",
    "hooks list --json",
    "doctor --json",
    "permissions --json",
    "permissions check Bash(ls) --json",
    "permissions add Bash(ls) --json",
    "privacy --json",
    "privacy a.txt --json",
    "secrets scan --json",
    "ignore check a.txt --json",
  ];
  const keys = [];
  for (const words of commands) keys.push(await json(...words.split(" ")));
  expect(keys.map((found) => found.length > 0)).toEqual(commands.map(() => true));
  expect(keys.flat().filter(({ key }) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([]);
});
