import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run } from "../../../src/edge/processes/run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tool-run-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
async function eventually(check: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 5000; Date.now() < end; ) {
    if (check()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return check();
}

it("returns exit code and both streams, byte for byte", async () => {
  expect(await run(["sh", "-c", "echo out; printf err >&2; exit 3"])).toEqual({
    code: 3,
    signal: null,
    stdout: "out\n",
    stderr: "err",
    timedOut: false,
    failed: undefined,
  });
});

it("passes input, folder and environment, and only that environment if told so", async () => {
  const { stdout } = await run(["/bin/sh", "-c", 'cat; pwd; echo "$A-$HOME"'], {
    input: "given ",
    cwd: folder,
    env: { A: "a" },
    extendEnv: false,
  });
  expect(stdout).toBe(`given ${folder}\na-\n`);
});

it("has no standard input if none is given", async () => {
  expect((await run(["cat"])).stdout).toBe("");
});

it("returns a result for what cannot be started: a missing program or folder, no permission, too many arguments", async () => {
  writeFileSync(join(folder, "plain"), "text");
  const failures = [
    await run(["no-such-program-here"]),
    await run(["ls"], { cwd: join(folder, "gone") }),
    await run([join(folder, "plain")]),
    await run(["echo", "x".repeat(4_000_000)]),
  ];
  expect(failures.map(({ code, failed }) => ({ code, failed }))).toEqual([
    { code: null, failed: "no-such-program-here was not found on PATH" },
    { code: null, failed: `ls was not found, or the folder ${join(folder, "gone")} is missing` },
    { code: null, failed: `${join(folder, "plain")} cannot be executed: permission denied` },
    { code: null, failed: "echo cannot be started: E2BIG" },
  ]);
});

it("kills the whole group at the deadline and keeps what was printed", async () => {
  const result = await run(["sh", "-c", "sleep 600 & echo $!; wait"], { timeoutMs: 300 });
  expect(result).toEqual({
    code: null,
    signal: "SIGKILL",
    stdout: expect.stringMatching(/^\d+\n$/),
    stderr: "",
    timedOut: true,
    failed: undefined,
  });
  expect(await eventually(() => !alive(Number(result.stdout)))).toBe(true);
});

it("kills the group on abort", async () => {
  const abort = new AbortController();
  const started = join(folder, "started");
  const running = run(["sh", "-c", `: > '${started}'; sleep 600`], { signal: abort.signal });
  await eventually(() => existsSync(started));
  abort.abort();
  expect(await running).toMatchObject({ code: null, signal: "SIGKILL", failed: "sh was killed: the call was aborted" });
  expect(await run(["true"], { signal: abort.signal })).toMatchObject({ code: null, failed: "true was not started: the call was aborted" });
});

it("does not wait for a pipe that a grandchild holds open", async () => {
  const result = await run(["sh", "-c", "setsid sleep 600 & echo $!"]);
  expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/), timedOut: false });
  process.kill(Number(result.stdout), "SIGKILL");
});

it("stops a program that prints endlessly", async () => {
  const result = await run(["yes"], { maxOutput: 1000 });
  expect({ kept: result.stdout.length, failed: result.failed }).toEqual({
    kept: 1000,
    failed: "yes was killed: it printed more than 1000 characters",
  });
});
