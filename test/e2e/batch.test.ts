// `tool batch` on a real repository: units in worktrees, measured tests, phases, failures, and what is left behind.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loopbackForge } from "../../src/edge/forge/loopback-forge.ts";
import { batchFixture, type Fixture, made } from "../batch/fixture.ts";
import { lacks } from "../needs.ts";
import { seeded } from "../process/seeded.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

const units = [
  made("a"),
  made("b"),
  made("c", " the wrong way"),
  made("d", " with npm"),
  made("e", " of nothing"),
  made("f", " with a key"),
  made("g", " and commit it"),
  made("unruled", ".", { test: "no-such-runner test/unruled.test.js" }),
  made("late", ".", { phase: 2, needs: ["a", "b"] }),
  made("later", ".", { phase: 2, needs: ["c"] }),
];

const token = "ghp_0123456789abcdefghij0123456789abcdef"; // tool:allow-secret
/** At random moments, in place of those that the test chooses: TOOL_TEST_KILLS=20 npx vitest run test/e2e/batch.test.ts -t "one pull request" */
const randomKills = Number(process.env["TOOL_TEST_KILLS"] ?? 0);
const random = seeded(Number(process.env["TOOL_TEST_SEED"] ?? 12));
const noSandbox = await lacks("sandbox");

type Result = {
  id: string;
  failures_file: string;
  units: { id: string; state: string; url?: string; error?: { kind: string; reason: string }; missing?: string[] }[];
};

/** A forge in front of the fixture's bare remote, and what the program needs to find it. */
async function forgeOf(fixture: Fixture) {
  const server = await loopbackForge({ owner: "acme", repository: "app", folder: fixture.remote, token });
  onTestFinished(() => server.close());
  fixture.git("remote", "set-url", "origin", server.remote);
  return { server, env: { GITHUB_API_URL: server.api, GH_TOKEN: token } };
}

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
    await eventually(() => / working\n/.test(program.stderr()));
    const listed = there.tool(["tasks"]);
    expect([(await listed.ended).code, listed.output()]).toEqual([
      0,
      expect.stringMatching(/^Batch \w+, in process \d+: .* open\n {2}\w+ +Make \w+ +(worktree|working|testing|committed)\n/),
    ]);
    const { code } = await program.ended;
    const said = aboutWork(program.stderr());
    expect(said).toMatch(/notes\.txt is untracked.*\n.*need no-such-runner, which is neither on PATH nor in this repository\.\n/);
    expect(said).toMatch(/No rule allows no-such-runner .*--yes grants none.*--allow 'Bash\(no-such-runner test\/unruled\.test\.js\)'\n/);
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
      unruled: "permission",
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
    expect(new Set(failures.map(({ item }) => item))).toEqual(new Set(["c", "d", "e", "f", "unruled", "later"]));
    expect(failures).toHaveLength(6);
    expect(failures.find(({ item }) => item === "d").error).toMatch(/npm publish.*--allow/s);
    expect(said).toMatch(/^\d\d:\d\d a committed to tool\/batch-\w+\/a \(tests: ✓ 1 passed\)$/m);
  });

  it("opens one pull request for each unit, however often it is killed on the way", {
    timeout: 90_000 + randomKills * 10_000,
  }, async () => {
    const there = teamPlace();
    const six = [
      made("a"),
      made("b"),
      made("c", " the wrong way"),
      made("d"),
      made("late", ".", { phase: 2, needs: ["a"] }),
      made("last", ".", { phase: 2 }),
    ];
    const fixture = batchFixture(there, six);
    const { server, env } = await forgeOf(fixture);
    const before = fixture.persons();
    const runs: string[] = [];
    /** Until it has said this, and is then killed. */
    const killedAfter = async (args: string[], said: RegExp, signal: NodeJS.Signals = "SIGKILL") => {
      const program = there.tool(["batch", ...args], { env });
      await eventually(() => said.test(program.output()));
      program.child.kill(signal);
      const end = JSON.stringify(await program.ended);
      runs.push(`${program.output()}${end}`);
    };
    const flags = ["--plan", fixture.plan, "--yes", "--concurrency", "2", "--script", fixture.script, "--allow", "Bash(node --test:*)"];
    await killedAfter(flags, / [ab] working/);
    const id = /batch (\w+):/.exec(runs[0] ?? "")?.[1] ?? "";
    for (let kill = 0; kill < randomKills; kill++) {
      const program = there.tool(["batch", "--resume", id], { env });
      await Promise.race([program.ended, new Promise((resolve) => setTimeout(resolve, random() * 2_000))]);
      program.child.kill("SIGKILL");
      await program.ended;
      runs.push(program.output());
    }
    if (randomKills === 0) {
      await killedAfter(["--resume", id], / [abd] (?:working|testing)/, "SIGINT");
      expect(runs.at(-1)).toMatch(/Go on: tool batch --resume \w+\n\{"code":130/);
      await killedAfter(["--resume", id], / [abd] (?:committed|pushed)/);
    }
    const program = there.piped(["batch", "--resume", id, "--json"], { env, input: "" });
    const { code } = await program.ended;
    const said = [...runs, program.stderr()].join("\n--- killed\n");
    expect(code, said).toBe(1);
    const result: Result = JSON.parse(program.stdout());
    expect(Object.fromEntries(result.units.map(({ id, state, error }) => [id, error?.kind ?? state])), said).toEqual({
      a: "done",
      b: "done",
      c: "tests",
      d: "done",
      late: "done",
      last: "done",
    });
    const branch = (unit: string) => `tool/batch-${id}/${unit}`;
    const pulls = server.pulls().map(({ head, base, title }) => [head, base, title]);
    expect(new Set(pulls.map((pull) => pull.join(" ")))).toEqual(
      new Set([
        ...["a", "b", "d"].map((unit) => `${branch(unit)} main Make ${unit}`),
        ...["late", "last"].map((unit) => `${branch(unit)} ${branch("phase-1")} Make ${unit}`),
      ]),
    );
    expect(pulls).toHaveLength(5);
    expect(server.pulls().find(({ head }) => head === branch("late"))?.body).toMatch(
      /^Made late as its test wants it\.\n\nTests: `node --test test\/late\.test\.js`: ✓ 1 passed\n\nNeeds first:\n- Make a \(http.*\/pull\/\d+\)/,
    );
    expect(result.units.find(({ id }) => id === "a")?.url).toMatch(/\/acme\/app\/pull\/\d+$/);
    expect(readFileSync(result.failures_file, "utf8").trim().split("\n")).toHaveLength(1);
    expect(["a", "b", "d"].map((unit) => fixture.git("rev-list", "--count", `main..${branch(unit)}`))).toEqual(["1", "1", "1"]);
    expect(fixture.git("worktree", "list", "--porcelain").match(/^worktree .*/gm)).toHaveLength(2); // the person's, and that of what failed
    expect(fixture.persons()).toEqual(before);
    expect(`${said}${program.stdout()}`).not.toContain(token);
  });
});
