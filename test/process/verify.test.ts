// A task that names a command as its proof, completed by another program: the built program, real commands, the rules of the team's folder.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Home, temporaryHome, tool } from "./tool.ts";

let home: Home;
let folder = "";
beforeAll(() => {
  home = temporaryHome();
  folder = mkdtempSync(join(tmpdir(), "project-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  home[Symbol.dispose]();
});

const run = async (team: string, ...args: string[]) => {
  const { code, stdout } = await tool({ ...home, cwd: folder }, ["team", "task", ...args, "--team", team, "--json"]);
  return { code, ...JSON.parse(stdout || "{}") };
};
const complete = (team: string) => run(team, "update", "task-1", "--status", "completed", "--summary", "Its tests pass", "--as", "ann");
const task = async (team: string) => (await run(team, "get", "task-1")).task;

async function claimed(team: string, allow: string[]): Promise<void> {
  writeFileSync(join(home.config, "settings.json"), JSON.stringify({ permissions: { allow }, sandbox: { autoAllow: false } }));
  await tool({ ...home, cwd: folder }, ["team", "create", team, "--members", "lead,ann"]);
  await run(team, "create", "--title", "Parse dates", "--verify", "node --test proof.test.mjs");
  await run(team, "update", "task-1", "--status", "in_progress", "--as", "ann");
}
const proof = (check: string) =>
  writeFileSync(join(folder, "proof.test.mjs"), `import { test } from "node:test";\ntest("keeps dates", () => { ${check} });\n`);

it("a red proof sends a task back once and then blocks it; a green one completes it, and is its evidence", async () => {
  await claimed("proven", ["Bash(node --test proof.test.mjs)"]);
  proof("throw new Error('no')");
  expect(await complete("proven")).toMatchObject({
    code: 1,
    error: {
      code: "verify_failed",
      message: expect.stringMatching(/yet: node --test proof.test.mjs ✗ 1 failed: keeps dates\. Mend that[\s\S]*not ok/),
    },
  });
  expect(await task("proven")).toMatchObject({ status: "in_progress", evidence: { kind: "verify", result: "failed" } });
  expect((await complete("proven")).error.message).toContain("again. The task is blocked now, and the lead is told");
  expect(await task("proven")).toMatchObject({
    status: "blocked",
    blocked_reason: "its proof failed twice: node --test proof.test.mjs ✗ 1 failed: keeps dates",
  });
  proof("");
  await run("proven", "update", "task-1", "--status", "in_progress", "--as", "ann");
  expect(await complete("proven")).toMatchObject({ code: 0 });
  expect(await task("proven")).toMatchObject({
    status: "completed",
    evidence: { kind: "verify", command: "node --test proof.test.mjs", result: "passed", summary: "1 passed" },
  });
  const report = await tool(home, ["team", "report", "--team", "proven"]);
  expect(report.stdout).toMatch(/task-1 +\+ ann +Its tests pass - verify \+ 1 passed/);
});

it("a proof that no rule allows is not run, and the task is not completed", async () => {
  await claimed("unallowed", []);
  proof("");
  expect((await complete("unallowed")).error).toMatchObject({
    code: "verify_failed",
    message: expect.stringMatching(
      /^Cannot complete "task-1" yet: node --test proof\.test\.mjs was not run: .*Bash\(node --test .*\. Ask lead for that/,
    ),
  });
  expect(await task("unallowed")).toMatchObject({ status: "in_progress", evidence: { result: "unclear", summary: "not run" } });
});
