// `/batch` in a session: asked about beside the conversation, carried out in the background, and told to the model in a few words.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made } from "../batch/fixture.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

it("/batch asks, runs the units, and leaves the report to the person and to the conversation", async () => {
  const there = teamPlace();
  const fixture = batchFixture(there, ["a", "b", "c", "d"].map((id) => made(id)).concat(made("e", " the wrong way")));
  const before = fixture.persons();
  const seat = personsTerminal([...tool, "--script", fixture.script], { env: there.env, cwd: there.repository, columns: 150, rows: 40 });
  await seat.shows("ready");
  seat.type("/batch\r");
  await seat.shows("Cannot start a batch without the change to make");
  seat.type("/batch Make them all\r");
  await seat.shows("No pull requests can be opened");
  await choose(seat, "y");
  await seat.shows("Carry out this plan?");
  await seat.shows("Plan: Make them all, in 5 units, 1 phase");
  await choose(seat, "y");
  await seat.shows("4 units done, 1 failed");
  expect(seat.everything().join("\n")).toMatch(/1 +✓ +Make a .*branch tool\/batch-\w+\/a +✓ 1 passed/);
  seat.type("What came of it?\r");
  await seat.shows("All of it is done.");
  const projects = join(there.configDir, "projects");
  const transcripts = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const told = transcripts.filter((name) => readFileSync(join(projects, name), "utf8").includes("The person ran a batch: Make them all"));
  expect(told).toHaveLength(1);
  expect(fixture.persons()).toEqual(before);
  seat.type("\x03");
  await seat.shows("Ctrl-C again ends the session.");
  seat.type("\x03");
  expect(await seat.ended).toBe(0);
});
