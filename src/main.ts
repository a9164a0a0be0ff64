// The composition root: the only reader of argv, env and cwd. `--version` is answered before anything else is loaded.
import { readFileSync } from "node:fs";
import type { Edges, World } from "./cli/world.ts";

const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-v")) {
  process.stdout.write(`${version}\n`);
} else {
  await main();
}

async function main(): Promise<void> {
  const { run } = await import("./cli/program.ts");
  process.exitCode = await run(await world());
}

async function world(): Promise<World> {
  const { homedir } = await import("node:os");
  const output = (stream: NodeJS.WriteStream) => ({
    write: (text: string) => void stream.write(text),
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
  });
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    configDir: process.env["TOOL_CONFIG_DIR"] || `${homedir()}/.tool`,
    version,
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    edges: edges(),
  };
}

function edges(): Edges {
  return {
    disk: async () => (await import("./edge/disk.ts")).disk,
    lock: async () => (await import("./edge/lock.ts")).lock(),
    watch: async () => (await import("./edge/watch.ts")).watch,
    clock: async () => (await import("./edge/clock.ts")).clock,
  };
}
