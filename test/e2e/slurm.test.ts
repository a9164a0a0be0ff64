// Slurm for real, with the command that docs/places.md recommends: batches on two nodes whose jobs are cancelled, whose node is drained and whose
// steps are killed, and a queue that never starts anything.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchFixture, made } from "../batch/fixture.ts";
import { call, provider, toolResults } from "../cast.ts";
import { sayIn } from "../edge/git/git-kit.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { type SlurmCluster, slotsOfNode, slurmCluster } from "../places/slurm-cluster.ts";
import { eventually } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const recipe = JSON.parse(/\*\*Slurm\.\*\* `(\[.*?\])`/s.exec(readFileSync("docs/places.md", "utf8"))?.[1] ?? "") as string[];

describe("on Slurm", async () => {
  const skip = await lacks("slurm");
  let cluster: SlurmCluster;
  beforeAll(async () => {
    if (!skip) cluster = await slurmCluster();
  });
  afterAll(() => cluster?.stop());

  function personWithSlurm() {
    const there = teamPlace();
    const far = join(there.folder, "far");
    mkdirSync(there.configDir, { recursive: true, mode: 0o700 });
    const slurm = { command: recipe, folder: far, atOnce: 2 * slotsOfNode };
    writeFileSync(join(there.configDir, "settings.json"), JSON.stringify({ places: { slurm } }));
    return { ...there, far };
  }

  async function drained(nodes: readonly string[], work: () => Promise<void>) {
    const update = (...change: string[]) => cluster.run("scontrol", "update", `NodeName=${nodes.join(",")}`, ...change);
    update("State=DRAIN", "Reason=maintenance");
    await work().finally(() => update("State=RESUME"));
  }

  it.skipIf(skip)("the recipe can be used, and leaves no job", async () => {
    const { piped } = personWithSlurm();
    const tested = piped(["place", "test", "slurm"], { env: cluster.env, input: "" });
    const { code } = await tested.ended;
    expect([code, tested.stdout()]).toEqual([0, expect.stringContaining('The place "slurm" can be used.')]);
  });

  it.skipIf(skip)("a batch is done once, whatever becomes of its jobs and nodes", async () => {
    const there = personWithSlurm();
    const ids = ["a", "b", "c", "d", "e"];
    writeFileSync(join(there.repository, "slow.js"), 'setTimeout(() => import("./test/" + process.argv[2] + ".test.js"), 6_000);\n');
    const fixture = batchFixture(
      there,
      ids.map((id) => made(id, ".", { test: `node slow.js ${id}` })),
    );
    const args = [
      "batch",
      "--plan",
      fixture.plan,
      "--yes",
      "--no-pr",
      "--json",
      "--script",
      fixture.script,
      "--places",
      "slurm",
      "--allow",
      "Bash",
    ];
    const batch = there.warm(args, { env: cluster.env });
    // At this moment what a unit's agent has done is at home already: this agent, which looks at nothing, has nothing to do again.
    const testing = (node: string) =>
      cluster.jobs().find((job) => job.node === node && cluster.commandsOf(job).some((command) => command.startsWith("node slow.js")));
    const [cancelled, killed] = await eventually(() => {
      const [first, second] = [testing("n1"), testing("n2")];
      return first && second ? [first, second] : undefined;
    });
    await drained(["n1"], async () => {
      // Other jobs of that node go on.
      cluster.run("scancel", cancelled!.id);
      for (const pid of cluster.tasksOf(killed!)) process.kill(pid, "SIGKILL");
      await batch.ended;
    });
    const { code } = await batch.ended;
    const { units } = JSON.parse(batch.stdout()) as { units: { id: string; state: string; branch: string; place?: string }[] };
    expect([code, units.map(({ state }) => state)]).toEqual([0, ids.map(() => "done")]);
    // Where its hands died a unit is not tried again; the others have stayed.
    expect(units.filter(({ place }) => place === "slurm").length).toBe(ids.length - 2);
    for (const { id, branch } of units) {
      expect(fixture.git("rev-list", "--count", `HEAD..${branch}`).trim()).toBe("1");
      expect(fixture.git("show", `${branch}:src/new/${id}.js`)).toContain(`made = '${id}'`);
    }
    await eventually(() => cluster.jobs().length === 0);
  });

  // Both srun and the queue show such a job as running: only silence tells.
  it.skipIf(skip)("a session reaches its hands again whose step was killed, and nothing is done twice", async () => {
    const { piped, repository } = personWithSlurm();
    sayIn(repository)("commit", "--quiet", "--allow-empty", "--message", "first");
    const calls = [call("Bash", { command: "echo begun >>log && sleep 7" }), call("Bash", { command: "cat log" })];
    const api = await provider({ tool: [...calls, text("Done.")] });
    const session = piped(["--print", "--place", "slurm", "--allow", "Bash", "--allow", "Edit", "go on now"], {
      env: { ...cluster.env, ...api.env },
      input: "",
    });
    const job = await eventually(() =>
      cluster.jobs().find((each) => cluster.commandsOf(each).some((command) => command.startsWith("sleep 7"))),
    );
    process.kill(cluster.stepOf(job!)!, "SIGKILL");
    expect((await session.ended).code).toBe(0);
    expect(session.stderr()).toContain('The link to the place "slurm" is there again; nothing is lost.');
    expect(toolResults(api.requests("tool").at(-1)!).at(-1)).toBe("begun");
    cluster.run("scancel", job!.id);
    await eventually(() => cluster.jobs().length === 0);
  });

  it.skipIf(skip)("a queue that starts nothing says why, and is left without a trace", async () => {
    const { piped, repository } = personWithSlurm();
    sayIn(repository)("commit", "--quiet", "--allow-empty", "--message", "first"); // without one no session at a place begins
    await drained(cluster.nodes, async () => {
      const session = piped(["--print", "--place", "slurm", "go on now"], { env: { ...cluster.env, ANTHROPIC_API_KEY: "key" }, input: "" });
      await eventually(() => session.stderr().includes("queued and waiting for resources"));
      expect(cluster.jobs().map(({ state }) => state)).toEqual(["PENDING"]);
      process.kill(session.pid, "SIGINT");
      expect((await session.ended).code).toBe(130);
      await eventually(() => cluster.jobs().length === 0);
    });
  });
});
