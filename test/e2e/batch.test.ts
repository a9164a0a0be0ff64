// `tool batch` on a real repository: units in worktrees, measured tests, phases, failures, and what remains afterwards.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loopbackForge } from "../../src/edge/forge/loopback-forge.ts";
import { batchFixture, type Fixture, made } from "../batch/fixture.ts";
import { localhostCertificate } from "../edge/forge/certificate.ts";
import { lacks } from "../needs.ts";
import { seeded } from "../process/seeded.ts";
import { eventually, quoted } from "../scratch.ts";
import { aboutWork, type Place, teamPlace } from "../team-kit.ts";

const token = "ghp_0123456789abcdefghij0123456789abcdef"; // tool:allow-secret
/**
 * Kills at random moments instead of those that the test chooses: TOOL_TEST_KILLS=20 npx vitest run test/e2e/batch.test.ts -t "one pull
 * request"
 */
const randomKills = Number(process.env["TOOL_TEST_KILLS"] ?? 0);
const random = seeded(Number(process.env["TOOL_TEST_SEED"] ?? 12));
const noSandbox = await lacks("sandbox");

type Result = {
  id: string;
  failures_file: string;
  units: {
    id: string;
    state: string;
    url?: string;
    worktree: string | null;
    error?: { kind: string; reason: string };
    missing?: string[];
  }[];
};

/**
 * A forge in front of the fixture's bare remote, and the settings with which the program finds and trusts it. `tls`: over HTTPS, with a
 * certificate that every Node of the run then reads beside all others.
 */
async function forgeOf(there: Place, fixture: Fixture, tls?: ReturnType<typeof localhostCertificate>) {
  const server = await loopbackForge({ owner: "acme", repository: "app", folder: fixture.remote, token, ...(tls && { tls }) });
  onTestFinished(() => server.close());
  fixture.git("remote", "set-url", "origin", server.remote);
  const certificate = tls && there.write("certificate.pem", tls.cert);
  const trusted: Record<string, string> =
    certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate, GIT_SSL_CAINFO: certificate };
  return { server, env: { GITHUB_API_URL: server.api, GH_TOKEN: token, ...trusted } };
}

