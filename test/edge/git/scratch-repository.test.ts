import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { scratchRepository } from "../../../src/edge/git/scratch-repository.ts";
import { scratchFolder } from "../../scratch.ts";

afterEach(() => vi.unstubAllEnvs());

it.skipIf(process.platform !== "linux")("removes the copies of killed demos that no process works in, and no others", async () => {
  const temporary = scratchFolder();
  vi.stubEnv("TMPDIR", temporary);
  const source = join(scratchFolder(), "program");
  mkdirSync(source);
  writeFileSync(join(source, "a.js"), "1");
  const ended = spawnSync(process.execPath, ["-e", ""]).pid;
  const copy = (name: string) => {
    mkdirSync(join(temporary, name, "program"), { recursive: true });
    return join(temporary, name);
  };
  const [left, inUse, alive, other] = [
    `tool-demo-${ended}-abc`,
    `tool-demo-${ended}-def`,
    `tool-demo-${process.pid}-abc`,
    "tool-demo-abc",
  ].map(copy);
  const worker = spawn("sleep", ["60"], { cwd: join(inUse!, "program") });
  await new Promise((resolve) => worker.once("spawn", resolve));
  try {
    const scratch = await scratchRepository(source);
    expect([left, inUse, alive, other].map((path) => existsSync(path!))).toEqual([false, true, true, true]);
    expect(dirname(scratch.path)).toMatch(new RegExp(`/tool-demo-${process.pid}-\\w+$`));
    scratch.remove();
    expect(existsSync(dirname(scratch.path))).toBe(false);
  } finally {
    worker.kill();
  }
});

it("says in one sentence where there is no temporary folder", async () => {
  const temporary = join(scratchFolder(), "none");
  vi.stubEnv("TMPDIR", temporary);
  await expect(scratchRepository("/repo")).rejects.toThrow(
    `Cannot make a temporary folder in ${temporary}: there is no such folder. Set TMPDIR to a folder in which you may write.`,
  );
});
