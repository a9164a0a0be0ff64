// Where a path leads, links followed; and which links lead elsewhere for each process, so that no path through them has a place.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realPath } from "../../../src/edge/disk/real-path.ts";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import { lacks } from "../../needs.ts";
import { scratchFolder } from "../../scratch.ts";

const noLinux = await lacks("Linux");

describe.skipIf(noLinux)("links of a process", () => {
  it.each([
    "/proc/self/cwd/a",
    "/proc/self/cwd",
    "/proc/self/./cwd/a",
    "/proc/thread-self/cwd/a",
    `/proc/${process.pid}/cwd/a`,
    "/proc/99999999/cwd/a",
    `/proc/self/task/${process.pid}/cwd/a`,
    "/proc/self/fd/77/a",
    "/dev/fd/77/a",
    "/dev/stdin",
  ])("realPath() refuses %s", (path) => {
    expect(() => realPath(path)).toThrow("leads elsewhere for each process");
  });

  it("realPath() follows what leads to the same for all", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    symlinkSync("/proc/self/cwd", join(folder, "c"));
    symlinkSync("c/x", join(folder, "d"));
    expect([realPath(join(folder, "b/x")), realPath("/proc/self/status"), realPath("/dev/null")]).toEqual([
      join(folder, "a/x"),
      `/proc/${process.pid}/status`,
      "/dev/null",
    ]);
    for (const name of ["c", "c/x", "d"]) expect(() => realPath(join(folder, name))).toThrow("leads elsewhere");
  });

  it("a command that names one is asked about in every mode, and devices are not", async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, "config"));
    writeFileSync(join(cwd, "config/prod.yml"), "a");
    const real = async (path: string) => realPath(path);
    const order = { cwd, home: "/home/me", configDir: "/home/me/.tool", deny: ["Read(config/prod.yml)"], allow: ["Bash(cat:*)"] };
    const decisions = (mode: "acceptEdits" | "bypassPermissions", commands: string[]) =>
      Promise.all(
        commands.map(async (command) => {
          const made = await makePolicy({ ...order, mode }, real);
          if (!made.ok) throw new Error(made.reason);
          return decide(await locate({ tool: "Bash", input: { command } }, made.policy, real), made.policy).decision;
        }),
      );
    const ways = [
      "/proc/self/cwd",
      "/proc/thread-self/cwd",
      "/dev/fd/../cwd",
      `/proc/${process.pid}/cwd`,
      "/dev/fd/3",
      "/proc/self/root/a",
    ];
    const named = ways.flatMap((way) => [`cd config && cat ${way}/prod.yml`, `cd .git/hooks; echo x > ${way}/pre-commit`]);
    for (const mode of ["acceptEdits", "bypassPermissions"] as const) expect(await decisions(mode, named)).toEqual(named.map(() => "ask"));
    const devices = ["cat a > /dev/null 2> /dev/stderr", "cat < /dev/stdin > /dev/stdout", "echo a > /dev/fd/2", "cat --out=/dev/stdout a"];
    expect(await decisions("acceptEdits", devices)).toEqual(devices.map(() => "allow"));
  });
});
