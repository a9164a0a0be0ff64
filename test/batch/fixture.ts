// A repository for batches: 40 small modules, each with a test that fails until its unit writes the module, and a script for the agents.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Unit } from "../../src/batch/plan/plan.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";
import type { Place } from "../team-kit.ts";
import { unit } from "./plans.ts";

const token = `ghp_${draw("base62", 36, seeded(17))}`;

/** What the agent of a unit does, chosen by keywords in its instruction. */
const script = `
version: 1
agents: [tool]
scenes:
  - name: wrong
    agent: tool
    when: 'Make (?<id>[\\w-]+) the wrong way'
    replies:
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "export const made = 'wrong';\\n" } }]
      - say: "Made {{id}}, I believe."
  - name: unallowed
    agent: tool
    when: 'Make (?<id>[\\w-]+) with npm'
    replies:
      - calls: [{ Bash: { command: "npm publish" } }]
      - say: "npm publish was not allowed."
  - name: endless
    agent: tool
    when: 'Make (?<id>[\\w-]+) slowly'
    replies:
      - calls: [{ Glob: { pattern: "src/*.js" } }]
      - calls: [{ Glob: { pattern: "test/*.js" } }]
      - calls: [{ Glob: { pattern: "*.md" } }]
      - calls: [{ Glob: { pattern: "*.json" } }]
      - say: "Looked at everything."
  - name: secret
    agent: tool
    when: 'Make (?<id>[\\w-]+) with a key'
    replies:
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "export const made = '{{id}}';\\n// ${token}\\n" } }]
      - say: "Made {{id}}."
  - name: keyless
    agent: tool
    when: 'has failed, and you are to put it right[\\s\\S]*src/new/(?<id>\\w+)\\.js'
    replies:
      - calls: [{ Read: { path: "src/new/{{id}}.js" } }]
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "export const made = '{{id}}';\\n" } }]
      - say: "Made {{id}} without a key."
  - name: again
    agent: tool
    when: 'has failed, and you are to put it right'
    idle_only: true
    replies:
      - say: "Nothing can be put right here."
  - name: commits
    agent: tool
    when: 'Make (?<id>[\\w-]+) and commit it'
    replies:
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "export const made = '{{id}}';\\n" } }]
      - calls: [{ Bash: { command: "git add --all" } }, { Bash: { command: "git commit -m mine" } }]
      - say: "Made {{id}}."
  - name: leaves
    agent: tool
    when: 'Make (?<id>[\\w-]+) and leave a process'
    replies:
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "import { spawn } from 'node:child_process';\\nspawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();\\nexport const made = '{{id}}';\\n" } }]
      - say: "Made {{id}}."
  - name: nothing
    agent: tool
    when: 'Make (?<id>[\\w-]+) of nothing'
    replies:
      - say: "There is nothing to do."
  - name: right
    agent: tool
    when: 'Make (?<id>[\\w-]+)\\.'
    replies:
      - calls: [{ Write: { path: "src/new/{{id}}.js", content: "export const made = '{{id}}';\\n" } }]
      - say: "Made {{id}} as its test wants it."
  - name: interrupted
    agent: tool
    when: 'You were interrupted'
    idle_only: true
    replies:
      - say: "Nothing was left to do."
`;

export const made = (id: string, how = ".", change: Partial<Unit> = {}): Unit =>
  unit(id, { title: `Make ${id}`, instruction: `Make ${id}${how}`, files: [`src/new/${id}.js`], ...change });

/** A batch has at least five units. Those that a test says nothing about wait for one that fails, so that nothing of them is started. */
export const waitingFor = (failing: string, ids: string[]): Unit[] => ids.map((id) => made(id, ".", { phase: 2, needs: [failing] }));

export type Fixture = {
  git(...args: string[]): string;
  /** The repository that the batch pushes to. */
  remote: string;
  remoteGit(...args: string[]): string;
  /** The path of the plan. */
  plan: string;
  script: string;
  /** The user's own state of the repository, which a batch must not change. */
  persons(): string[];
};

/** Fills the place's repository and adds a bare remote beside it. */
export function batchFixture(place: Pick<Place, "folder" | "repository" | "env" | "write">, units: Unit[]): Fixture {
  const remote = join(place.folder, "remote.git");
  const run = (cwd: string, args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", env: { ...process.env, ...place.env } }).trim();
  const git = (...args: string[]) => run(place.repository, args);
  for (const folder of ["src", "test"]) mkdirSync(join(place.repository, folder), { recursive: true });
  writeFileSync(join(place.repository, "package.json"), '{ "type": "module" }\n');
  for (let index = 1; index <= 40; index++) writeFileSync(join(place.repository, `src/m${index}.js`), `export const m = ${index};\n`);
  for (const { id, needs } of units) writeFileSync(join(place.repository, `test/${id}.test.js`), testOf(id, needs));
  git("config", "user.name", "A Person");
  git("config", "user.email", "person@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "The program as it is");
  git("branch", "-M", "main");
  run(place.folder, ["init", "--quiet", "--bare", remote]);
  git("remote", "add", "origin", remote);
  git("push", "--quiet", "--set-upstream", "origin", "main");
  writeFileSync(join(place.repository, "notes.txt"), "untracked\n");
  return {
    git,
    remote,
    remoteGit: (...args) => run(remote, args),
    plan: place.write("plan.json", JSON.stringify({ instruction: "Make them all", units })),
    script: place.write("units.yaml", script + planning(units)),
    persons: () => [
      git("status", "--porcelain=v2", "--branch", "--untracked-files=all"),
      git("stash", "list"),
      git("config", "--list", "--local"),
      git("rev-parse", "HEAD", "main"),
    ],
  };
}

function testOf(id: string, needs: string[]): string {
  const imports = [id, ...needs].map((name, index) => `import { made as made${index} } from "../src/new/${name}.js";`);
  return `import assert from "node:assert";
import { test } from "node:test";
${imports.join("\n")}
test("${id} is made", () => assert.equal(made0, "${id}"));
`;
}

/** A script in which the planner submits this plan and every other session says hello. */
const planning = (units: Unit[]) => `
  - name: plan
    agent: tool
    when: '^Plan a batch'
    replies:
      - calls: [{ SubmitBatchPlan: ${JSON.stringify({ units })} }]
      - say: "Planned."
  - name: afterwards
    agent: tool
    when: 'What came of it'
    replies:
      - say: "All of it is done."
`;
