// Stopping on purpose: the lead stops a teammate, or a person stops the whole team.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { processesOf, teamPlace } from "../team-kit.ts";

it("a teammate that the lead stops in the middle of a turn ends at once, and its task is handed over with what it touched", async () => {
  const place = teamPlace();
  const stop = gate([call("StopTeammate", { name: "ada" }), call("StopTeammate", { name: "cy" })]);
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      stop.answer,
      [call("TaskUpdate", { id: "task-1", status: "open" }), call("SpawnTeammate", { name: "bo" })],
      text("Handed over."),
      text("Reported."),
    ],
    ada: [[call("Write", { path: "half.txt", content: "half" }), call("Bash", { command: "echo run >> runs; sleep 1001" })]],
    bo: [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." }), text("Done.")],
  });
  const run = place.tool(["team", "--print", "--display", "tmux", "--allow", "Bash", "--allow", "Write", "Do it."], { env: api.env });
  await eventually(() => processesOf(place.folder).some(({ command }) => command.startsWith("sleep 1001")));
  stop.open();
  expect([(await run.ended).code, readFileSync(join(place.repository, "runs"), "utf8")]).toEqual([0, "run\n"]);
  expect(place.team().exit("ada")?.reason).toBe("stopped");
  expect(toolResults(api.requests("lead")[2])).toEqual([
    "ada has ended. task-1 is blocked: ada was stopped; files touched: half.txt.",
    'Cannot stop "cy": it is not running. Running: nobody.',
  ]);
  const facts = place
    .team()
    .events()
    .flatMap((event) => ("task" in event ? `${event.by} ${event.kind}` : "member" in event ? `${event.member} ${event.kind}` : []));
  // The lead logs a teammate's start, while the teammate logs what it does.
  expect(facts.filter((fact) => fact.endsWith("member_started"))).toEqual(["ada member_started", "bo member_started"]);
  expect(facts.filter((fact) => !fact.endsWith("member_started"))).toEqual([
    "lead task_created",
    "ada task_claimed",
    "ada file_taken",
    "ada file_taken",
    "ada task_blocked",
    "ada member_ended",
    "lead task_released",
    "bo task_claimed",
    "bo task_completed",
    "bo member_ended",
  ]);
});

it("SIGHUP to a team without a terminal ends everything, exits with 130, and reports the progress", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Only task" }), call("SpawnTeammate", { name: "ada" })], text("ada is at work.")],
    ada: [call("Bash", { command: "trap '' TERM HUP; setsid sleep 1001 & sleep 1002" })],
  });
  const run = place.tool(["team", "--print", "--allow", "Bash", "Do it."], { env: api.env });
  await eventually(() => processesOf(place.folder).some(({ command }) => command.includes("sleep 1001")));
  run.child.kill("SIGHUP");
  expect((await run.ended).code).toBe(130);
  expect(run.output()).toContain("Team atlas ended: 0 of 1 tasks");
  expect(
    place
      .team()
      .tasks()
      .map(({ status, blocked_reason }) => [status, blocked_reason]),
  ).toEqual([["blocked", "ada was stopped"]]);
});

it.each([
  ["team", "--demo"],
  ["demo", "coordinator"],
  ["demo", "batch"],
])("%s %s: interrupted while it is prepared, it has said so and leaves neither a copy nor a team", async (...args) => {
  const place = teamPlace();
  const run = place.tool([...args, "--print"]);
  await eventually(() => /^Copying a small program and .* …$/m.test(run.output()));
  run.child.kill("SIGTERM");
  const { code } = await run.ended;
  expect([code, run.output().split("\n").length]).toEqual([130, 2]);
  expect(existsSync(join(place.configDir, "teams"))).toBe(false);
});
