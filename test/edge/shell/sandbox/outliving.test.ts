// Nothing in a sandbox outlives its command, even where the first process there could be traced: without the filter of system calls.
import { existsSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import type { SandboxRun } from "../../../../src/agent/ports/sandbox-port.ts";
import { endGroup } from "../../../../src/edge/processes/end-group.ts";
import { processes } from "../../../../src/edge/processes/processes.ts";
import { tryBwrap } from "../../../../src/edge/shell/sandbox/bwrap.ts";
import { startShell } from "../../../../src/edge/shell/shell-process.ts";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { tree } from "../../../tools/tree.ts";

const inSandbox = it.skipIf((await lacks("sandbox")) || process.arch !== "x64");
const script = readFileSync(new URL("./outliving.py", import.meta.url), "utf8");

async function started(command: string) {
  const { path, at, remove } = tree({ "outliving.py": script });
  onTestFinished(remove);
  const bwrap = await tryBwrap();
  const base = bwrap.kind === "works" ? bwrap.base : [];
  const stay = { argv: [...base, "--bind", path, path, "--info-fd", "3", "--"] } as unknown as SandboxRun;
  const made = startShell(["-c", command], { cwd: path, env: { PATH: process.env["PATH"] ?? "" }, stay });
  return { ...made, at };
}

const isGone = ({ first }: Awaited<ReturnType<typeof started>>["group"]) => first !== undefined && !processes().isAlive(first);

// 3: a machine may forbid it (yama)
inSandbox("a command that has ended leaves no process", async () => {
  const { ended, group } = await started("python3 outliving.py </dev/null");
  expect([
    { kind: "exited", code: 0 },
    { kind: "exited", code: 3 },
  ]).toContainEqual(await ended);
  expect(isGone(group)).toBe(true);
});

inSandbox("neither does one that is ended", async () => {
  const { group, at } = await started("python3 outliving.py </dev/null; touch up; sleep 60");
  await eventually(() => existsSync(at("up")));
  await endGroup(group, 0);
  expect(isGone(group)).toBe(true);
});
