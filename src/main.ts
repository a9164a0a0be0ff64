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
  for (const stream of [process.stdout, process.stderr]) stream.on("error", passOverClosedPipe);
  const output = (stream: NodeJS.WriteStream) => ({
    write: (text: string) => void stream.write(text),
    drained: () => drained(stream),
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
    onSignal: (listener) => {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => void signals.map((signal) => process.off(signal, listener));
    },
    edges: edges(),
  };
}

function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** A reader that has gone away (`tool … | head`) is no fault: the program ends its work without the words. */
async function drained(stream: NodeJS.WriteStream): Promise<"open" | "closed"> {
  if (stream.writableNeedDrain) await new Promise<void>((resolve) => stream.once("drain", resolve).once("close", resolve));
  return stream.destroyed ? "closed" : "open";
}

function edges(): Edges {
  return {
    disk: async () => (await import("./edge/disk.ts")).disk,
    lock: async () => (await import("./edge/lock.ts")).lock(),
    watch: async () => (await import("./edge/watch.ts")).watch,
    clock: async () => (await import("./edge/clock.ts")).clock,
    actingAgent: async () => (await import("./edge/owner.ts")).actingAgent(),
  };
}
