// What the report of `tool batch` says about the tests of its units: changed, red before the work, hanging, allowed by no rule.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loopbackForge } from "../../src/edge/forge/loopback-forge.ts";
import { shellWord } from "../../src/wording/shell-word.ts";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { localhostCertificate } from "../edge/forge/certificate.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

const token = "ghp_0123456789abcdefghij0123456789abcdef"; // tool:allow-secret

type Unit = {
  id: string;
  state: string;
  tests?: string;
  tests_before: string | null;
  was_red_before: boolean | null;
  changed_tests: { path: string; kind: string }[];
};

it("names tests that a unit emptied or was red before, first in the pull request and in the report", { timeout: 240_000 }, async () => {
  const there = teamPlace({ asked: true });
  const fixture = batchFixture(there, [
    made("a"),
    made("b", " by emptying its test"),
    made("red", " of nothing"),
    ...waitingFor("red", ["d", "e"]),
  ]);
  const emptying = `
  - name: empties
    agent: tool
    when: 'Make (?<id>[\\\\w-]+) by emptying its test'
    replies:
      - calls: [{ Read: { path: "test/{{id}}.test.js" } }]
      - calls: [{ Write: { path: "test/{{id}}.test.js", content: "" } }]
      - say: "Made {{id}}; its test passes."
`.replaceAll("\\\\", "\\");
  writeFileSync(fixture.script, readFileSync(fixture.script, "utf8").replace("scenes:\n", `scenes:${emptying}`));
  const tls = localhostCertificate();
  const server = await loopbackForge({ owner: "acme", repository: "app", folder: fixture.remote, token, tls });
  onTestFinished(() => server.close());
  fixture.git("remote", "set-url", "origin", server.remote);
  const certificate = there.write("certificate.pem", tls.cert);
  const env = { GITHUB_API_URL: server.api, GH_TOKEN: token, NODE_EXTRA_CA_CERTS: certificate, GIT_SSL_CAINFO: certificate };
  const args = ["batch", "--plan", fixture.plan, "--yes", "--script", fixture.script];

  const unallowed = there.piped(args, { env, input: "" });
  expect([(await unallowed.ended).code, aboutWork(unallowed.stderr())]).toEqual([
    3,
    expect.stringContaining(
      `No rule allows the test commands, and --yes grants no test command: these units could not pass. Nothing was started. To start with the rules: tool batch --plan ${shellWord(fixture.plan)} --yes --allow 'Bash(node --test:*)'`,
    ),
  ]);
  const wrong = there.piped([...args, "--allow", "Bash(node --test:*)"], { env: { ...env, GIT_SSL_CAINFO: "/nowhere" }, input: "" });
  expect([(await wrong.ended).code, aboutWork(wrong.stderr())]).toEqual([
    2,
    expect.stringMatching(
      /no pull requests can be opened: Cannot push to origin: .*\. Branches can still be made\. To continue anyway: --no-pr/,
    ),
  ]);
  expect(fixture.git("branch", "--list", "tool/*")).toBe("");

  const program = there.piped([...args, "--json", "--allow", "Bash(node --test:*)"], { env, input: "" });
  expect((await program.ended).code, aboutWork(program.stderr())).toBe(1);
  const { units } = JSON.parse(program.stdout()) as { units: Unit[] };
  const facts = units.map(({ id, state, was_red_before: red, changed_tests: changed }) => [id, state, red, changed]);
  expect(facts.slice(0, 3)).toEqual([
    ["a", "done", true, []],
    ["b", "done", true, [{ path: "test/b.test.js", kind: "changed" }]],
    ["red", "failed", true, []],
  ]);
  expect(program.stderr()).toMatch(/ b committed to \S+ \(its test was changed: test\/b\.test\.js; tests: /);
  const bodyOf = (id: string) => server.pulls().find(({ head }) => head.endsWith(`/${id}`))?.body ?? "";
  expect(bodyOf("b")).toMatch(
    /^\*\*Its test was changed\*\*: `test\/b\.test\.js`\. The result below is that of the test as it is now; before the change it was: ✗ 1 failed/,
  );
  expect(bodyOf("a")).toMatch(
    /^Made a as its test wants it\.\n\nTests: `node --test test\/a\.test\.js`: ✓ 1 passed \(was red before: ✗ 1 failed/,
  );
});

it("runs a test that several units share once before them, and refuses the same batch a second time", { timeout: 240_000 }, async () => {
  const there = teamPlace();
  const fixture = batchFixture(
    there,
    ["a", "b", "c", "d", "e"].map((id) => made(id)),
  );
  writeFileSync(
    join(there.repository, "shared.mjs"),
    `import { existsSync } from "node:fs";
const done = existsSync("src/new");
console.log(done ? "the work is there" : "nothing is there yet");
if (done) await new Promise((resolve) => setTimeout(resolve, 1000));
process.exit(done ? 0 : 1);\n`,
  );
  const plan = JSON.parse(readFileSync(fixture.plan, "utf8"));
  for (const unit of plan.units) unit.test = "node shared.mjs";
  writeFileSync(fixture.plan, JSON.stringify(plan));
  fixture.git("add", "--all");
  fixture.git("commit", "--quiet", "--message", "A test for all");
  const args = [
    "batch",
    "--plan",
    fixture.plan,
    "--yes",
    "--no-pr",
    "--json",
    "--script",
    fixture.script,
    "--allow",
    "Bash(node shared.mjs)",
  ];
  const first = there.warm(args);
  await eventually(() => / testing\n/.test(first.stderr()));
  const id = /batch (\w+):/.exec(first.stderr())?.[1];
  const second = there.warm(args);
  expect([(await second.ended).code, aboutWork(second.stderr())]).toEqual([
    2,
    expect.stringMatching(`Batch ${id} does the same here and is running, in process \\d+\\. .* To start a second one: --again\\.`),
  ]);
  expect((await first.ended).code, aboutWork(first.stderr())).toBe(0);
  const { units } = JSON.parse(first.stdout()) as { units: Unit[] };
  expect(units.map(({ was_red_before: red }) => red)).toEqual(Array(5).fill(true));
});
