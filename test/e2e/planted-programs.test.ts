// Programs in a repository, or left by a command, that have the names of programs we start ourselves are never started by us.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { programFolder } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const helpers = ["bwrap", "git", "rg", "tmux", "bash", "sh", "true", "echo", "ps"];

/** Each records that it ran outside of every sandbox, and what started it. */
function plant(place: Place, folder: string): string {
  const canary = join(place.folder, "canary");
  mkdirSync(folder, { recursive: true });
  for (const name of helpers) writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} >> ${canary}\nexit 1\n`, { mode: 0o755 });
  return canary;
}

const ran = (canary: string) => (existsSync(canary) ? readFileSync(canary, "utf8") : "");

/** Ways in which PATH may lead into the tree, or to a folder that anybody can write. */
const ways: ((place: Place) => string)[] = [
  (place) => join(place.repository, "node_modules/.bin"),
  () => "./node_modules/.bin",
  () => "",
  (place) => {
    const outside = programFolder();
    symlinkSync(join(place.repository, "node_modules/.bin"), join(outside, "bin"));
    return join(outside, "bin");
  },
  (place) => join(place.folder, "everybody"),
];

it.each([true, false])(
  "a session starts nothing that lies in the tree, or in a folder that anybody can write, however PATH leads there; sandbox: %s",
  async (sandboxed) => {
    const place = teamPlace();
    const canaries = ["node_modules/.bin", "."].map((inside) => plant(place, join(place.repository, inside)));
    plant(place, join(place.folder, "everybody"));
    place.write("config/settings.json", JSON.stringify({ sandbox: { enabled: sandboxed } }));
    const calls = [call("Grep", { pattern: "x" }), call("Glob", { pattern: "*" }), call("Bash", { command: "echo fine" })];
    const api = await provider({ tool: [calls, text("Done.")] });
    const env = { ...api.env, PATH: [...ways.map((entry) => entry(place)), place.env["PATH"]].join(":") };
    const program = place.piped(["--print", "--allow", "Bash(echo fine)", "Look."], { env, input: "" });
    await program.ended;
    expect({ bash: toolResults(api.requests("tool")[1])[2], ran: canaries.map(ran) }).toEqual({ bash: "fine", ran: ["", ""] });
  },
);

it("what one allowed command puts on PATH is not started by the next one", async () => {
  const place = teamPlace();
  const canary = plant(place, join(place.repository, "evil"));
  const bin = join(place.repository, "node_modules/.bin");
  const first = "sh evil/install";
  place.write("repo/evil/install", "mkdir -p node_modules/.bin; cp evil/* node_modules/.bin/\n");
  const later = [call("Bash", { command: "echo fine" }), call("Grep", { pattern: "x" })];
  const api = await provider({ tool: [call("Bash", { command: first }), later, text("Done.")] });
  const rules = [first, "echo fine"].flatMap((command) => ["--allow", `Bash(${command})`]);
  const program = place.piped(["--print", ...rules, "Do it."], { env: { ...api.env, PATH: `${bin}:${place.env["PATH"]}` }, input: "" });
  await program.ended;
  expect([existsSync(join(bin, "bwrap")), toolResults(api.requests("tool")[2])[0], ran(canary)]).toEqual([true, "fine", ""]);
});

it.skipIf(await lacks("tmux"))("a team, its panes and its teammates start nothing that lies in the tree", async () => {
  const place = teamPlace();
  const bin = join(place.repository, "node_modules/.bin");
  const canary = plant(place, bin);
  const api = await provider({
    lead: [call("SpawnTeammate", { name: "ada" }), call("TaskCreate", { title: "Look" }), text("Wait."), text("Done.")],
    ada: [[call("Grep", { pattern: "x" }), call("Bash", { command: "echo fine" })], text("Done."), text("Done.")],
  });
  const env = { ...api.env, PATH: `${bin}:${place.env["PATH"]}` };
  const program = place.piped(["team", "--print", "--display", "tmux", "--allow", "Bash(echo fine)", "Look."], { env, input: "" });
  await program.ended;
  expect([toolResults(api.requests("ada")[1])[1], ran(canary)]).toEqual(["fine", ""]);
});
