import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runHook } from "../../../src/edge/processes/run-hook.ts";
import { sweep } from "../../../src/edge/processes/sweep.ts";
import type { HookProcess } from "../../../src/hooks/hook-process.ts";
import { eventually, quoted, scratchFolder } from "../../scratch.ts";

const never = new AbortController().signal;
const environment = { PATH: process.env["PATH"] ?? "", HOME: "/" };

const hook = (command: string, more: Partial<HookProcess> = {}) =>
  runHook({ command, cwd: "/", env: environment, input: "{}", timeoutMs: 30_000, signal: never, ...more });

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

it("returns the exit code and both streams, and passes the input, the folder and only the given environment", async () => {
  const folder = scratchFolder();
  const end = await hook("cat; pwd; env | cut -d= -f1 | grep -vE '^(_|SHLVL|PWD|PATH)$'; echo why >&2; exit 2", {
    input: '{"a":1}',
    cwd: folder,
    env: { ...environment, TOOL_OWNER: "s:tool" },
  });
  expect(end).toEqual({ kind: "exited", code: 2, stdout: `{"a":1}${folder}\nHOME\nTOOL_OWNER\n`, stderr: "why\n", isCut: false });
});

it("keeps 64 KB of 100 MB, and the exit code after them", async () => {
  const end = await hook("head -c 100000000 /dev/zero | tr '\\0' x; head -c 100000000 /dev/zero | tr '\\0' y >&2; exit 2");
  expect(end).toEqual({ kind: "exited", code: 2, stdout: "x".repeat(65_536), stderr: "y".repeat(65_536), isCut: true });
});

it("tolerates a hook that ends without reading a large input", async () => {
  expect(await hook("exit 0", { input: "x".repeat(4_000_000) })).toMatchObject({ kind: "exited", code: 0 });
});

it.each([
  ["that hangs", "sleep 1000 & echo $!; wait"],
  ["that does not listen to SIGTERM", "trap '' TERM; sleep 1000 & echo $!; while :; do wait; done"],
])("ends the group of a hook %s", async (_, command) => {
  const end = await hook(command, { timeoutMs: 2_000 });
  expect(end).toMatchObject({ kind: "timed_out", stdout: expect.stringMatching(/^\d+\n$/) });
  await eventually(() => !isAlive(Number(end.stdout)));
});

it("ends processes that a hook leaves in its group", async () => {
  const end = await hook("sleep 1000 & echo $!");
  expect(end).toMatchObject({ kind: "exited", code: 0 });
  await eventually(() => !isAlive(Number(end.stdout)));
});

it("leaves the processes of one that may leave some, unless it fails", async () => {
  const owner = `hook-test-left-${process.pid}:tool`;
  onTestFinished(() => void sweep(owner));
  const env = { ...environment, TOOL_OWNER: owner };
  const left = await hook("sleep 1000 & echo $!", { env, mayLeave: true });
  const failed = await hook("sleep 1000 & echo $!; exit 1", { env, mayLeave: true });
  await eventually(() => !isAlive(Number(failed.stdout)));
  expect([left, isAlive(Number(left.stdout))]).toMatchObject([{ kind: "exited", code: 0 }, true]);
});

it("does not wait for processes that left the group and hold the pipes; they are found by their owner", async () => {
  const owner = `hook-test-${process.pid}:tool`;
  onTestFinished(() => void sweep(owner));
  const talks = "echo $$; : > ready; while sleep 0.01; do echo more; done";
  const end = await hook(`trap '' PIPE; setsid sh -c '${talks}' & until [ -e ready ]; do sleep 0.01; done`, {
    cwd: scratchFolder(),
    env: { ...environment, TOOL_OWNER: owner },
  });
  expect(end).toMatchObject({ kind: "exited", code: 0 });
  const pid = Number(end.stdout.split("\n")[0]);
  expect([isAlive(pid), (await sweep(owner)) > 0]).toEqual([true, true]);
  await eventually(() => !isAlive(pid));
});

it("returns a result also if it is interrupted, missing or cannot be started", async () => {
  const stop = new AbortController();
  const folder = scratchFolder();
  const interrupted = hook(`touch ${quoted(join(folder, "begun"))}; sleep 1000`, { signal: stop.signal });
  await eventually(() => {
    try {
      return readFileSync(join(folder, "begun")).length === 0;
    } catch {
      return false;
    }
  });
  stop.abort();
  expect([await interrupted, await hook("no-such-program-here"), await hook("true", { cwd: join(folder, "gone") })]).toMatchObject([
    { kind: "aborted" },
    { kind: "exited", code: 127 },
    { kind: "failed", reason: `the folder ${join(folder, "gone")} is missing` },
  ]);
});
