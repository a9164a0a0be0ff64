// The folders of agents whose processes were killed are removed at the next start; files left by commands that would run later are kept for
// the user.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processes } from "../../../../src/edge/processes/processes.ts";
import { ownTemporary, removeState, sweepStateFolders } from "../../../../src/edge/shell/sandbox/state-folder.ts";
import { failing } from "../../../failing-calls.ts";
import { scratchFolder } from "../../../scratch.ts";

const none = () => false;

/** The state after SIGKILL: its record names a process that has really ended. */
async function killedIn(folder: string, names: string[]): Promise<void> {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  await once(child, "spawn");
  const owner = processes().identify(child.pid!);
  for (const name of names) {
    ownTemporary(join(folder, name));
    writeFileSync(join(folder, name, "tmp", "big.log"), "x");
    writeFileSync(join(folder, name, "attributes"), "x");
    writeFileSync(join(folder, name, "owner.json"), JSON.stringify(owner));
  }
  child.kill("SIGKILL");
  await once(child, "exit");
}

it("removes what killed processes left, and nothing of those that live or may be restarted", async () => {
  const folder = scratchFolder();
  await killedIn(folder, ["gone-tool", "kept-ada", "left-tool", "running-tool"]);
  mkdirSync(join(folder, "left-tool", "put-aside"));
  writeFileSync(join(folder, "left-tool", "put-aside", "1-.husky"), "x");
  writeFileSync(join(folder, "running-tool", "running.json"), "{}");
  ownTemporary(join(folder, "alive-tool"));
  mkdirSync(join(folder, "unknown-tool"));
  sweepStateFolders(folder, (name) => name.startsWith("kept-"));
  const seen = readdirSync(folder, { recursive: true }).map(String).sort();
  expect(seen.filter((name) => !/^(?:kept|running)-/.test(name))).toEqual([
    "alive-tool",
    "alive-tool/owner.json",
    "alive-tool/tmp",
    "alive-tool/tmp-plan",
    "left-tool",
    "left-tool/put-aside",
    "left-tool/put-aside/1-.husky",
    "unknown-tool",
  ]);
  expect([seen.includes("kept-ada/tmp/big.log"), seen.includes("running-tool/tmp/big.log")]).toEqual([true, true]);
});

it("sweeps on where another sweep was killed", async () => {
  const folder = scratchFolder();
  await killedIn(folder, ["gone-tool"]);
  renameSync(join(folder, "gone-tool", "tmp"), join(folder, "elsewhere"));
  sweepStateFolders(folder, none);
  expect(readdirSync(folder)).toEqual(["elsewhere"]);
});

it("fails no start and no end if the disk refuses to remove: the next start does it", async () => {
  const folder = scratchFolder();
  await killedIn(folder, ["gone-tool"]);
  const temporary = ownTemporary(join(folder, "own-tool"));
  const broken = failing("rmSync", { code: "EIO", when: (path) => path.startsWith(folder) });
  sweepStateFolders(folder, none);
  removeState(join(folder, "own-tool"), temporary);
  broken.mend();
  expect(readdirSync(folder).sort()).toEqual(["gone-tool", "own-tool"]);
  sweepStateFolders(folder, none);
  expect(readdirSync(folder)).toEqual(["own-tool"]);
});

it("leaves nothing at an ordered end", () => {
  const folder = scratchFolder();
  const stateFolder = join(folder, "s-tool");
  const temporary = ownTemporary(stateFolder);
  expect(JSON.parse(readFileSync(join(stateFolder, "owner.json"), "utf8")).pid).toBe(process.pid);
  removeState(stateFolder, temporary);
  expect(existsSync(stateFolder)).toBe(false);
});
