// Kills `take` at each of its steps, the last one before its first write included: the next one finishes it, or does it from the start. Both end as an
// undisturbed one does, and work of the person's that is not committed stays as it is.
import { execFile } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitEnv, sayIn, testRepository } from "../edge/git/git-kit.ts";
import { scratchFolder } from "../scratch.ts";

type Way = { as: "merge" | "commits" | "edits"; branches: string[] };
type Run = { kind?: string; steps?: number; recorded?: number };

const worker = join(import.meta.dirname, "../../dist/test/take-worker.js");
const binary = (byte: number) => String.fromCharCode(0, byte, 1, 2).repeat(5_000);
type Template = { folder: string; base: string };

function template(): Template {
  const { folder, say, commit, write } = testRepository({ "a.txt": "one\n", "gone.txt": "g\n", "mine.txt": "m\n", "logo.png": binary(1) });
  const base = say("rev-parse", "HEAD");
  const made = (name: string, change: () => void) => {
    say("checkout", "--quiet", "-b", `tool/${name}`, base);
    change();
    say("commit", "--quiet", "--all", "--message", `Work of ${name}`);
  };
  made("ada", () => {
    commit({ "a.txt": "ONE\n", "new/b.txt": "b\n" }, "The first half");
    write({ "logo.png": binary(2) });
  });
  made("bo", () => say("rm", "--quiet", "gone.txt"));
  made("cy", () => write({ "a.txt": "EINS\n" }));
  say("checkout", "--quiet", "main");
  write({ "mine.txt": "my own work\n", "notes.txt": "not tracked\n" });
  return { folder, base };
}

/** A copy of the repository, and the processes that take in it. */
function place(from: Template, { as, branches }: Way) {
  const top = scratchFolder();
  const root = join(top, "repository");
  cpSync(from.folder, root, { recursive: true, preserveTimestamps: true });
  const say = sayIn(root);
  say("status"); // its files are known by their new inodes
  const run = (at: { step?: number; during?: boolean }) => {
    const order = {
      root,
      config: join(top, "config"),
      branches: branches.map((name) => `tool/${name}`),
      base: from.base,
      as,
      env: gitEnv,
      ...at,
    };
    const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
    return new Promise<Run>((resolve, reject) => {
      execFile(process.execPath, [worker, JSON.stringify(order)], { env }, (error, stdout, stderr) => {
        if (error && error.signal !== "SIGKILL") return reject(new Error(`${error.message}\n${stderr}`));
        resolve(error ? {} : JSON.parse(stdout));
      });
    });
  };
  const files = () =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.startsWith(`${root}/.git/`))
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1").slice(0, 40)]),
    );
  const state = () => ({
    log: say("log", "--format=%s %T"),
    status: say("status", "--porcelain"),
    index: say("ls-files", "--stage"),
    files: files(),
    left: readdirSync(join(root, ".git")).filter((name) => /lock|tool-take/.test(name)),
    record: existsSync(join(top, "config/takes/take.json")),
  });
  return { run, state, mine: () => readFileSync(join(root, "mine.txt"), "utf8") };
}

/** `every`: how far the steps are apart at which it is killed; the first of them is another one in each run. */
const ways: [string, Way, { kind: string; record: boolean; every: number }][] = [
  ["as merges", { as: "merge", branches: ["ada", "bo"] }, { kind: "taken", record: false, every: 1 }],
  ["as edits", { as: "edits", branches: ["ada", "bo"] }, { kind: "taken", record: false, every: 4 }],
  ["into a conflict", { as: "commits", branches: ["ada", "cy"] }, { kind: "conflict", record: true, every: 4 }],
];

it.each(ways)(
  "a take %s that is killed at any step from its first write ends as if it had not been",
  { timeout: 180_000 },
  async (_, way, { kind, record, every }) => {
    const from = template();
    const whole = place(from, way);
    const { steps = 0, recorded = 0, ...end } = await whole.run({});
    const wanted = whole.state();
    expect([end.kind, wanted.left, wanted.record, wanted.files["mine.txt"]]).toEqual([kind, [], record, "my own work\n"]);
    expect(recorded).toBeGreaterThan(1);
    for (let step = recorded - 1 + Math.floor(Math.random() * every); step <= steps; step += every) {
      const killed = place(from, way);
      const during = every > 1 || step % 2 === 0;
      expect((await killed.run({ step, during })).kind, `step ${step}`).toBeUndefined();
      expect(killed.mine(), `step ${step}`).toBe("my own work\n"); // git may still be at work on the others
      const again = await killed.run({});
      // A kill after all was done leaves nothing to take.
      expect([kind, "refused"], `step ${step}`).toContain(again.kind);
      expect(killed.state(), `step ${step}, ${during ? "during" : "before"} it`).toEqual(wanted);
    }
  },
);
