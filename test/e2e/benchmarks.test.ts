// The adapters for public benchmarks in docs/examples, on two tasks of our own with the scripted model.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacks } from "../needs.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const script = `version: 1
agents: [tool]
scenes:
  - name: greeting
    agent: tool
    when: 'greets nobody'
    replies:
      - calls: [{ Write: { path: "greet.txt", content: "Hello\\n" } }]
      - say: "It greets."
  - name: sum
    agent: tool
    when: 'wrong sum'
    replies:
      - calls: [{ Bash: { command: "echo 4 > sum.txt" } }]
      - say: "It adds."
`;

const tasks = [
  { instance_id: "own__greeting-1", problem_statement: "The program greets nobody.", changes: { "greet.txt": "Hello\n" } },
  { instance_id: "own__sum-2", problem_statement: "It prints a wrong sum: 2 + 2 is 5.", changes: { "sum.txt": "4\n" } },
];

function place(): { there: Place; base: string; git: (...args: string[]) => string } {
  const there = teamPlace();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...args], { cwd: there.repository, encoding: "utf8" });
  there.write("repo/sum.txt", "5\n");
  there.write("replies.yaml", script);
  git("add", ".");
  git("commit", "--quiet", "--message", "First");
  return { there, base: git("rev-parse", "HEAD").trim(), git };
}

const example = (name: string) => join(process.cwd(), "docs/examples", name);

it("predictions for SWE-bench are patches that apply, and a second run asks nothing again", () => {
  const { there, base, git } = place();
  const instances = tasks.map(({ changes: _changes, ...task }) => ({ ...task, repo: there.repository, base_commit: base }));
  const missing = { instance_id: "own__none-3", repo: there.repository, base_commit: "0".repeat(40), problem_statement: "None." };
  const file = there.write("instances.jsonl", [...instances, missing].map((one) => `${JSON.stringify(one)}\n`).join(""));
  const predictions = join(there.folder, "predictions.jsonl");
  const run = () =>
    spawnSync(process.execPath, [example("swe-bench-predictions.js"), file, predictions, "--script", join(there.folder, "replies.yaml")], {
      env: there.env,
      cwd: there.folder,
      encoding: "utf8",
    });
  const first = run();
  expect([first.status, first.stderr]).toEqual([
    1,
    expect.stringMatching(/^own__greeting-1: done, 2 turns, \$0\.0000\nown__sum-2: done, 2 turns, \$0\.0000\nown__none-3: git checkout/),
  ]);
  const written = readFileSync(predictions, "utf8");
  const lines = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { instance_id: string; model_patch: string });
  expect(lines.map((line) => Object.keys(line))).toEqual(tasks.map(() => ["instance_id", "model_name_or_path", "model_patch"]));
  for (const [at, { changes }] of tasks.entries()) {
    const patch = there.write("one.patch", lines[at]?.model_patch ?? "");
    git("apply", "--index", patch);
    for (const [path, content] of Object.entries(changes)) expect(readFileSync(join(there.repository, path), "utf8")).toBe(content);
    git("reset", "--quiet", "--hard");
  }
  expect([run().stderr.match(/done/), readFileSync(predictions, "utf8")]).toEqual([null, written]);
});

/** Harbor's classes as its documentation has them, with this machine as the container. */
const harbor = `
import asyncio, json, os, shutil, subprocess, sys
from types import SimpleNamespace

class BaseAgent:
    def __init__(self, logs_dir, model_name=None):
        self.logs_dir, self.model_name = logs_dir, model_name

class Environment:
    def __init__(self, root, cwd):
        self.root, self.cwd = root, cwd
    def inside(self, text):
        return text.replace("/logs/agent", self.root + "/logs").replace("/tmp/tool.tgz", self.root + "/tool.tgz")
    async def upload_file(self, source_path, target_path):
        shutil.copy(source_path, self.inside(target_path))
    async def exec(self, command, cwd=None, env=None, timeout_sec=None):
        given = {**os.environ, **{name: self.inside(value) for name, value in (env or {}).items()}}
        done = subprocess.run(["bash", "-c", self.inside(command)], cwd=self.cwd, env=given, capture_output=True, text=True)
        return SimpleNamespace(stdout=done.stdout, stderr=done.stderr, return_code=done.returncode)

async def main(root, cwd, instruction):
    from harbor_agent import ToolAgent
    agent, context = ToolAgent(root, "anthropic/claude-opus-5-5"), SimpleNamespace()
    environment = Environment(root, cwd)
    await agent.setup(environment)
    await agent.run(instruction, environment, context)
    print(json.dumps(vars(context)))
`;

it.skipIf(await lacks("Python 3.10"))(
  "Harbor installs the tarball, runs an instruction with a budget, and keeps cost and transcript",
  () => {
    const { there } = place();
    there.write("python/harbor/agents/base.py", harbor);
    for (const name of ["harbor/__init__.py", "harbor/agents/__init__.py"]) there.write(`python/${name}`, "");
    there.write("bin/npm", '#!/bin/sh\necho "$@" >> "$HOME/npm-was-asked"\n', { mode: 0o755 });
    there.write("logs/none", "");
    const env = {
      ...there.env,
      PATH: `${join(there.folder, "bin")}:${there.env["PATH"]}`,
      PYTHONPATH: `${join(there.folder, "python")}:${join(process.cwd(), "docs/examples")}`,
      PYTHONDONTWRITEBYTECODE: "1",
      TOOL_TARBALL: there.write("packed.tgz", "a package"),
      TOOL_BUDGET_USD: "1",
      TOOL_FLAGS: `--script ${join(there.folder, "replies.yaml")}`,
    };
    for (const { problem_statement, changes } of tasks) {
      const start = "import asyncio, sys; from harbor.agents.base import main; asyncio.run(main(*sys.argv[1:]))";
      const { status, stdout, stderr } = spawnSync("python3", ["-c", start, there.folder, there.repository, problem_statement], {
        env,
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        n_input_tokens: expect.any(Number),
        n_output_tokens: expect.any(Number),
        cost_usd: 0,
        metadata: { exit_code: 0, ending: "done", turns: 2 },
      });
      for (const [path, content] of Object.entries(changes)) expect(readFileSync(join(there.repository, path), "utf8")).toBe(content);
    }
    expect(readFileSync(join(there.folder, "home/npm-was-asked"), "utf8")).toContain(
      `install --global --ignore-scripts ${there.folder}/tool.tgz`,
    );
    expect([existsSync(join(there.folder, "logs/events.jsonl")), existsSync(join(there.folder, "logs/config/projects"))]).toEqual([
      true,
      true,
    ]);
  },
);
