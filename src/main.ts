// The composition root: reads argv, env and cwd, and hands the world inward. `--version` is answered before anything else is loaded.
import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { World } from "./app/world.ts";
import { edges } from "./world/edges.ts";
import { closeLostTerminals, endAtFault, exitWith, ignoreLostStream, onSignal, output } from "./world/standard-streams.ts";

/** From package.json, put here by build.js. */
declare const TOOL_VERSION: string;

const packageDir = new URL("..", import.meta.url);

if (process.argv.length === 3 && /^(--version|-v)$/.test(process.argv[2] ?? "")) {
  writeSync(1, `${TOOL_VERSION}\n`); // not process.stdout: making that stream takes longer than the rest
} else {
  showStart();
  void main(); // not awaited: the bundle is CommonJS
}

/** The first sign of life in a member's pane, drawn over by its screen: on a busy machine the rest takes seconds to load. */
function showStart(): void {
  if (process.argv[3] !== "--launch" || !isatty(1)) return;
  try {
    writeSync(1, "Starting …\r");
  } catch {
    // The terminal is gone: its streams report that.
  }
}

async function main(): Promise<void> {
  const { useCodeCache } = await import("./edge/code-cache.ts");
  const cache = useCodeCache(new URL("chunks", import.meta.url));
  const { run, uncaughtText } = await import("./cli/program.ts");
  const here = await world(cache.keep);
  endAtFault((error) => uncaughtText(error, here));
  const code = await run(here);
  // A pipe may still hold what was printed last; an open handle of a library must not keep the process.
  await new Promise((resolve) => process.stdout.write("", resolve));
  exitWith(code);
}

async function world(keepCompiled: () => void): Promise<World> {
  const { availableParallelism } = await import("node:os");
  const { homeFolder } = await import("./edge/home-folder.ts");
  const { randomUUID } = await import("node:crypto");
  const { resolve } = await import("node:path");
  const { ownCommand } = await import("./edge/own-command.ts");
  const { ownTheme } = await import("./edge/own-theme.ts");
  const { fileURLToPath } = await import("node:url");
  const { keepGitFilesIn } = await import("./edge/git/own-folder.ts");
  const { findHelperPrograms } = await import("./edge/processes/helper-programs.ts");
  findHelperPrograms();
  // What libraries warn developers of would be drawn over the screen; `node --trace-warnings bin/tool.js` shows it.
  if (!process.execArgv.includes("--trace-warnings")) process.removeAllListeners("warning");
  const configDir = resolve(process.env["TOOL_CONFIG_DIR"] || `${homeFolder()}/.tool`);
  keepGitFilesIn(configDir);
  const installed = fileURLToPath(packageDir).replace(/\/$/, "");
  process.stdin.on("error", ignoreLostStream);
  closeLostTerminals();
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: workingDirectory(),
    home: homeFolder(),
    managedSettings: managedSettings(),
    configDir,
    packageDir: installed,
    keepCompiled,
    version: TOOL_VERSION,
    theme: ownTheme([...managedSettings(), `${configDir}/settings.json`]),
    get command() {
      return ownCommand({ script: process.argv[1] ?? "", cwd: process.cwd(), env: process.env });
    },
    get cores() {
      return availableParallelism();
    },
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    onSignal,
    uniqueId: randomUUID,
    edges: edges(installed),
  };
}

/** The environment may add a file and never take the first one's place: whoever starts us must not get rid of the administrator's rules. */
function managedSettings(): string[] {
  const fixed = process.platform === "darwin" ? "/Library/Application Support/tool/settings.json" : "/etc/tool/settings.json";
  const further = process.env["TOOL_MANAGED_SETTINGS"];
  return further ? [fixed, further] : [fixed];
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("tool: the working directory no longer exists. Change into one that does.\n");
    process.exit(2);
  }
}
