// The coordinator's demo as the README promises it, without a terminal and without teams; and a session that works as an agent.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

const withoutTeams = { TOOL_EXPERIMENTAL_AGENT_TEAMS: "" };

it("with --print: five of six components done in three phases, one failed and recorded, the program's tests green", async () => {
  const place = teamPlace();
  const demo = place.warm(["demo", "coordinator", "--print"], { env: withoutTeams });
  const { code } = await demo.ended;
  const said = demo.stdout();
  expect(code, `${said}\n${demo.stderr()}`).toBe(0);
  expect(said).toContain("Checked: node --test → 9 tests, 9 pass, 0 fail (before: 5 tests, 5 pass, 0 fail). 9 files changed");
  expect(said).toContain("Five of six components are done, one is not.");
  expect(said).toContain("Checked: `node --test`, 9 tests pass.");
  const ends = [...said.matchAll(/^\d\d:\d\d (\w+) \(a-[0-9a-f]+\) .*? ([✓✗]) /gm)].map(([, name, sign]) => `${sign} ${name}`);
  const phases = [ends.slice(0, 2).sort(), ends.slice(2, 5).sort(), ends.slice(5)];
  expect(phases).toEqual([["✓ log", "✓ time"], ["✓ orders", "✓ stock", "✗ invoices"], ["✓ whole"]]);
  const projects = join(place.configDir, "projects");
  const files = readdirSync(projects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = files.map((entry) => join(entry.parentPath, entry.name));
  expect(kept.map((path) => said.includes(path))).toEqual([true]);
  const failures = kept.flatMap((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
  expect(failures.map((line) => JSON.parse(line))).toEqual([
    {
      at: expect.any(String),
      agent: "invoices",
      item: "invoices",
      error: "src/ledger.js reads the lines that src/invoices.js prints today, and is not among this worker's files.",
    },
  ]);
});

it("on a screen: interrupted by the person it ends with 130, and leaves no copy", async () => {
  const place = teamPlace();
  const seat = personsTerminal([...tool, "demo", "coordinator"], {
    env: { ...place.env, ...withoutTeams },
    cwd: place.repository,
    columns: 100,
    rows: 30,
  });
  await seat.shows("Copying a small program and running its tests …");
  await seat.shows("The tests of the copy before: 5 tests, 5 pass, 0 fail");
  await eventually(() => seat.screen().some((line) => line.startsWith("> ")));
  expect(await seat.leave(), seat.screen().join("\n")).toBe(130);
});

it.each([
  [["demo", "nonsense"], 'there is no demo "nonsense". There are: team, coordinator'],
  [["--print", "--agent", "coordinater", "go on now"], 'there is no agent "coordinater". Did you mean "coordinator"?'],
  [["--print", "--agent", "fork", "go on now"], 'a session cannot work as "fork": a fork needs the conversation of another agent'],
])("%o is wrong usage, and says what there is", async (args, reason) => {
  const program = teamPlace().piped(args, { input: "", env: withoutTeams });
  expect(await program.ended).toEqual({ code: 2 });
  expect(program.stderr()).toContain(reason);
});
