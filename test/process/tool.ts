// Starts the built program for tests: with a home of its own, teams enabled, and only PATH from this machine's environment.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** `cwd`: where commands run; the tests' own folder when it is absent. */
export type Home = Disposable & { config: string; env: Record<string, string>; cwd?: string };

export function temporaryHome(): Home {
  const config = mkdtempSync(join(tmpdir(), "home-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: config, TOOL_CONFIG_DIR: config, TOOL_EXPERIMENTAL_AGENT_TEAMS: "1" };
  return { config, env, [Symbol.dispose]: () => rmSync(config, { recursive: true, force: true }) };
}

export const program = join(import.meta.dirname, "../../bin/tool.js");

export type Ran = { code: number | null; stdout: string; stderr: string };

/** Runs `tool …` to its end. */
export async function tool(home: Home, args: string[], input: string | Buffer = ""): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], { env: home.env, ...(home.cwd !== undefined && { cwd: home.cwd }) });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  child.stdin.on("error", () => {}); // some tests are about programs that end without reading their input
  child.stdin.end(input);
  const code = await ended(child);
  return { code, ...output };
}

export type Exec = {
  child: ChildProcessWithoutNullStreams;
  /** Sends one request and resolves with its reply. */
  ask(request: unknown): Promise<Record<string, unknown>>;
  /** Closes its input; resolves with the exit code. */
  end(): Promise<number | null>;
};

/** A running `tool team exec`. */
export function startExec(home: Home, { as, team }: { as: string; team: string }): Exec {
  const child = spawn(process.execPath, [program, "team", "exec", "--as", as, "--team", team], { env: home.env });
  child.stderr.pipe(process.stderr);
  const waiting: ((reply: Record<string, unknown>) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(JSON.parse(line)));
  return {
    child,
    ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return new Promise((resolve) => waiting.push(resolve));
    },
    end() {
      child.stdin.end();
      return ended(child);
    },
  };
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
}
