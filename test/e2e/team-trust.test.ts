// What a team goes by in its repository: what its lead found at its start. A teammate's command can keep a file in the tree for a moment.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

it("a teammate that starts later runs no hook and follows no instructions that came into the repository after its lead had started", {
  timeout: 60_000,
}, async () => {
  const place = teamPlace();
  const hook = (name: string) => ({
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: `touch ${join(place.folder, name)}` }] }] },
  });
  place.write("repo/.tool/settings.json", JSON.stringify(hook("trusted")));
  place.write("repo/AGENTS.md", "Rules of the person.");
  const api = await provider({
    lead: [
      [call("SpawnTeammate", { name: "ada" }), call("TaskCreate", { title: "One", description: "One.", assignee: "ada" })],
      text("Waiting."),
      () => {
        place.write("repo/.tool/settings.local.json", JSON.stringify(hook("planted")));
        place.write("repo/AGENTS.md", "Planted rules.");
        return [call("SpawnTeammate", { name: "bo" }), call("TaskCreate", { title: "Two", description: "Two.", assignee: "bo" })];
      },
      text("Waiting."),
      text("Reported."),
    ],
    ada: [[call("SendMessage", { to: "lead", text: "Go on." }), call("TaskUpdate", done("task-1"))], text("Done.")],
    bo: [call("TaskUpdate", done("task-2")), text("Done.")],
  });
  const run = place.warm(["team", "--print", "--trust", "--display", "in-process", "Do it."], { env: api.env });
  expect(await run.ended, run.stderr()).toMatchObject({ code: 0 });
  expect(place.team().tasks()).toMatchObject([{ status: "completed" }, { status: "completed", assigned_to: "bo" }]);
  expect(existsSync(join(place.folder, "trusted"))).toBe(true); // the hooks that were there did run
  expect(existsSync(join(place.folder, "planted"))).toBe(false);
  const told = ["lead", "ada", "bo"].map((name) => JSON.stringify(api.requests(name).map(({ body }) => body)));
  expect(told.map((text) => [text.includes("Rules of the person."), text.includes("Planted rules.")])).toEqual(
    Array(3).fill([true, false]),
  );
});

const done = (id: string) => ({ id, status: "completed", summary: "Done." });
