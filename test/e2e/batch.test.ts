// `tool batch` on a real repository: units in worktrees, measured tests, phases, failures, and what is left behind.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { batchFixture, made } from "../batch/fixture.ts";
import { lacks } from "../needs.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

const units = [
  made("a"),
  made("b"),
  made("c", " the wrong way"),
  made("d", " with npm"),
  made("e", " of nothing"),
  made("f", " with a key"),
  made("g", " and commit it"),
  made("late", ".", { phase: 2, needs: ["a", "b"] }),
  made("later", ".", { phase: 2, needs: ["c"] }),
];

const noSandbox = await lacks("sandbox");

type Result = {
  id: string;
  failures_file: string;
  units: { id: string; state: string; error?: { kind: string; reason: string }; missing?: string[] }[];
};

describe("tool batch", () => {
  it("carries out what it can in worktrees, records what fails, and leaves the person's own alone", async () => {
    const there = teamPlace();
    const fixture = batchFixture(there, units);
    const before = fixture.persons();
    const args = ["batch", "--plan", fixture.plan, "--yes", "--no-pr", "--json", "--concurrency", "3", "--script", fixture.script];
    const program = there.piped(
      [...args, "--allow", "Bash(node --test:*)", "--allow", "Bash(git add:*)", "--allow", "Bash(git commit:*)"],
      { input: "" },
    );
    const { code } = await program.ended;
    const said = aboutWork(program.stderr());
    expect(code, said).toBe(1);
    const result: Result = JSON.parse(program.stdout());
    const states = Object.fromEntries(result.units.map(({ id, state, error, missing }) => [id, error?.kind ?? missing ?? state]));
    expect(states, said).toEqual({
      a: "done",
      b: "done",
      c: "tests",
      d: "permission",
      e: "tests",
      f: "commit",
      g: "done",
      late: "done",
      later: ["c"],
    });
    expect(fixture.persons()).toEqual(before);
    const branch = (id: string) => `tool/batch-${result.id}/${id}`;
    expect(fixture.git("show", `${branch("late")}:src/new/a.js`)).toBe("export const made = 'a';");
    expect(fixture.git("log", "--format=%an: %s%n%b", `main..${branch("a")}`)).toBe("A Person: Make a\nMade a as its test wants it.");
    // In the sandbox the repository's own folder is read-only: what its agent tried to commit, the harness did.
    if (!noSandbox) expect(fixture.git("log", "--format=%s", `main..${branch("g")}`)).toBe("Make g");
    const folder = join(dirname(there.repository), `repo-batch-${result.id}`);
    expect(["a", "b", "c", "d", "late"].map((id) => existsSync(join(folder, id)))).toEqual([false, false, true, true, false]);
    const failures = readFileSync(result.failures_file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(failures.map(({ item }) => item))).toEqual(new Set(["c", "d", "e", "f", "later"]));
    expect(failures).toHaveLength(5);
    expect(failures.find(({ item }) => item === "d").error).toMatch(/npm publish.*--allow/s);
    expect(said).toMatch(/^\d\d:\d\d a committed to tool\/batch-\w+\/a \(tests: ✓ 1 passed\)$/m);
  });
});
