import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Sandbox } from "../../../src/agent/ports/sandbox-port.ts";
import type { AgentShell } from "../../../src/agent/ports/shell-port.ts";
import { shell } from "../../../src/edge/shell/shell.ts";
import { commandEnvironment } from "../../../src/secrets/environment.ts";
import type { ShellEnd } from "../../../src/tools/shell.ts";
import { type Tree, tree } from "../../tools/tree.ts";

let folder: Tree;
let here: AgentShell;
let owner = 0;
beforeEach(() => {
  folder = tree();
  here = shell({ cwd: folder.path, env: commandEnvironment(process.env, `shell-test-${process.pid}:agent-${++owner}`) });
});
afterEach(async () => {
  await here.endAll();
  folder.remove();
});

async function run(
  command: string,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<{ end: ShellEnd; output: string }> {
  let output = "";
  const { end } = await here.run({
    command,
    timeoutMs: options.timeoutMs ?? 60_000,
    signal: options.signal ?? new AbortController().signal,
    onOutput: (bytes) => {
      output += bytes.toString();
    },
  });
  return { end, output };
}

function alive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function eventually(check: () => boolean): Promise<boolean> {
  for (const end = performance.now() + 5000; performance.now() < end && !check(); ) await new Promise((resolve) => setTimeout(resolve, 10));
  return check();
}

it("runs a command to its end and streams its output as it comes", async () => {
  const pieces: string[] = [];
  const running = here.run({
    command: "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: (bytes) => pieces.push(bytes.toString()),
  });
  expect(await eventually(() => pieces.length > 0)).toBe(true);
  expect(pieces).toEqual(["one\n"]);
  folder.put("go", "");
  expect(await running).toEqual({ end: { kind: "exited", code: 0 }, ms: expect.any(Number) });
  expect(pieces).toEqual(["one\n", "two\n"]);
});

it("runs no ~/.bashrc, even where bash takes itself for a remote shell", async () => {
  folder.put(".bashrc", "echo read");
  const { SHLVL: _within, ...env } = commandEnvironment(process.env, `shell-test-${process.pid}:agent-${++owner}`);
  here = shell({ cwd: folder.path, env: { ...env, HOME: folder.path, SSH_CLIENT: "127.0.0.1 1 22" } });
  expect(await run("echo done")).toEqual({ end: { kind: "exited", code: 0 }, output: "done\n" });
});

it("says how a command ended", async () => {
  expect([await run("exit 7"), await run("kill -SEGV $$"), await run("no-such-command-here")]).toEqual([
    { end: { kind: "exited", code: 7 }, output: "" },
    { end: { kind: "killed", signal: "SIGSEGV" }, output: "" },
    { end: { kind: "exited", code: 127 }, output: expect.stringContaining("no-such-command-here: command not found") },
  ]);
});

it("reports a syntax error as the shell does", async () => {
  const outputs = await Promise.all(
    ["echo )", "echo one\nfi", "echo 'one", "none-of-that"].map(async (command) => (await run(command)).output),
  );
  expect(outputs).toEqual([
    "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo )'\n",
    "one\nbash: -c: line 2: syntax error near unexpected token `fi'\nbash: -c: line 2: `fi'\n",
    expect.stringContaining("bash: -c: line 1: unexpected EOF while looking for matching `''"),
    "bash: line 1: none-of-that: command not found\n",
  ]);
});

it("has no input and no terminal, and never prompts", async () => {
  const { output } = await run('cat; tty; read -t 1 x; echo "$? $PAGER $GIT_TERMINAL_PROMPT"');
  expect(output).toBe("not a tty\n1 cat 0\n");
});

it("delivers 10 MB of output completely", async () => {
  let bytes = 0;
  const { end } = await here.run({
    command: "head -c 10000000 /dev/zero",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      bytes += chunk.length;
    },
  });
  expect({ end, bytes }).toEqual({ end: { kind: "exited", code: 0 }, bytes: 10_000_000 });
});

