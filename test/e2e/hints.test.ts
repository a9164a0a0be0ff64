// Hints name the command as the user started it: where `tool` is not on PATH, node and the file.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { teamPlace } from "../team-kit.ts";

it("hints can be pasted where tool is not on PATH", async () => {
  const there = teamPlace();
  const PATH = process.env["PATH"] ?? "";
  writeFileSync(join(there.repository, ".env"), "A=b\n");
  const commands = [
    ["doctor"],
    ["permissions"],
    ["agents", "list"],
    ["skills", "list"],
    ["hooks", "list"],
    ["team", "status"],
    ["agents", "resume", "nobody"],
    ["--print", "--resume", "nothing", "go on"],
    ["--print", "--continue", "go on"],
  ];
  const hints = [];
  for (const command of commands) {
    const run = there.warm(command, { env: { PATH } });
    await run.ended;
    hints.push([
      command.join(" "),
      run.output().match(/(?:[\w/.-]*node [^ ]*bin\/tool\.js|\btool)(?= (?:--?[a-z]|[a-z]+ ))[^\n"]*|node [^ ]*bin\/tool\.js$/gm),
    ]);
  }
  const own = `node ${resolve("bin/tool.js")}`;
  expect(hints).toEqual([
    ["doctor", [`${own} doctor --fix`]],
    ["permissions", [`${own} permissions add 'Bash(npm test)'`]],
    ["agents list", [`${own} agents --help`]],
    ["skills list", [`${own} skills --help`]],
    ["hooks list", [`${own} hooks --help`]],
    ["team status", [`${own} team `]],
    ["agents resume nobody", [`${own} tasks --all`]],
    ["--print --resume nothing go on", [`${own} --resume`]],
    ["--print --continue go on", [own]],
  ]);
  await there.warm(["team", "create", "atlas", "--members", "lead,ada"], { env: { PATH } }).ended;
  there.write("config/teams/atlas/tasks.json", "{");
  const list = there.warm(["team", "list"], { env: { PATH } });
  await list.ended;
  expect(list.output()).toContain(`restore the version before it with: ${own} team task restore --team atlas\n`);
});
