#!/usr/bin/env node
// Writes predictions for SWE-bench: runs `tool --print` once for each instance, in a clone of its own at the instance's commit, and keeps what it
// changed there as the patch.
//
//   node swe-bench-predictions.js instances.jsonl predictions.jsonl --budget-usd 2 --model opus
//
// A line of instances.jsonl has `instance_id`, `repo` (a folder, an address, or owner/name on GitHub), `base_commit` and `problem_statement`, as the
// data sets have them. Instances that are in the predictions already are skipped, so that an interrupted run goes on. The other options are those of
// `tool --print`. Costs and endings go to standard error; the transcripts are where those of every session are.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [instancesFile, predictionsFile, ...flags] = process.argv.slice(2);
if (!instancesFile || !predictionsFile) {
  console.error("Usage: node swe-bench-predictions.js instances.jsonl predictions.jsonl [options of tool --print]");
  process.exit(2);
}

const linesOf = (file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []).map((line) => JSON.parse(line));

function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 30, ...options });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Throws with what git said. */
function git(cwd, ...args) {
  const { status, stdout, stderr } = run("git", args, { cwd });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.trim()}`);
  return stdout;
}

function predicted({ instance_id, repo, base_commit, problem_statement }) {
  const folder = mkdtempSync(join(tmpdir(), "swe-bench-"));
  const clone = join(folder, "repository");
  try {
    const from = existsSync(repo) || repo.includes(":") ? repo : `https://github.com/${repo}.git`;
    git(folder, "clone", "--quiet", "--no-checkout", from, clone);
    git(clone, "checkout", "--quiet", base_commit);
    const request = `Solve this issue in the repository. Change the code, not the tests of it.\n\n${problem_statement}`;
    const args = ["--print", "--output-format", "json", "--permission-mode", "acceptEdits", "--allow", "Bash", ...flags, request];
    const { status, stdout, stderr } = run("tool", args, { cwd: clone });
    if (stdout.trim() === "") throw new Error(`tool ended with ${status}: ${stderr.trim()}`);
    const { ending, cost_usd, turns, model } = JSON.parse(stdout);
    git(clone, "add", "--all");
    const patch = git(clone, "diff", "--cached", "--no-color", "--no-ext-diff", base_commit);
    console.error(`${instance_id}: ${ending}, ${turns} turns, ${cost_usd === null ? "of unknown cost" : `$${cost_usd.toFixed(4)}`}`);
    return { instance_id, model_name_or_path: `tool-${model}`, model_patch: patch };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const known = new Set(linesOf(predictionsFile).map(({ instance_id }) => instance_id));
let failed = 0;
for (const instance of linesOf(instancesFile).filter(({ instance_id }) => !known.has(instance_id))) {
  try {
    appendFileSync(predictionsFile, `${JSON.stringify(predicted(instance))}\n`);
  } catch (error) {
    failed++;
    console.error(`${instance.instance_id}: ${error.message}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
