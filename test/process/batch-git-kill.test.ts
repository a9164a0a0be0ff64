// Kills a batch's git operations at random moments: the next process continues, nothing is done twice, and nothing is left behind.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processes } from "../../src/edge/processes/processes.ts";
import { bareRemote, gitEnv, personsState, sayIn, testRepository } from "../edge/git/git-kit.ts";
import { random } from "../fuzz/random.ts";
import { eventually, startProgram } from "../scratch.ts";

const units = ["u1", "u2", "u3", "u4"];
const kills = 10;

it("continues after kills at random moments, commits and pushes each unit once, and leaves nothing behind", async () => {
  const seed = Math.floor(Math.random() * 1e9);
  const chance = random(seed);
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`src/${at}.txt`, `${at}\n`.repeat(50)]));
  const repository = testRepository({ ...many, "a.txt": "a\n", ".gitignore": "node_modules/\n" });
  const remote = bareRemote(repository);
  repository.write({ "node_modules/a/index.js": "a", "node_modules/b/index.js": "b", "a.txt": "the person's own\n" });
  const before = personsState(repository);
  const home = repository.beside("worktrees");
  const order = { root: repository.folder, home, units, owner: `batch-kill-${seed}`, env: gitEnv };
  for (let kill = 0; kill < kills; kill++) {
    const worker = startProgram("batch-git-worker", order);
    await eventually(() => worker.output().includes("started") || worker.child.exitCode !== null);
    await new Promise((resolve) => setTimeout(resolve, chance.below(50 * (kill + 1)))); // later each time, so that it makes progress
    worker.child.kill("SIGKILL");
    // Every other time git is killed too, as when the machine crashes.
    if (kill % 2 === 0) for (const { identity } of processes().owned((marker) => marker === order.owner)) killed(identity.pid);
    await worker.ended;
    for (const lock of locksIn(remote)) rmSync(lock, { force: true }); // a server's locks: its git is not killed with ours
    expect(worker.output().replace(/started|done|\n/g, ""), `seed ${seed}, kill ${kill}`).toBe("");
  }
  const last = startProgram("batch-git-worker", order);
  await last.ended;
  expect(last.output(), `seed ${seed}`).toBe("started\ndone\n");
  const branches = units.map((unit) => `tool/${order.owner}/${unit}`);
  const at = sayIn(remote);
  expect(branches.map((branch) => [at("rev-list", "--count", `main..${branch}`), at("diff", "--name-only", "main", branch)])).toEqual(
    units.map((unit) => ["1", `${unit}.txt`]),
  );
  expect(repository.say("worktree", "list").split("\n")).toHaveLength(1);
  expect(existsSync(home)).toBe(false);
  expect(personsState(repository)).toEqual(before);
  expect(locksIn(join(repository.folder, ".git"))).toEqual([]);
  expect(existsSync(join(repository.folder, ".git/worktrees"))).toBe(false);
  repository.say("fsck", "--strict");
});

const locksIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => (name.endsWith(".lock") ? [join(folder, name)] : []));

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended in the meantime
  }
}
