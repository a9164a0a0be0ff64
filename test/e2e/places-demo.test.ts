// The demo with two of its hands at places: over ssh, as processes where a program is missing, and interrupted.
import { existsSync, lstatSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacks } from "../needs.ts";
import { eventually, programFolder } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const green = "66 tests, 66 pass, 0 fail";

/** Every program of this PATH but unshare. */
function pathWithoutUnshare(): string {
  const folder = programFolder();
  for (const from of (process.env["PATH"] ?? "").split(":").filter((path) => existsSync(path)))
    for (const name of readdirSync(from))
      if (name !== "unshare" && !lstatSync(join(folder, name), { throwIfNoEntry: false }))
        symlinkSync(join(from, name), join(folder, name));
  return folder;
}

async function shown(place: Place, env: Record<string, string>) {
  const run = place.warm(["demo", "places", "--print", "--json"], { input: "", env: { TOOL_EXPERIMENTAL_AGENT_TEAMS: "", ...env } });
  expect((await run.ended).code, run.stderr()).toBe(0);
  const started = place
    .team("demo")
    .events()
    .flatMap((event) => (event.kind === "hands_started" ? [`${event.by} at ${event.place}`] : []));
  return { said: run.stderr(), result: JSON.parse(run.stdout()), started: started.toSorted() };
}

const atWork = ["ada at east", "bo at west"];

it.skipIf(await lacks("sshd", "a network namespace of its own"))("over ssh: green, with the work of both places", async () => {
  const place = teamPlace();
  const { said, result, started } = await shown(place, {});
  expect(said).toContain("The places east and west are reached over ssh, each link in a network namespace of its own");
  expect(started).toEqual(atWork);
  expect(result).toMatchObject({ completed: 10, ended: "completed", checked: { green: true, summary: green } });
  expect(said).not.toContain("tool take");
});

it("where a program for that is missing: as processes, which it says with the reason", async () => {
  const place = teamPlace();
  const { said, result, started } = await shown(place, { PATH: pathWithoutUnshare() });
  expect(said).toMatch(
    /The places east and west are processes on this machine, not reached over ssh: (openssh-server|ssh, ssh-keygen or unshare) is not/,
  );
  expect(started).toEqual(atWork);
  expect(result).toMatchObject({ completed: 10, checked: { green: true, summary: green } });
});

it("interrupted while both places work: it ends, and teamPlace finds no process and no file of it", async () => {
  const place = teamPlace();
  const run = place.tool(["demo", "places", "--print"]);
  const team = place.team("demo");
  await eventually(() => team.events().filter(({ kind }) => kind === "hands_started").length === 2);
  await eventually(() => team.events().some(({ kind }) => kind === "task_claimed"));
  expect(readdirSync(join(place.folder, "tmp"))).not.toEqual([]);
  process.kill(run.pid, "SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(readdirSync(join(place.folder, "tmp"))).toEqual([]);
});