it("does not wait for a background process that holds the output, and does not end it", async () => {
  const { end, output } = await run("sleep 600 & echo $!");
  const pid = Number(output);
  expect({ end, alive: alive(pid) }).toEqual({ end: { kind: "exited", code: 0 }, alive: true });
});

it("continues to drain a background process, so that writing does not kill it", async () => {
  const { output } = await run("(until [ -e begin ]; do sleep 0.01; done; seq 200000; touch survived) & echo $!");
  const pid = Number(output);
  folder.put("begin", "");
  expect(await eventually(() => readable("survived") && !alive(pid))).toBe(true);
});

function readable(name: string): boolean {
  try {
    folder.text(name);
    return true;
  } catch {
    return false;
  }
}

it("ends the whole group at the time limit, including what ignores SIGTERM", async () => {
  const { end, output } = await run("echo $$; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & wait", { timeoutMs: 500 });
  const pids = output.trim().split("\n").map(Number);
  expect(end).toEqual({ kind: "timed_out" });
  expect([pids.length, await eventually(() => !pids.some(alive))]).toEqual([2, true]);
});

it("lets a command clean up at the time limit", async () => {
  const { end, output } = await run("trap 'echo cleaning; exit 0' TERM; echo started; while :; do sleep 0.05; done", { timeoutMs: 500 });
  expect({ end, output: output.replace(/^.*Terminated.*\n/m, "") }).toEqual({ end: { kind: "timed_out" }, output: "started\ncleaning\n" });
});

it("ends the group on abort, and starts nothing when aborted before", async () => {
  const abort = new AbortController();
  const running = run("echo $$; sleep 600", { signal: abort.signal });
  setTimeout(() => abort.abort(), 300);
  const { end, output } = await running;
  expect({ end, gone: await eventually(() => !alive(Number(output))) }).toEqual({ end: { kind: "aborted" }, gone: true });
  expect(await run("touch never", { signal: abort.signal })).toEqual({ end: { kind: "aborted" }, output: "" });
  expect(readable("never")).toBe(false);
});

it("leaves no listener on a signal that outlives the command", async () => {
  const abort = new AbortController();
  await run("true", { signal: abort.signal });
  expect(EventEmitter.getEventListeners(abort.signal, "abort").length).toBe(0);
});

it("ends processes that commands left running when the agent ends, wherever they are", async () => {
  const { output } = await run(
    "sleep 600 & echo $!; setsid sleep 600 & echo $!; (trap '' TERM HUP; while :; do sleep 1; done) & echo $!; nohup setsid sh -c 'sleep 600 & echo $!; : > told; wait' 2>/dev/null & until [ -e told ]; do sleep 0.01; done",
  );
  const pids = output.trim().split("\n").map(Number);
  expect([pids.length, pids.every(alive)]).toEqual([4, true]);
  const other = shell({ cwd: folder.path, env: commandEnvironment(process.env, "another:agent") });
  await other.endAll();
  expect(pids.every(alive)).toBe(true);
  await here.endAll();
  expect(pids.filter(alive)).toEqual([]);
});

it("marks the processes it starts and withholds secrets from them", async () => {
  const env = commandEnvironment(
    { PATH: process.env["PATH"], HOME: "/nowhere", ANTHROPIC_API_KEY: "k", GITHUB_TOKEN: "t", TMUX: "/tmp/x" },
    "s1:ada",
  );
  const output: string[] = [];
  await shell({ cwd: folder.path, env }).run({
    command: "env",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: (bytes) => output.push(bytes.toString()),
  });
  const names = output
    .join("")
    .match(/^\w+(?==)/gm)
    ?.sort();
  expect(output.join("")).toContain("TOOL_OWNER=s1:ada\n");
  expect(names?.filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name))).toEqual([
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_TERMINAL_PROMPT",
    "HOME",
    "NO_COLOR",
    "PAGER",
    "PATH",
    "TERM",
    "TOOL_OWNER",
  ]);
});

