// A batch that stops at its budget and continues with a larger one; and which of the user's files its worktrees contain and follow.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { call, provider } from "../cast.ts";
import { type RecordedRequest, streamed, text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

/** Each reply costs $0.30. */
const costly = (block: Parameters<typeof streamed>[0][number]) =>
  streamed([block], { usage: { output_tokens: 30_000 }, model: "claude-sonnet-5" });

/** The agent of a unit reads a file, writes its own, and ends. */
function reply(request: RecordedRequest) {
  const said = JSON.stringify(request.body.messages);
  const id = /Make (\w+)\./.exec(said)?.[1] ?? "";
  const turns = request.body.messages.filter(({ role }) => role === "assistant").length;
  if (turns === 0) return costly(call("Read", { path: id === "e" ? "src/m1.js" : "src/m2.js" }));
  if (turns === 1) return costly(call("Write", { path: `src/new/${id}.js`, content: `export const made = "${id}";\n` }));
  return costly(text(`Made ${id}.`));
}

it("a batch stops before the call that would pass its budget, and its worktrees follow the person's own tree", async () => {
  const api = await provider({ tool: Array.from({ length: 40 }, () => reply) });
  const there = teamPlace();
  const units = [made("a"), made("b"), made("e"), ...waitingFor("e", ["f", "g"])];
  const fixture = batchFixture(
    there,
    units.map((unit) => ({ ...unit, test: `node --test cache/check.js test/${unit.id}.test.js` })),
  );
  // Git ignores it, so a worktree does not contain it by itself.
  there.write("repo/.gitignore", "cache/\n.toolignore\n.worktreeinclude\n");
  there.write("repo/.worktreeinclude", "cache/\n");
  there.write("repo/.toolignore", "src/m1.js\n");
  there.write("repo/cache/check.js", "");
  fixture.git("add", ".gitignore");
  fixture.git("commit", "--quiet", "--message", "Ignore what is made");
  const run = async (args: string[]) => {
    const program = there.warm(["batch", "--json", "--model", "claude-sonnet-5", ...args], { env: api.env });
    const { code } = await program.ended;
    return { code, said: program.stderr(), result: JSON.parse(program.stdout()) };
  };
  const flags = ["--yes", "--no-pr", "--concurrency", "1", "--allow", "Bash(node --test:*)"];
  const first = await run(["--plan", fixture.plan, ...flags, "--budget-usd", "1.1"]);
  expect(first.code, `${first.said}${JSON.stringify(first.result.units[0])}`).toBe(4);
  expect(first.said).toMatch(/the budget of \$1\.1 is not enough to continue\. .*--resume \w+ --budget-usd <x>/);
  expect(first.result, JSON.stringify(first.result.units[0])).toMatchObject({ exit_code: 4, done: 1, failed: 0, open: 4 });
  expect(first.result.cost_usd).toBeLessThanOrEqual(1.1);
  const before = api.requests("tool").length;

  const second = await run(["--resume", first.result.id, "--budget-usd", "20"]);
  expect(second.code, second.said).toBe(3);
  expect(second.result, second.said).toMatchObject({ done: 2, failed: 1, skipped: 2, open: 0 });
  expect(second.result.units[2].error).toEqual({
    kind: "permission",
    reason: expect.stringMatching(/src\/m1\.js is hidden .*\.toolignore/),
  });
  expect(fixture.git("ls-tree", "-r", "--name-only", `tool/batch-${first.result.id}/a`)).not.toContain("cache");
  expect(api.requests("tool").length - before).toBeLessThanOrEqual(6); // no request of the first unit is repeated
  expect(JSON.parse(readFileSync(`${there.configDir}/batches/${first.result.id}/batch.json`, "utf8")).budget_usd).toBe(20);
});
