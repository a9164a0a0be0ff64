// A lead that dies, and a second process for a name that is taken.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";

const bo = async () => {
  await new Promise((r) => setTimeout(r, 1000));
  return [call("SpawnTeammate", { name: "bo" })];
};
const oneTask = [
  call("TaskCreate", { title: "Only task", description: "Do it." }),
  call("SpawnTeammate", { name: "ada" }),
];

it.skip("teammates in tmux wait for their killed lead, then block their own task and end", async () => {
  const place = teamPlace();
  const api = await provider({ lead: [oneTask, bo, text("They are at work.")], ada: [gate(text("never")).answer] });
  const env = { ...api.env, TOOL_LEAD_GRACE_SECONDS: "2" };
  const run = place.tool(["team", "--print", "--display", "tmux", "Do it."], { env });
  await eventually(() => api.requests("ada").length === 1 && place.team().status("bo")?.state === "idle");
  run.child.kill("SIGKILL");
  await eventually(() => processesOf(place.folder).length === 0);
  expect(["ada", "bo"].map((name) => place.team().exit(name)?.reason)).toEqual(["lead_gone", "lead_gone"]);
  expect(place.team().tasks().map(({ status, assigned_to, blocked_reason }) => ({ status, assigned_to, blocked_reason }))).toEqual([
    { status: "blocked", assigned_to: "ada", blocked_reason: "the lead is gone" },
  ]);
  console.log(readdirSync(join(place.folder, "tmux/tmux-0")));
});

it("teammates in-process", async () => {
  const place = teamPlace();
  const api = await provider({ lead: [oneTask, bo, text("They are at work.")], ada: [gate(text("never")).answer] });
  const env = { ...api.env, TOOL_LEAD_GRACE_SECONDS: "2" };
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env });
  await eventually(() => api.requests("ada").length === 1 && place.team().status("bo")?.state === "idle");
  run.child.kill("SIGKILL");
  await eventually(() => processesOf(place.folder).length === 0);
  console.log(["ada", "bo"].map((name) => place.team().exit(name)), place.team().tasks());
});

it("second", async () => {
  const place = teamPlace();
  const hang = gate(text("done"));
  const api = await provider({ lead: [oneTask, text("They are at work.")], ada: [hang.answer] });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env: api.env });
  const ada = await eventually(() => api.requests("ada").length === 1 && place.team().status("ada"));
  const lead = place.team().status("lead");
  const base = { version: 1, team: "atlas", session: "x", cwd: place.repository, nonce: "n", env: { ...place.env, ...api.env }, options: { paced: false, allow: [], deny: [], leadGraceMs: 1 } };
  const f1 = place.write("ada.json", JSON.stringify({ ...base, role: "teammate", name: "ada" }));
  const f2 = place.write("lead.json", JSON.stringify({ ...base, role: "lead", name: "lead" }));
  const second = [place.tool(["teammate", "--launch", f1]), place.tool(["lead", "--launch", f2])];
  for (const s of second) console.log(await s.ended, s.output());
  console.log(place.team().exit("ada"), place.team().exit("lead"), place.team().status("lead")?.nonce === lead?.nonce);
  run.child.kill("SIGTERM");
  console.log(await run.ended, run.output());
});
