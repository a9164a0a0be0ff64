// Runs command lines of `tool`, one after the other, each with the environment and in the folder that it is sent: what a start of the program
// costs, ten times that of an empty Node, is paid once. No module keeps anything of a run. test/warm-tool.ts starts it.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Output, World } from "../../src/app/world.ts";
import { run } from "../../src/cli/program.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { ownCommand } from "../../src/edge/own-command.ts";
import { ownTheme } from "../../src/edge/own-theme.ts";
import { findHelperPrograms } from "../../src/edge/processes/helper-programs.ts";
import { edges } from "../../src/world/edges.ts";
import { onSignal } from "../../src/world/standard-streams.ts";
import type { FromWarm, Order } from "../warm-tool.ts";

const say = (message: FromWarm) => new Promise<void>((resolve) => process.send!(message, () => resolve()));

process.on("message", (order: Order) => void carryOut(order));
process.on("disconnect", () => process.exit());
process.removeAllListeners("warning"); // as main.ts does

async function carryOut(order: Order): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, order.env);
  process.chdir(order.cwd);
  const forget = newListeners();
  findHelperPrograms();
  const world = worldOf(order);
  keepGitFilesIn(world.configDir);
  const code = await run(world);
  await Promise.all([world.stdout.drained(), world.stderr.drained()]);
  forget();
  process.chdir("/");
  await say({ kind: "ended", code });
}

/** As main.ts makes it. */
function worldOf({ args, env, cwd, input, program, packageDir, version }: Order): World {
  const home = env["HOME"] ?? "";
  const configDir = env["TOOL_CONFIG_DIR"] ?? `${home}/.tool`;
  const managedSettings = ["/etc/tool/settings.json", ...(env["TOOL_MANAGED_SETTINGS"] ? [env["TOOL_MANAGED_SETTINGS"]] : [])];
  return {
    argv: args,
    env: process.env,
    cwd,
    home,
    managedSettings,
    configDir,
    packageDir,
    keepCompiled: () => {},
    version,
    theme: ownTheme([...managedSettings, `${configDir}/settings.json`]),
    command: ownCommand({ script: program, cwd, env }),
    cores: 2,
    self: [process.execPath, program],
    stdin: Object.assign(Readable.from(input === "" ? [] : [Buffer.from(input)]), { isTTY: false }),
    stdout: sent("stdout"),
    stderr: sent("stderr"),
    onSignal,
    uniqueId: randomUUID,
    edges: edges(packageDir),
  };
}

function sent(stream: "stdout" | "stderr"): Output {
  let written = Promise.resolve();
  return {
    write: (text) => {
      written = say({ kind: "printed", stream, text });
    },
    drained: async () => {
      await written;
      return "open";
    },
    isTTY: false,
    columns: 80,
  };
}

/** The returned function does what a run has left to be done when its process exits, and takes away all that listens for it. */
function newListeners(): () => void {
  const before = process.eventNames().map((name) => [name, process.listeners(name as "exit")] as const);
  const known = new Map<string | symbol, readonly unknown[]>(before);
  return () => {
    for (const name of process.eventNames())
      for (const listener of process.listeners(name as "exit")) {
        if (known.get(name)?.includes(listener)) continue;
        if (name === "exit") listener(0);
        process.off(name, listener);
      }
  };
}
