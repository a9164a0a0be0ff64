// Runs a command of the tree as `tool` does, with the real edges, in this process: for tests of what a command does and prints. Starting the
// program would take most of their time. What is about processes, signals, streams that close or the environment of a parent starts it: tool.ts.
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { Output, World } from "../../src/app/world.ts";
import { run } from "../../src/cli/program.ts";
import { ownCommand } from "../../src/edge/own-command.ts";
import { edges } from "../../src/world/edges.ts";
import { type Home, program, type Ran } from "./tool.ts";

/** As tool() does, but for `home.cwd`: the root of this repository when it is absent. */
export async function command(home: Omit<Home, keyof Disposable>, args: string[], input: string | Buffer = ""): Promise<Ran> {
  const packageDir = resolve(program, "../..");
  const [stdout, stderr] = [collected(), collected()];
  const world: World = {
    argv: args,
    env: home.env,
    cwd: home.cwd ?? packageDir,
    home: home.env["HOME"] ?? home.config,
    managedSettings: ["/etc/tool/settings.json", home.env["TOOL_MANAGED_SETTINGS"] ?? ""].filter(Boolean),
    configDir: home.env["TOOL_CONFIG_DIR"] ?? home.config,
    packageDir,
    keepCompiled: () => {},
    version: "0.0.0",
    command: ownCommand({ script: program, cwd: home.cwd ?? packageDir, env: home.env }),
    cores: 2,
    self: [process.execPath, program],
    theme: "none",
    stdin: Object.assign(Readable.from([Buffer.from(input)].filter(({ length }) => length > 0)), { isTTY: false }),
    stdout: stdout.output,
    stderr: stderr.output,
    onSignal: () => () => {},
    uniqueId: randomUUID,
    edges: edges(packageDir),
  };
  return { code: await run(world), stdout: stdout.text(), stderr: stderr.text() };
}

function collected(): { output: Output; text: () => string } {
  let all = "";
  const output: Output = {
    write: (text) => {
      all += text;
    },
    drained: async () => "open",
    isTTY: false,
    columns: 80,
  };
  return { output, text: () => all };
}
