// Files that the program keeps about people's work are readable only by their owner, whatever the umask at its start.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { start } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

it.each(["000", "027"])("every file below the configuration folder is 0600 in folders of 0700, under umask %s", async (umask) => {
  const place = teamPlace();
  const long = "for n in $(seq 20000); do echo $n; done";
  const api = await provider({
    lead: [
      [call("SpawnTeammate", { name: "ada" }), call("TaskCreate", { title: "One", assignee: "ada" })],
      text("At work."),
      text("Reported."),
    ],
    ada: [
      [call("Bash", { command: long }), call("SendMessage", { to: "lead", text: "Hello." })],
      [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." })],
      text("Done."),
    ],
  });
  const argv = [...tool, "team", "--print", "--display", "in-process", "--allow", "Bash", "Do it."];
  const run = start(["sh", "-c", `umask ${umask}; exec "$@"`, "sh", ...argv], { env: { ...place.env, ...api.env }, cwd: place.repository });
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const found = modes(place.configDir);
  expect(found.filter(({ mode }) => mode !== "600" && mode !== "700")).toEqual([]);
  expect(found.filter(({ mode, path }) => mode === "700" && !lstatSync(path).isDirectory())).toEqual([]);
  // At least transcripts, the list, mail and the log.
  expect(found.length).toBeGreaterThan(15);
});

function modes(path: string): { path: string; mode: string }[] {
  const stats = lstatSync(path);
  const here = { path, mode: (stats.mode & 0o777).toString(8) };
  if (stats.isSymbolicLink()) return []; // a link has no mode of its own
  if (!stats.isDirectory()) return [here];
  return [here, ...readdirSync(path).flatMap((name) => modes(join(path, name)))];
}