describe("tool batch", () => {
  it("opens five pull requests for nine units, records four failures, and changes nothing of the person's", async () => {
    const there = teamPlace();
    const fixture = batchFixture(there, [
      made("a"),
      made("b"),
      made("j", " and leave a process"),
      made("c", " the wrong way"),
      made("d", " with npm"),
      made("e", " of nothing"),
      made("f", " slowly"),
      made("g", " and commit it"),
      made("late", ".", { phase: 2, needs: ["a", "b"] }),
    ]);
    const inGit = join(there.repository, ".git");
    // Formats the commit, and tries what an agent may not do.
    there.write(
      "repo/.git/hooks/pre-commit",
      `#!/bin/sh\nfor file in $(git diff --cached --name-only); do echo "// formatted" >>"$file"; done\ngit add --all\ntouch ${quoted(inGit)}/escaped\nexit 0\n`,
      { mode: 0o755 },
    );
    there.write("repo/.git/hooks/commit-msg", '#!/bin/sh\necho "On: $(git symbolic-ref --short HEAD)" >>"$1"\n', { mode: 0o755 });
    const { server, env } = await forgeOf(there, fixture, localhostCertificate());
    const before = fixture.persons();
    const args = ["--plan", fixture.plan, "--yes", "--json", "--concurrency", "3", "--max-turns", "4", "--script", fixture.script];
    const rules = ["Bash(node --test:*)", "Bash(git add:*)", "Bash(git commit:*)"].flatMap((rule) => ["--allow", rule]);
    const program = there.piped(["batch", ...args, ...rules], { env, input: "" });
    await eventually(() => / working\n/.test(program.stderr()));
    const listed = there.warm(["tasks"]);
    expect([(await listed.ended).code, listed.output()]).toEqual([
      0,
      expect.stringMatching(/^Batch \w+, in process \d+: .* open\n {2}\w+ +Make \w+ +(worktree|working|testing|committed)\n/),
    ]);
    const id = /batch (\w+):/.exec(program.stderr())?.[1] ?? "";
    const second = there.tool(["batch", "--resume", id], { env });
    expect([(await second.ended).code, second.output()]).toEqual([2, expect.stringMatching(`batch ${id} is running already, in process`)]);
    const { code } = await program.ended;
    const said = aboutWork(program.stderr());
    expect(code, said).toBe(3);
    const result: Result = JSON.parse(program.stdout());
    const ended = Object.fromEntries(result.units.map(({ id, state, error }) => [id, error?.kind ?? state]));
    const done = ["a", "b", "j", "g", "late"];
    const failed = { c: "tests", d: "permission", e: "tests", f: "max_turns" };
    expect(ended, `${said}${readFileSync(result.failures_file, "utf8")}`).toEqual({
      ...Object.fromEntries(done.map((id) => [id, "done"])),
      ...failed,
    });
    const branch = (id: string) => `tool/batch-${result.id}/${id}`;
    expect(new Map(server.pulls().map(({ head, base }) => [head, base]))).toEqual(
      new Map(done.map((id) => [branch(id), id === "late" ? branch("phase-1") : "main"])),
    );
    expect(server.pulls()).toHaveLength(5);
    const urls = server.pulls().map(({ head, number }) => [head, `${new URL(server.api).origin}/acme/app/pull/${number}`]);
    expect(new Map(result.units.flatMap(({ id, url }) => (url ? [[branch(id), url]] : [])))).toEqual(new Map(urls as [string, string][]));
    const failures = readFileSync(result.failures_file, "utf8").trim().split("\n");
    expect(new Map(failures.map((line) => JSON.parse(line)).map(({ item, error }) => [item, error]))).toEqual(
      new Map([
        ["c", expect.stringMatching(/^tests: node --test test\/c\.test\.js: ✗ 1 failed/)],
        ["d", expect.stringMatching(/^permission: .*npm publish.*--allow/s)],
        ["e", expect.stringMatching(/^tests: node --test test\/e\.test\.js: ✗ 1 failed/)],
        ["f", expect.stringMatching(/^max_turns: .*4 turns/)],
      ]),
    );
    expect(failures).toHaveLength(4);
    expect(result).toMatchObject({ exit_code: 3, done: 5, failed: 4, skipped: 0, open: 0 });

    expect(fixture.persons()).toEqual(before);
    const folder = join(dirname(there.repository), `repo-batch-${result.id}`);
    expect(readdirSync(folder).toSorted()).toEqual(["c", "d", "e", "f"]);
    expect(result.units.flatMap(({ worktree }) => worktree ?? [])).toEqual(["c", "d", "e", "f"].map((id) => join(folder, id)));
    const fileOf = (id: string) => fixture.git("show", `${branch(id)}:src/new/${id}.js`);
    const log = (id: string) => fixture.git("log", "--format=%an: %s%n%b", `main..${branch(id)}`);
    // Without a sandbox the hooks do not run; inside it the repository's own folder is read-only for hooks and agents.
    const hooks = noSandbox ? "did not run: there is no sandbox" : "passed";
    expect(said).toMatch(
      noSandbox ? /Hooks of the repository do not run without a sandbox: pre-commit, commit-msg\./ : /Hooks of the repository run in each/,
    );
    expect(fileOf("a")).toBe(`export const made = 'a';${noSandbox ? "" : "\n// formatted"}`);
    expect(log("a")).toBe(`A Person: Make a\nMade a as its test wants it.${noSandbox ? "" : `\nOn: ${branch("a")}`}`);
    expect(said).toMatch(
      new RegExp(`^\\d\\d:\\d\\d a committed to ${branch("a")} \\(tests: ✓ 1 passed; pre-commit, commit-msg ${hooks}`, "m"),
    );
    expect(server.pulls().find(({ head }) => head === branch("a"))?.body).toContain(`Hooks: pre-commit, commit-msg ${hooks}`);
    expect(existsSync(join(inGit, "escaped"))).toBe(noSandbox); // without a sandbox the agent of g commits by itself
    if (!noSandbox) expect(log("g")).toBe(`A Person: Make g\nMade g.\nOn: ${branch("g")}`);
  });

  it("opens one pull request for each unit, however often it is killed on the way", {
    timeout: 300_000 + randomKills * 10_000,
  }, async () => {
    const there = teamPlace({ asked: true });
    const fixture = batchFixture(there, [
      made("a"),
      made("b"),
      made("c", " with a key"),
      made("unrunnable", ".", { test: "no-such-runner test/unrunnable.test.js" }),
      made("late", ".", { phase: 2, needs: ["a"] }),
      made("later", ".", { phase: 2, needs: ["c"] }),
    ]);
    const { server, env } = await forgeOf(there, fixture);
    const before = fixture.persons();
    const runs: string[] = [];
    /** Runs the program until it prints this, then kills it. */
    const killedAfter = async (args: string[], said: RegExp, signal: NodeJS.Signals = "SIGKILL") => {
      const program = there.tool(["batch", ...args], { env });
      await eventually(() => said.test(program.output()) || program.child.exitCode !== null);
      expect(program.output()).toMatch(said);
      program.child.kill(signal);
      const end = JSON.stringify(await program.ended);
      runs.push(`${program.output()}${end}`);
    };
    /** What the program prints when it cannot write one of its own files. */
    const faulty = async (id: string) => {
      const record = join(there.configDir, "batches", id, "units/late.json");
      const program = there.tool(["batch", "--resume", id], { env });
      await eventually(() => / units start from /.test(program.output()));
      const text = readFileSync(record);
      rmSync(record);
      mkdirSync(record);
      const { code } = await program.ended;
      rmdirSync(record);
      writeFileSync(record, text);
      expect([code, program.output()]).toEqual([1, expect.stringMatching(/Go on: tool batch --resume \w+\n[\s\S]*late\.json/)]);
      return program.output();
    };
    const flags = ["--plan", fixture.plan, "--yes", "--concurrency", "2", "--script", fixture.script, "--allow", "Bash(node --test:*)"];
    const refused = there.warm(["batch", ...flags], { env });
    expect(await refused.ended).toMatchObject({ code: 3 });
    expect(refused.output()).toMatch(
      /No rule allows no-such-runner .*--yes grants no test command.*Nothing was started\..*--allow 'Bash\(no-such-runner test\/unrunnable\.test\.js\)'\n$/,
    );
    await killedAfter([...flags, "--allow", "Bash(no-such-runner:*)"], / [ab] working/);
    const id = /batch (\w+):/.exec(runs[0] ?? "")?.[1] ?? "";
    expect(aboutWork(runs[0] ?? "")).toMatch(
      /notes\.txt is untracked.*\n.*need no-such-runner, which is neither on PATH nor in this repository\.\n/,
    );
    for (let kill = 0; kill < randomKills; kill++) {
      const program = there.tool(["batch", "--resume", id], { env });
      await Promise.race([program.ended, new Promise((resolve) => setTimeout(resolve, random() * 2_000))]);
      program.child.kill("SIGKILL");
      await program.ended;
      runs.push(program.output());
    }
    if (randomKills === 0) {
      await killedAfter(["--resume", id], / [ab] (?:working|testing)/, "SIGINT");
      expect(runs.at(-1)).toMatch(/Resume: tool batch --resume \w+\n\{"code":130/);
      await killedAfter(["--resume", id], / [ab] (?:committed|pushed)/);
      runs.push(await faulty(id));
    }
    const program = there.piped(["batch", "--resume", id, "--json"], { env, input: "" });
    const { code } = await program.ended;
    const said = [...runs, program.stderr()].join("\n--- killed\n");
    expect(code, said).toBe(1);
    const result: Result = JSON.parse(program.stdout());
    expect(Object.fromEntries(result.units.map(({ id, state, error }) => [id, error?.kind ?? state])), said).toEqual({
      a: "done",
      b: "done",
      c: "commit",
      unrunnable: "tests",
      late: "done",
      later: "skipped",
    });
    const branch = (unit: string) => `tool/batch-${id}/${unit}`;
    const pulls = server.pulls().map(({ head, base, title }) => [head, base, title]);
    expect(new Set(pulls.map((pull) => pull.join(" ")))).toEqual(
      new Set([...["a", "b"].map((unit) => `${branch(unit)} main Make ${unit}`), `${branch("late")} ${branch("phase-1")} Make late`]),
    );
    expect(pulls).toHaveLength(3);
    expect(server.pulls().find(({ head }) => head === branch("late"))?.body).toMatch(
      /^Made late as its test wants it\.\n\nTests: `node --test test\/late\.test\.js`: ✓ 1 passed \(was red before: ✗ 1 failed: test\/late\.test\.js\)\n\nNeeds first:\n- Make a \(http.*\/pull\/\d+\)/,
    );
    expect(result.units.find(({ id }) => id === "a")?.url).toMatch(/\/acme\/app\/pull\/\d+$/);
    expect(readFileSync(result.failures_file, "utf8").trim().split("\n")).toHaveLength(3);
    expect(["a", "b"].map((unit) => fixture.git("rev-list", "--count", `main..${branch(unit)}`))).toEqual(["1", "1"]);
    expect(fixture.git("worktree", "list", "--porcelain").match(/^worktree .*/gm)).toHaveLength(3); // the user's, and those of the failed units

    const retried = there.warm(["batch", "--retry", id, "--json"], { env });
    expect((await retried.ended).code, retried.stderr()).toBe(1);
    const again: Result = JSON.parse(retried.stdout());
    const states = again.units.map(({ id, state, error }) => [id, error?.kind ?? state]);
    expect(Object.fromEntries(states), retried.stderr()).toMatchObject({ c: "done", later: "done", unrunnable: "tests" });
    expect(server.pulls()).toHaveLength(5);
    const lines = readFileSync(result.failures_file, "utf8").trim().split("\n");
    expect(lines.map((line): string => JSON.parse(line).item).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "c",
      "later",
      "unrunnable",
      "unrunnable",
    ]);
    const list = there.warm(["batch", "--list"]);
    await list.ended;
    expect(list.output()).toMatch(new RegExp(`^${id} .*5 ✓ {2}1 ✗ {2}0 skipped {2}0 open +tool batch --retry ${id} +Make them all`, "m"));
    const clear = there.warm(["batch", "--gc"]);
    await clear.ended;
    expect(clear.output()).toMatch(
      new RegExp(`^${id}: 6 branches removed\\n {2}The worktree .*/unrunnable is kept: .* src/new/unrunnable\\.js\\n`, "m"),
    );
    expect(fixture.git("for-each-ref", "--format=%(refname:short)", "refs/heads/tool")).toBe(branch("unrunnable"));
    expect(fixture.persons()).toEqual(before);
    expect(`${said}${program.stdout()}${retried.stderr()}`).not.toContain(token);
  });
});
