// What a shell offers when TAB is pressed, for teams on a real disk.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { transcriptPath } from "../../src/agent/session/transcript.ts";
import type { World } from "../../src/app/world.ts";
import { type BatchRecord, createStore } from "../../src/batch/batch-record.ts";
import { batchLayout } from "../../src/batch/layout.ts";
import { planText } from "../../src/batch/plan/plan-file.ts";
import type { UnitRecord } from "../../src/batch/unit-record.ts";
import type { ChangesRepository } from "../../src/changes/repository.ts";
import { completeCommand } from "../../src/cli/complete.ts";
import { memoryWorld } from "../app/memory-world.ts";
import { batchRecord, recordOf, unit } from "../batch/plans.ts";
import { ports, temporaryTeam } from "../board/temporary-team.ts";
import { scratchFolder } from "../scratch.ts";
import { aRecord } from "../subagents/kit.ts";
import { programTree } from "./program-tree.ts";

it("complete offers every team after --team, and after --resume those that can be resumed", async () => {
  const configDir = scratchFolder();
  using team = temporaryTeam();
  await team.board.changeRecord((record) => ({
    ...record,
    cwd: configDir,
    members: record.members.map((member) => (member.role === "lead" ? { ...member, session: "s-lead" } : member)),
  }));
  // A team's folder copied under another name can be read, but not resumed.
  for (const name of ["atlas", "copied"]) cpSync(team.folder, join(configDir, "teams", name), { recursive: true });
  expect(await completed(configDir, "team", "status", "--team", "")).toBe("atlas\t\ncopied\t\n");
  expect(await completed(configDir, "team", "--resume", "")).toBe("atlas\t\n");
  expect(await completed(configDir, "team", "--resume=a")).toBe("--resume=atlas\t\n");
  expect(await completed(configDir, "team", "--resume", "c")).toBe("");
});

it("complete offers resumable batches after --resume, and those with a failed unit after --retry", async () => {
  const configDir = scratchFolder();
  const root = scratchFolder();
  const failed = recordOf("u1", { state: "failed", error: { kind: "tests", reason: "2 failed" } });
  const done = recordOf("u2", { state: "done" });
  const start = (id: string, units: UnitRecord[], change: Partial<BatchRecord> = {}) =>
    createStore(ports.disk, batchLayout(configDir, id), {
      batch: batchRecord({ id, root, instruction: `Replace ${id}`, ...change }),
      planText: planText({ units: units.map((record) => unit(record.id)) }, { instruction: "", head: "" }),
      units,
    });
  start("0begun", [recordOf("u1"), done]);
  start("1failed", [failed, done]);
  start("2done", [done]);
  start("3gone", [failed], { root: "/repo/gone" });
  expect(await completed(configDir, "batch", "--resume", "")).toBe("0begun\tReplace 0begun\n");
  expect(await completed(configDir, "batch", "--retry", "")).toBe("1failed\tReplace 1failed\n");
});

it("complete offers the settings, each with what it means", async () => {
  expect(await completed(scratchFolder(), "config", "set", "sandbox.r")).toBe(
    "sandbox.required\tRun no command where there is no sandbox\n",
  );
});

it("complete offers the words that a setting can be", async () => {
  const values = async (setting: string) =>
    (await completed(scratchFolder(), "config", "set", setting, ""))
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  expect(await values("theme")).toEqual(["auto", "light", "dark", "ansi", "none"]);
  expect(await values("sandbox.autoAllow")).toEqual(["true", "false"]);
  expect(await values("model")).toEqual([]);
});

it("complete offers the sessions of this folder with their first words, and models by name and as the settings call them", async () => {
  const { world, out } = memoryWorld({
    files: {
      [transcriptPath("/home/me/.tool", "/repo", "s-1")]: [
        { type: "session", id: "s-1", cwd: "/repo", at: "" },
        { type: "input", inputs: [{ source: { kind: "user" }, text: "Fix the parser\nnow" }], at: "" },
        { type: "reply", message: { content: [] }, at: "" },
      ]
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(""),
      "/home/me/.tool/settings.json": JSON.stringify({ model: "own-model", modelIds: { "claude-opus-5-5": "deployed" } }),
    },
  });
  const offered = async (...words: string[]) => {
    const before = out().length;
    await completeCommand(world, programTree()).parseAsync(["--", ...words], { from: "user" });
    return out().slice(before);
  };
  expect(await offered("--resume", "")).toBe("s-1\tFix the parser now\n");
  expect(await offered("--model", "o")).toBe("opus\tclaude-opus-5-5\nown-model\t\n");
});

it("complete offers what was made apart after take, without asking git", async () => {
  const worktree = { folder: "/repo-agents-1/ada", branch: "tool/agents/ada", from: "c1", state: "kept" as const };
  const { world, out } = memoryWorld({
    files: {
      [`${transcriptPath("/home/me/.tool", "/repo", "s-1").replace(/\.jsonl$/, "")}/agents.json`]: JSON.stringify({
        version: 1,
        agents: [aRecord({ state: "completed", worktree })],
      }),
    },
    edges: {
      repositoryAbove: async () => undefined,
      changesRepository: async (root) => ({ root }) as ChangesRepository,
    },
  });
  await completeCommand(world, programTree()).parseAsync(["--", "take", ""], { from: "user" });
  expect(out()).toBe("a-1\tlook at a\n");
});

async function completed(configDir: string, ...words: string[]): Promise<string> {
  let printed = "";
  const edges = { disk: async () => ports.disk, lock: async () => ports.lock, clock: async () => ports.clock };
  const stdout = { write: (text: string) => (printed += text) };
  await completeCommand({ configDir, edges, stdout } as unknown as World, programTree()).parseAsync(["--", ...words], { from: "user" });
  return printed;
}
