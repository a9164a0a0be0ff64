// Copies of the user's tree, as the built program makes them: what rules hide in the tree is in none of them, tracked or not.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { aboutWork, type Place, teamPlace } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");
const hidden = "what the rules hide";

/** Opens the hidden files wherever they could be, without naming them to the shell. */
const opening = (repository: string) => `
import { readFileSync } from "node:fs";
for (const top of ["", "${repository}/"]) for (const name of ["tracked", "ignored", "open"]) {
  try { console.log("found: " + readFileSync(top + "local/" + name + ".txt", "utf8")); } catch {}
}
`;

/** A repository in which `local/tracked.txt` and `local/ignored.txt` are to be hidden. */
function laidOut(there: Place, units = [made("a"), ...waitingFor("a", ["b", "c", "d", "e"])]) {
  const { repository, write } = there;
  write("repo/.gitignore", "local/*\n!local/tracked.txt\n");
  write("repo/.worktreeinclude", "local/\nlocal/ignored.txt\n");
  for (const name of ["tracked", "ignored"]) write(`repo/local/${name}.txt`, hidden);
  write("repo/local/open.txt", "open to all");
  write("repo/look.mjs", opening(repository));
  const fixture = batchFixture(there, units);
  return { fixture, deny: ["tracked", "ignored"].flatMap((name) => ["--deny", `Read(/${repository}/local/${name}.txt)`]) };
}

it("hides from an isolated agent what the session's rules hide", async () => {
  const there = teamPlace();
  const { deny } = laidOut(there);
  there.write("repo/.tool/agents/apart.md", "---\nname: apart\ndescription: apart\nisolation: worktree\n---\nLook.\n");
  const paths = ["local/tracked.txt", "local/ignored.txt", "local/open.txt"];
  const api = await provider({
    tool: [call("Agent", { description: "look", prompt: "Look.", subagent_type: "apart", name: "ada" }), text("Done.")],
    ada: [
      [
        ...paths.map((path) => call("Read", { path })),
        call("Bash", { command: "cat local/*.txt" }),
        call("Bash", { command: "node look.mjs" }),
      ],
      text("Looked."),
    ],
  });
  const rules = ["--trust", "--permission-mode", "acceptEdits", "--allow", "Bash(node look.mjs)", ...deny];
  await there.warm(["--print", ...rules, "Look."], { env: api.env }).ended;
  const results = toolResults(api.requests("ada")[1]);
  expect(results).toHaveLength(5);
  expect(results[2]).toContain("open to all");
  expect(noSandbox ? results.slice(0, 4).join("\n") : results.join("\n")).not.toContain(hidden);
  if (!noSandbox) expect(results[4]).toContain("found: open to all");
});

it("hides from a unit and its test what the rules of the command line hide", { timeout: 120_000 }, async () => {
  const there = teamPlace();
  const { fixture, deny } = laidOut(there);
  const plan = JSON.parse(readFileSync(fixture.plan, "utf8"));
  for (const unit of plan.units) unit.test = "node look.mjs --fail";
  writeFileSync(fixture.plan, JSON.stringify(plan));
  there.write("repo/look.mjs", `${opening(there.repository)}process.exit(1);\n`);
  fixture.git("commit", "--quiet", "--all", "--message", "A test that fails");
  const args = [
    "--plan",
    fixture.plan,
    "--yes",
    "--no-pr",
    "--json",
    "--script",
    fixture.script,
    "--allow",
    "Bash(node look.mjs *)",
    ...deny,
  ];
  const program = there.warm(["batch", ...args]);
  await program.ended;
  const { units } = JSON.parse(program.stdout()) as { units: { error?: { kind: string; reason: string } }[] };
  const reason = `${units[0]?.error?.kind}: ${units[0]?.error?.reason}`;
  expect(reason, aboutWork(program.stderr())).toMatch(/^tests: [\s\S]*found: open to all/);
  if (!noSandbox) expect(reason).not.toContain(hidden);
  expect(readFileSync(join(there.repository, "local/ignored.txt"), "utf8")).toBe(hidden);
});