it("reports a missing working directory, a missing bash, and a command that cannot be passed on", async () => {
  const request = { command: "true", timeoutMs: 1000, signal: new AbortController().signal, onOutput: () => {} };
  const gone = await shell({ cwd: folder.at("gone"), env: {} }).run(request);
  const bare = await shell({ cwd: folder.path, env: { PATH: folder.path } }).run(request);
  const long = await here.run({ ...request, command: `: ${"x".repeat(4_000_000)}` });
  expect([gone.end, bare.end, long.end]).toEqual([
    { kind: "failed", reason: `the working directory ${folder.at("gone")} is gone` },
    { kind: "failed", reason: "bash was not found on PATH" },
    { kind: "failed", reason: "it is too long. Write it to a file and run that" },
  ]);
});

/** Runs `command` in sandboxes that begin with these arguments, one after another, repeating the last. */
async function runInside(walls: string[][], command: string): Promise<{ end: ShellEnd; output: string; made: string[] }> {
  const made: string[] = [];
  const sandbox: Sandbox = {
    state: () => ({ kind: "active" }),
    proxied: () => false,
    begin() {
      const argv = walls[Math.min(made.filter((step) => step === "begun").length, walls.length - 1)]!;
      made.push("begun");
      return {
        argv,
        env: {},
        offline: false,
        mark: "",
        watch() {
          made.push("watched");
          return new AbortController().signal;
        },
        said: () => [],
        finish() {
          made.push("finished");
          return [];
        },
      };
    },
    stillWorks: async () => true,
    prepareNext: () => undefined,
    outside: () => ({}),
    settle: (_aside, { verdict }) => verdict,
    onNewRules: () => {},
    close: () => {},
  };
  await here.endAll();
  here = shell({ cwd: folder.path, env: commandEnvironment(process.env, "shell-test"), sandbox: async () => sandbox });
  return { ...(await run(command)), made };
}

/** bubblewrap's message about a folder that was deleted while it was being covered. */
const gone = "bwrap: Can't find source path /repo/.git/worktrees/a-0000: No such file or directory";
const noWall = ["bash", "-c", 'echo "$0" >&2; exit 1', gone];

it("makes a sandbox again if something vanished while it was made, and runs the command once", async () => {
  expect(await runInside([noWall, noWall, ["env"]], "echo ran >> log; cat log")).toEqual({
    end: { kind: "exited", code: 0 },
    output: "ran\n",
    made: ["begun", "watched", "finished", "begun", "watched", "finished", "begun", "watched", "finished"],
  });
});

it("does not run a command for which no sandbox can be made, with bubblewrap's message", async () => {
  const { end, output, made } = await runInside([noWall], "echo ran");
  const reason = `no sandbox could be made for it, so it did not run: ${gone}`;
  expect({ end, output }).toEqual({ end: { kind: "failed", reason }, output: "" });
  expect(made.filter((step) => step === "begun")).toHaveLength(4);
});

it("runs a command once in a sandbox, whatever it prints and however it ends", async () => {
  const says = `echo "${gone}" >&2; exit 1`;
  expect(await runInside([["env"]], says)).toMatchObject({ end: { kind: "exited", code: 1 }, output: `${gone}\n`, made: { length: 3 } });
  const { end, output, made } = await runInside([["env"]], "if");
  expect(end).toEqual({ kind: "exited", code: 2 });
  expect(output).toMatch(/^bash: -c: line 1: syntax error[^\n]*\n$|^bash: -c: line 2: syntax error: unexpected end of file/);
  expect(made).toHaveLength(3);
  expect((await runInside([["env"]], "echo ) (")).output).toContain("`echo ) ('");
});

it("says which disk is full when a sandbox cannot be made, and runs nothing", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", path: "/home/me/.tool/state" });
  const sandbox = async () => {
    throw full;
  };
  here = shell({ cwd: folder.path, env: commandEnvironment(process.env, `shell-test-${process.pid}:agent-${++owner}`), sandbox });
  const { end, output } = await run("echo ran");
  expect(end).toEqual({
    kind: "failed",
    reason: "the disk is full (/home/me/.tool/state). Nothing was run. Make room there",
  });
  expect(output).toBe("");
});
