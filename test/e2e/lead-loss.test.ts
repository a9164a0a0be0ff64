// A lead that dies, and a second process that claims a name in use.
import { readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, gate, type Part, type Provider, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually, type Program } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";

describe("a lead that is killed", () => {
  it("leaves teammates in tmux that wait for it, then block their own task and end", async () => {
    const { place, run } = await teamAtWork("tmux");
    run.child.kill("SIGKILL");
    await eventually(() => processesOf(place.folder).length === 0);
    expect(["ada", "bo"].map((name) => place.team().exit(name)?.reason)).toEqual(["lead_gone", "lead_gone"]);
    expect(theTask(place)).toEqual(["blocked", "ada", "the lead is gone"]);
    // The last teammate removes the socket that a server leaves when it exits by itself.
    const sockets = join(place.folder, "tmux", `tmux-${userInfo().uid}`);
    await eventually(() => readdirSync(sockets).length === 0);
    const gc = place.tool(["team", "gc", "--dry-run"]);
    expect([(await gc.ended).code, gc.output()]).toEqual([0, expect.not.stringContaining("socket")]);
  });

  it("takes teammates in its own terminal along; their claims stay for a resume", async () => {
    const { place, run } = await teamAtWork("in-process");
    run.child.kill("SIGKILL");
    await eventually(() => processesOf(place.folder).length === 0);
    expect(["ada", "bo"].map((name) => place.team().exit(name)?.detail)).toEqual(["SIGHUP", "SIGHUP"]);
    expect(theTask(place)).toEqual(["in_progress", "ada", undefined]);
  });
});

it("a second process of the same teammate or lead is refused, naming the first, and changes nothing", async () => {
  const { place, run, env } = await teamAtWork("in-process");
  const before = ["lead", "ada"].map((name) => place.team().status(name));
  const launch = (name: string, role: string) => {
    const options = { attended: false, allow: [], deny: [], leadGraceMs: 0 };
    const facts = {
      version: 1,
      team: "atlas",
      session: "s",
      cwd: place.repository,
      configDir: place.configDir,
      managedSettings: [],
      nonce: "n",
      env: { ...place.env, ...env },
      options,
    };
    return place.tool([role, "--launch", place.write(`${name}.json`, JSON.stringify({ ...facts, role, name }))]);
  };
  const seconds = [launch("lead", "lead"), launch("ada", "teammate")];
  expect(await Promise.all(seconds.map(async (second) => [(await second.ended).code, second.output()]))).toEqual([
    [1, `tool: cannot start lead of team atlas: it is running already, as process ${before[0]?.pid}.\n`],
    [1, `tool: cannot start ada of team atlas: it is running already, as process ${before[1]?.pid}.\n`],
  ]);
  expect(["lead", "ada"].map((name) => [place.team().status(name), place.team().exit(name)])).toEqual(
    before.map((status) => [status, undefined]),
  );
  run.child.kill("SIGTERM");
  expect((await run.ended).code).toBe(130);
});

/** ada is in the middle of a turn that never ends, bo has nothing to do. */
async function teamAtWork(display: string): Promise<{ place: Place; run: Program; env: Provider["env"] }> {
  const place = teamPlace();
  const once = gate([call("SpawnTeammate", { name: "bo" })]);
  const lead: Part = [
    [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
    once.answer,
    text("They are at work."),
  ];
  const api = await provider({ lead, ada: [gate(text("never")).answer] });
  const env = { ...api.env, TOOL_LEAD_GRACE_SECONDS: "1" };
  const run = place.tool(["team", "--print", "--display", display, "Do it."], { env });
  await eventually(() => api.requests("ada").length >= 1);
  once.open();
  await eventually(() => place.team().status("bo")?.state === "idle" && place.team().status("lead")?.state === "idle");
  return { place, run, env };
}

function theTask(place: Place) {
  const [task] = place.team().tasks();
  return [task?.status, task?.assigned_to, task?.blocked_reason];
}
