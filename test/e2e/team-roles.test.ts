// Teammates with a role: a definition's instructions, tools, model and limit, which a restart keeps when the file is gone.
import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { call, gate, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const definition = `---
name: checker
description: checks
tools: Read, Bash(true)
model: haiku
maxTurns: 7
effort: high
---
You check and change nothing.
`;

it("a teammate that the person names keeps its definition, even after a kill and the removal of the file", async () => {
  const place = teamPlace();
  const file = place.write("config/agents/checker.md", definition);
  const slow = gate(call("Write", { path: "made.txt", content: "x" }));
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Check", description: "Do it." }), call("SpawnTeammate", { name: "bo", role: "checkers" })],
      text("ada is at work."),
      call("SpawnTeammate", { name: "cy", role: "checker" }),
      text("Reported."),
    ],
    ada: [
      slow.answer, // the kill interrupts it
      call("Write", { path: "made.txt", content: "x" }),
      call("TaskUpdate", { id: "task-1", status: "completed", summary: "Checked." }),
      text("Done."),
    ],
  });
  const run = place.warm(
    ["team", "--print", "--display", "in-process", "--allow", "Write", "--effort", "low", "--teammate", "ada=checker", "Do it."],
    {
      env: api.env,
    },
  );
  await eventually(() => api.requests("ada").length >= 1);
  rmSync(file);
  process.kill(place.team().status("ada")!.pid, "SIGKILL");
  await eventually(() => api.requests("ada").length >= 2);
  slow.open();
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });

  const [first, second] = api.requests("ada");
  const facts = (request: typeof first) => [request?.body.model, request?.body.system, request?.body.tools, request?.body.output_config];
  expect(facts(second)).toEqual(facts(first));
  expect([first, api.requests("lead")[0]].map((request) => [request?.body.model, request?.body.output_config])).toEqual([
    ["claude-haiku-5-5", { effort: "high" }],
    ["claude-sonnet-5-5", { effort: "low" }],
  ]);
  expect(first?.body.system?.[0]?.text).toContain("You work as checker:\nYou check and change nothing.");
  const names = first?.body.tools?.map(({ name }) => name) ?? [];
  // SubmitPlan from the start: the user may change the teammate's mode, which must not change the cached beginning of its requests
  expect(["Read", "TaskUpdate", "SubmitPlan", "Write", "Agent"].filter((name) => names.includes(name))).toEqual([
    "Read",
    "TaskUpdate",
    "SubmitPlan",
  ]);
  expect(newest(first)).toContain("- ada, checker (claude-haiku-5-5)");
  expect(toolResults(api.requests("ada")[2])[0]).toMatch(/Write/);
  expect(place.team().record()?.members[1]).toMatchObject({ name: "ada", definition: { name: "checker", maxTurns: 7 } });

  const leads = api.requests("lead");
  expect(newest(leads[0])).toContain("- ada, checker (claude-haiku-5-5)");
  expect(toolResults(leads[1])[1]).toBe('Cannot start "bo": there is no agent "checkers". Did you mean "checker"?');
  expect(toolResults(leads[3])[0]).toMatch(/^Cannot start "cy": there is no agent "checker"\./);
});

it.each([
  ["ada=checkre", 'cannot start "ada": there is no agent "checkre". Did you mean "checker"? Nothing was started.'],
  ["ada=fork", 'a session cannot work as "fork"'],
  ["Ada=checker", 'cannot name a teammate "Ada"'],
  ["ada", "It must be a name with a definition or a place, such as ada=reviewer, rita@gpu or ada=reviewer@gpu."],
])("refuses --teammate %s before anything is written", async (value, said) => {
  const place = teamPlace();
  place.write("config/agents/checker.md", definition);
  const run = place.warm(["team", "--print", "--teammate", value, "Do it."], { env: { ANTHROPIC_API_KEY: "sk-test" } });
  expect(await run.ended).toMatchObject({ code: 2 });
  expect(run.output()).toContain(said);
  expect(place.team().record()).toBeUndefined();
});
