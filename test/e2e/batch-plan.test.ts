// `tool batch --plan-only`, and the cases in which a batch does not start: the message, the exit code, and that nothing was sent or
// changed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planOf, unit } from "../batch/plans.ts";
import { call, gate, newest, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];

async function place(parts: Part) {
  const api = await provider({ tool: parts });
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8" }).trim();
  const commit = () => {
    there.write("repo/src/u1.js", "export const a = 1;\n");
    git("add", "--all");
    git(...author, "commit", "--quiet", "--message", "First");
    git("config", "user.name", "A");
    git("config", "user.email", "a@example.org");
  };
  const batch = async (args: string[], input = "") => {
    const program = there.warm(["batch", ...args], { env: api.env, input });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { there, git, commit, batch, env: api.env, requests: () => api.requests("tool") };
}

describe("tool batch --plan-only", () => {
  it("plans with a read-only agent, sends what is wrong back to it, and prints a plan that --plan takes", async () => {
    const overlapping = { units: [...planOf(5).units, unit("all", { files: ["src"] })] };
    const { there, commit, git, batch, requests } = await place([
      call("Grep", { pattern: "logger" }),
      call("SubmitBatchPlan", overlapping),
      call("SubmitBatchPlan", planOf(6)),
      text("The plan is submitted."),
    ]);
    commit();
    there.write("repo/src/u1.js", "changed\n");
    const before = [git("status", "--porcelain=v2", "--branch"), git("stash", "list"), git("config", "--list"), git("branch", "--all")];
    const { code, stdout, stderr } = await batch(["Replace the logger", "--plan-only", "--json"]);
    expect([code, stderr], stderr).toEqual([0, expect.stringContaining(`Grep "logger"`)]);
    expect(stderr).toContain("src/u1.js is not committed. Units start from HEAD and do not see these changes.");
    const noRemote = "No pull requests can be opened: This repository has no remote. Add one: git remote add origin <address>. ";
    expect(stderr.indexOf(`${noRemote}Branches can still be made.\n`)).toBeGreaterThanOrEqual(0);
    expect(stderr.indexOf(noRemote)).toBeLessThan(stderr.indexOf("Reading the repository and planning."));
    const printed = JSON.parse(stdout);
    expect(printed).toEqual({
      ok: true,
      type: "batch_plan",
      verdict: "good",
      file: expect.any(String),
      cost_usd: null,
      estimate: expect.anything(),
      ...planOf(6),
    });
    expect(JSON.parse(readFileSync(printed.file, "utf8"))).toMatchObject({ instruction: "Replace the logger", ...planOf(6) });
    expect(
      requests()[0]
        ?.body.tools?.map(({ name }) => name)
        .filter((name) => /^(Bash|Edit|Write|SubmitBatchPlan)$/.test(name)),
    ).toEqual(["SubmitBatchPlan"]);
    expect(newest(requests()[2])).toMatch(/Not accepted:.*"u1\\" and \\"all\\" of phase 1 may both change src/);
    expect([git("status", "--porcelain=v2", "--branch"), git("stash", "list"), git("config", "--list"), git("branch", "--all")]).toEqual(
      before,
    );
    const again = await batch(["--plan", printed.file, "--plan-only"]);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Plan: Replace the logger, in 6 units, 1 phase .*estimated: \d\S* to \d\S* tokens, cost unknown \(from planning, 4 turns\).*\n.*\n {2}1 +Logger in u1 +src\/u1\.js +node --test test\/u1\.test\.js/,
      ),
    ]);
    expect(again.stderr.trimEnd()).toMatch(/ To carry it out: tool batch --no-pr --plan \S.*\/plan\.json'?$/);
    git("remote", "add", "origin", "https://forge.invalid/acme/app");
    const withRemote = await batch(["--plan", printed.file, "--plan-only"]);
    expect(withRemote.stderr).not.toContain("No pull requests");
    expect(withRemote.stderr.trimEnd()).toMatch(/ To carry it out: tool batch --plan \S.*\/plan\.json'?$/);
    expect(requests()).toHaveLength(4);
  });

  it("exits with 130 if it is interrupted while it plans, and has changed nothing", async () => {
    const answer = gate(text("Too late."));
    const { there, commit, git, env, requests } = await place([answer.answer]);
    commit();
    const program = there.tool(["batch", "Replace the logger", "--plan-only"], { env });
    await eventually(() => requests().length >= 1);
    program.child.kill("SIGINT");
    expect((await program.ended).code, program.output()).toBe(130);
    answer.open();
    expect(program.output()).toContain("No plan was made. Interrupted.");
    expect([git("branch", "--all"), existsSync(join(there.configDir, "batches"))]).toEqual([expect.not.stringContaining("tool/"), false]);
  });

  it("advises sub-agents for small work, and exits with 1", async () => {
    const { commit, batch } = await place([call("SubmitBatchPlan", planOf(4)), text("It cannot be cut further.")]);
    commit();
    expect(await batch(["Replace the logger", "--plan-only"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(
        'The plan has 4 units, and a batch has at least 5. Sub-agents of one session suit it better: tool "Replace the logger"',
      ),
    });
  });
});

describe("tool batch", () => {
  it("is refused before any request if it cannot work, and says what to do", async () => {
    const { there, commit, git, batch, requests } = await place([]);
    const bare = join(there.folder, "bare.git");
    git("init", "--quiet", "--bare", bare);
    const gitless = there.tool(["batch", "x y", "--yes"], { env: { PATH: join(there.folder, "bin") } });
    expect([(await gitless.ended).code, gitless.output()]).toEqual([2, expect.stringContaining("git is needed")]);
    const inBare = there.tool(["batch", "x y", "--yes"], { cwd: bare });
    expect([(await inBare.ended).code, inBare.output()]).toEqual([2, expect.stringContaining("bare.git is a bare repository")]);
    expect(await batch(["x y"])).toMatchObject({ code: 2, stderr: expect.stringContaining("nobody can approve the plan here") });
    there.write("broken.json", '{"units": [');
    expect(await batch(["--plan", join(there.folder, "broken.json"), "--yes"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tool: cannot use the plan .*broken\.json:\n +- It is not JSON/),
    });
    expect(await batch(["x y", "--yes"])).toMatchObject({ code: 2, stderr: expect.stringContaining("has no commit yet") });
    commit();
    const plans = { few: planOf(4), many: planOf(31) };
    for (const [name, plan] of Object.entries(plans)) there.write(`${name}.json`, JSON.stringify(plan));
    expect(await batch(["--yes", "--no-pr", "--plan", join(there.folder, "few.json")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has 4 units"),
    });
    expect(await batch(["--yes", "--no-pr", "--plan", join(there.folder, "many.json")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("make a coarser plan"),
    });
    there.write("five.json", JSON.stringify(planOf(5)));
    const keyless = there.piped(["batch", "--yes", "--no-pr", "--plan", join(there.folder, "five.json")], { input: "" });
    expect([(await keyless.ended).code, aboutWork(keyless.stderr())]).toEqual([
      2,
      expect.stringMatching(/^tool: .*ANTHROPIC_API_KEY.* Nothing was started\.\n$/),
    ]);
    git("branch", "tool");
    expect(await batch(["x y", "--yes"])).toMatchObject({ code: 2, stderr: expect.stringContaining("git branch -m tool") });
    expect([requests(), existsSync(join(there.configDir, "batches"))]).toEqual([[], false]);
  });
});
