// Agents that a teammate starts: it waits for them, people see them, and they end with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";
import { attend } from "./attended.ts";
import { choose } from "./choose.ts";

const print = ["team", "--print", "--display", "in-process", "--allow", "Bash", "Do it."];
const begin = [call("TaskCreate", { title: "Parse dates", description: "Do it." }), call("SpawnTeammate", { name: "ada" })];
const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Parsed." });
const agent = (background: boolean) => call("Agent", { name: "bo", description: "look at dates", prompt: "Look.", background });

async function tasks({ piped }: Place): Promise<unknown[]> {
  const program = piped(["tasks", "--json"], { input: "" });
  await program.ended;
  return (JSON.parse(program.stdout()) as { session_agents: unknown[] }).session_agents;
}

it("a teammate waits for its agent without being reminded, and has skills and RecordFailure as the lead has", async () => {
  const place = teamPlace();
  place.write("config/skills/dates/SKILL.md", "---\nname: dates\ndescription: How to parse dates\n---\nBy hand.\n");
  const slow = gate(text("Three formats."));
  const api = await provider({
    lead: [begin, text("ada is at work."), text("Reported.")],
    ada: [agent(true), text("bo looks."), completed, text("Done.")],
    bo: [slow.answer],
  });
  const run = place.warm(print, { env: api.env });
  await eventually(() => place.team().status("ada")?.doing === "waits for its agents");
  expect(await tasks(place)).toMatchObject([{ name: "bo", description: "look at dates", state: "running" }]);
  slow.open();
  expect(await run.ended).toMatchObject({ code: 0 });
  expect(api.requests("ada")).toHaveLength(4);
  expect(newest(api.requests("ada")[2])).toContain("Three formats.");
  const offered = (name: string) => api.requests(name)[0]?.body.tools?.map((tool) => tool.name) ?? [];
  expect(["lead", "ada", "bo"].map((name) => ["Agent", "Skill", "RecordFailure"].filter((tool) => offered(name).includes(tool)))).toEqual([
    ["Skill", "RecordFailure"],
    ["Agent", "Skill", "RecordFailure"],
    ["Agent", "Skill", "RecordFailure"],
  ]);
});

it("what an agent of a killed teammate has started ends with the teammate", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [begin, text("ada is at work."), text("ada is gone.")],
    ada: [agent(false)],
    bo: [call("Bash", { command: "sleep 600 & touch begun; wait" })],
  });
  place.write("config/settings.json", '{"sandbox": {"enabled": false}}'); // the sandbox would end the process by itself
  const run = place.warm(print, { env: api.env });
  await eventually(() => existsSync(join(place.repository, "begun")));
  process.kill(place.team().status("ada")!.pid, "SIGKILL");
  expect(await run.ended).toMatchObject({ code: 1 }); // the place also checks that no process is left
});

it("the question of a teammate's agent in the background opens at the lead, and its answer lets it go on", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [begin, text("ada is at work."), text("Reported.")],
    ada: [agent(true), text("bo looks."), completed, text("Done.")],
    bo: [call("Write", { path: "dates.txt", content: "three\n" }), text("Written.")],
  });
  const seat = await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  await eventually(() => seat.screen().includes("agent bo of ada asks to write"));
  expect(existsSync(join(place.repository, "dates.txt"))).toBe(false);
  await choose({ screen: seat.screen, type: (keys) => seat.press(keys) }, "1");
  await eventually(() => existsSync(join(place.repository, "dates.txt")));
  await eventually(() => JSON.stringify(api.requests("ada").at(-1)?.body.messages ?? "").includes("Written."));
  seat.press("C-c", "C-c");
  await eventually(() => seat.code() !== undefined);
});
