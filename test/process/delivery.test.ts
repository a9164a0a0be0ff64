// Messages between agents and from people: when they reach a model, and what costs a request.
import { describe, expect, it } from "vitest";
import { call, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

it("smoke", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "First", description: "do it" }), call("SpawnTeammate", { name: "ada" })],
      text("Started."),
      text("Report."),
    ],
    ada: [call("TaskUpdate", { id: "task-1", status: "completed", summary: "did it" }), text("done")],
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do the work."], { env: api.env });
  const end = await run.ended;
  console.log(run.output(), api.requests("lead").length, api.requests("ada").length, JSON.stringify(api.requests("ada")[0]!.body, null, 1).length);
  console.log(newest(api.requests("lead").at(-1)!));
  expect(end.code).toBe(0);
});
