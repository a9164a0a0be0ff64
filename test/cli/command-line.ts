// Runs a command line in this process: the real command tree and edges, in a folder and a home of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Output, World } from "../../src/app/world.ts";
import { run } from "../../src/cli/program.ts";
import { edges } from "../../src/world/edges.ts";
import { scratchFolder } from "../scratch.ts";

type Printed = { code: number; out: string; err: string };

/** A repository with these files; paths with `~/` are in the home folder. `settings`: of the environment. */
export function commandLine(files: Record<string, string | Buffer> = {}, settings: Record<string, string> = {}) {
  const root = scratchFolder();
  const cwd = join(root, "repo");
  const home = join(root, "home");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(home);
  for (const [name, content] of Object.entries(files)) {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const tool = async (...argv: string[]): Promise<Printed> => {
    const [stdout, stderr] = [collected(), collected()];
    const world = {
      argv,
      env: { PATH: process.env["PATH"], HOME: home, ...settings },
      cwd,
      home,
      configDir: join(home, ".tool"),
      managedSettings: [],
      packageDir: join(import.meta.dirname, "../.."),
      keepCompiled: () => {},
      version: "1.2.3",
      theme: "auto",
      command: "tool",
      cores: 2,
      self: [],
      stdin: emptyInput(),
      stdout,
      stderr,
      onSignal: () => () => {},
      uniqueId: () => "7f3a",
      edges: edges(join(import.meta.dirname, "../..")),
    } satisfies World;
    return { code: await run(world), out: stdout.text(), err: stderr.text() };
  };
  return { tool, cwd, home };
}

async function* emptyInput(): AsyncGenerator<Buffer> {}

/** An output that collects what is printed and is not a terminal. */
export function collected(): Output & { text(): string } {
  const parts: string[] = [];
  return { write: (text) => void parts.push(text), drained: async () => "open", isTTY: false, columns: 80, text: () => parts.join("") };
}
