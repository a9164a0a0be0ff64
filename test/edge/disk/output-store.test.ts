import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mostCharacters, withinBudget } from "../../../src/agent/result/result-budget.ts";
import { outputStore } from "../../../src/edge/disk/output-store.ts";
import { shell } from "../../../src/edge/shell/shell.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { permit } from "../../../src/permissions/permit.ts";
import { fileTools } from "../../../src/tools/set.ts";
import { scratchFolder } from "../../scratch.ts";
import { policyFor, realDisk } from "../../tools/agent.ts";
import { tree } from "../../tools/tree.ts";

const signal = new AbortController().signal;

/** An agent with a working directory and a folder for long outputs inside its configuration folder. */
async function agent() {
  const folder = scratchFolder();
  const work = tree({ "a.txt": "a" });
  onTestFinished(work.remove);
  const outputs = outputStore(join(folder, "config/projects/p/session/outputs"));
  const policy = await policyFor(work.path, { configDir: join(folder, "config"), outputs: outputs.folder, allow: ["Bash"] });
  const tools = fileTools({
    disk: guardDisk(realDisk, policy),
    shell: shell({ cwd: work.path, env: { PATH: process.env["PATH"] ?? "" } }),
    outputs,
  });
  const may = permit({ policy, real: realDisk.real, ask: undefined });
  const use = async (name: string, input: Record<string, unknown>) => {
    const permission = await may({ tool: name, input }, signal);
    if (!permission.allowed) return permission.reason;
    const tool = tools.find((candidate) => candidate.name === name)!;
    return (await tool.run(tool.input.parse(input), { signal })).text;
  };
  return { use, outputs };
}

it("a command's complete long output is in a file that the agent may read and search, and may not write", async () => {
  const { use, outputs } = await agent();
  const text = await use("Bash", { command: "seq 1 100000" });
  const path = /the whole is in (.+?): /.exec(text)?.[1] ?? "";
  expect(path).toBe(join(outputs.folder, "1.txt"));
  expect(readFileSync(path, "utf8")).toBe(`${Array.from({ length: 100_000 }, (_, n) => n + 1).join("\n")}\n`);
  expect([statSync(path).mode & 0o777, statSync(outputs.folder).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await use("Read", { path, offset: 50_000, limit: 1 })).toContain("50000\t50000");
  expect(await use("Grep", { pattern: "^7777\\d$", path })).toContain(`${path}:77770:77770`);
  expect(await use("Write", { path, content: "" })).toContain("Permission is missing");
});

it("a short output makes no file, and each long one a file of its own, also after a restart", async () => {
  const { use, outputs } = await agent();
  await use("Bash", { command: "echo short" });
  expect(outputStore(outputs.folder).begin()?.path).toBe(join(outputs.folder, "1.txt"));
  expect(await use("Bash", { command: "seq 1 100000" })).toContain(join(outputs.folder, "2.txt"));
});

it("output of any tool beyond the budget is cut, with directions to the rest", () => {
  const outputs = outputStore(join(scratchFolder(), "outputs"));
  const text = `first ${"😀".repeat(mostCharacters)} last`;
  const cut = withinBudget({ text, isError: false, summary: "" }, outputs).text;
  expect(cut.length).toBeLessThan(mostCharacters + 200);
  expect([cut.startsWith("first 😀"), cut.endsWith("😀 last"), cut.isWellFormed()]).toEqual([true, true, true]);
  expect(cut).toMatch(/\n\[… \d+ characters cut; the whole is in .+1\.txt: Grep it, or Read it in parts …\]\n/);
  expect(readFileSync(join(outputs.folder, "1.txt"), "utf8")).toBe(text);
  const alone = withinBudget({ text, isError: false, summary: "" }).text;
  expect(alone).toContain("characters cut; ask for less at once to see the rest");
});

it("if the folder cannot be created, the rest of an output is lost, but the call succeeds", () => {
  const file = join(scratchFolder(), "file");
  writeFileSync(file, "");
  const outputs = outputStore(join(file, "outputs"));
  expect(outputs.begin()).toBeUndefined();
});
