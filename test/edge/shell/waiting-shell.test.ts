// A waiting shell that is killed before its command. None of these has a sandbox, so that they run where none is available; sandbox.test.ts has
// the same with one.
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox, SandboxRun } from "../../../src/agent/ports/sandbox-port.ts";
import type { AgentShell } from "../../../src/agent/ports/shell-port.ts";
import { processes } from "../../../src/edge/processes/processes.ts";
import { shell } from "../../../src/edge/shell/shell.ts";
import { eventually } from "../../scratch.ts";
import { type Tree, tree } from "../../tools/tree.ts";

const stay = (): SandboxRun => ({
  argv,
  env: {},
  offline: true,
  mark: "the same for all",
  watch: () => new AbortController().signal,
  finish: () => [],
  said: () => [],
});
const noWall: Sandbox = {
  state: () => ({ kind: "active" }),
  proxied: () => false,
  begin: stay,
  stillWorks: async () => true,
  prepareNext: stay,
  outside: () => ({}),
  settle: (_aside, { verdict }) => verdict,
  onNewRules: () => {},
  close: () => {},
};

let folder: Tree;
let here: AgentShell;
let owner: string;
let count = 0;
let argv: string[];
let env: Record<string, string>;

function open(sandbox: Sandbox | undefined) {
  folder = tree();
  argv = [];
  owner = `waiting-shell-test-${process.pid}:agent-${++count}`;
  env = { PATH: process.env["PATH"] ?? "", TOOL_OWNER: owner };
  here = shell({ cwd: folder.path, env, ...(sandbox && { sandbox: async () => sandbox }) });
}

afterEach(async () => {
  await here.endAll();
  folder.remove();
});

/** The leader of its group, to which the watcher of a shell outside of a sandbox belongs too. */
const owned = () =>
  processes()
    .owned((name) => name === owner)
    .find(({ identity, group }) => identity.pid === group)?.identity.pid;

async function run(command: string, timeoutMs = 20_000) {
  let output = "";
  const { end } = await here.run({
    command,
    timeoutMs,
    signal: new AbortController().signal,
    onOutput: (bytes) => {
      output += bytes.toString();
    },
  });
  return { end, output };
}

/** The process of the shell that waits after a first command. */
async function waitingPid(): Promise<number> {
  await run("true");
  return eventually(owned);
}

const done = (output: string) => ({ end: { kind: "exited", code: 0 }, output });

describe.each([
  ["in a sandbox", noWall],
  ["outside of any", undefined],
] as const)("a shell that waits %s", (_where, sandbox) => {
  beforeEach(() => open(sandbox));

  it("that was killed long ago is not used: the command runs in a new one at once", async () => {
    process.kill(await waitingPid(), "SIGKILL");
    await eventually(() => owned() === undefined);
    await new Promise((resolve) => setImmediate(resolve)); // this process learns of it when it next reaps its children
    expect(await run("echo run >> ran; cat ran")).toEqual({ end: { kind: "exited", code: 0 }, output: "run\n" });
  });

  it("that is killed after it received the command has not begun it: the command runs in a new one, once", async () => {
    const pid = await waitingPid();
    process.kill(pid, "SIGSTOP");
    const running = run("echo run >> ran; cat ran");
    await new Promise((resolve) => setImmediate(resolve));
    process.kill(pid, "SIGKILL");
    expect(await running).toEqual({ end: { kind: "exited", code: 0 }, output: "run\n" });
  });

  it("that is killed while it runs the command is not run again", async () => {
    const pid = await waitingPid();
    const running = run("echo run >> ran; while :; do sleep 0.05; done");
    await eventually(() => existsSync(folder.at("ran")) && folder.text("ran") !== ""); // the file is created before it is written
    process.kill(pid, "SIGKILL");
    expect(await running).toEqual({ end: { kind: "killed", signal: "SIGKILL" }, output: "" });
    expect(folder.text("ran")).toBe("run\n");
  });

  it("ends at the time limit with a command that it has not begun", async () => {
    process.kill(await waitingPid(), "SIGSTOP");
    expect(await run("echo run >> ran", 300)).toEqual({ end: { kind: "timed_out" }, output: "" });
    expect(existsSync(folder.at("ran"))).toBe(false);
  });

  it.each([
    'printf "%s|" "$0" "$#" "$-" "$SHLVL" "$!" "$PWD" "$script"; jobs; wait; set -o; ls /proc/self/fd | wc -l; compgen -e; nonsense',
    "echo first\n(",
  ])("runs the next command as a new one does: %s", async (command) => {
    const first = await run(command);
    await eventually(owned);
    expect(await run(command)).toEqual(first);
    expect(first.output).not.toBe("");
  });
});

describe("a shell that waits outside of any sandbox", () => {
  beforeEach(() => open(undefined));

  it("runs the next command", async () => {
    const pid = await waitingPid();
    expect(await run("echo $$")).toEqual(done(`${pid}\n`));
  });

  it("is not used if its folder is another one now", async () => {
    await waitingPid();
    renameSync(folder.path, `${folder.path}-before`);
    mkdirSync(folder.path);
    renameSync(`${folder.path}-before`, folder.at("before"));
    expect(await run("ls")).toEqual(done("before\n"));
  });

  it("is not used if the environment of commands has changed", async () => {
    await waitingPid();
    env["LATER"] = "yes";
    expect(await run("echo $LATER")).toEqual(done("yes\n"));
  });
});

describe("a shell that waits in a sandbox", () => {
  beforeEach(() => open(noWall));

  it("that is gone is not used either while the sandbox around it has not ended", async () => {
    const endsLate = '"$@" & echo $! >> inside; exec 4<&-; wait $!; code=$?; [ $code != 137 ] || sleep 600; exit $code';
    argv = ["bash", "-c", endsLate, "sandbox"];
    await run("true");
    const pid = await eventually(() => Number(/^\d+\n(\d+)\n/.exec(folder.text("inside"))?.[1]) || undefined);
    process.kill(pid, "SIGKILL");
    await eventually(() => !processes().identify(pid));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve)); // its socket is also closed on this side
    expect(await run("echo run >> ran; cat ran")).toEqual({ end: { kind: "exited", code: 0 }, output: "run\n" });
  });
});
