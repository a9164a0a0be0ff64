// How a person who looks elsewhere learns that they are needed: by the program that their settings name, once for each question.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { skipWithoutTmux } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";
import { attend } from "./attended.ts";
import { choose } from "./choose.ts";

/** Appends its argument and its input to a file in the person's home. */
const noting = ["/bin/sh", "-c", 'printf "%s %s\\n" "$1" "$(cat)" >> "$HOME/told"', "sh"];

function tellBy(there: Place, settings: Record<string, unknown>): void {
  writeFileSync(join(there.configDir, "settings.json"), JSON.stringify({ sandbox: { autoAllow: false }, ...settings }));
}

function told(there: Place): string[] {
  const path = join(there.env["HOME"]!, "told");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

it("runs the person's program instead of the bell, once for each question, with a text and facts", async () => {
  const api = await provider({ tool: [call("Bash", { command: "touch one" }), text("Done.")] });
  const there = teamPlace({ asked: true });
  tellBy(there, { notify: "command", notifyCommand: noting });
  const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 80, rows: 24 });
  await seat.shows("/help");
  seat.type("go\r");
  await seat.shows("touch one");
  await eventually(() => told(there).length > 0);
  const [line = ""] = told(there);
  const words = "tool needs your permission: Bash ";
  expect(line.slice(0, words.length)).toBe(words);
  expect(JSON.parse(line.slice(words.length))).toEqual({
    version: 1,
    kind: "question",
    text: words.trim(),
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    agent: "tool",
    team: null,
    folder: there.repository,
  });
  await choose(seat, "1");
  await seat.shows("Done.");
  expect([told(there).length, seat.bells()]).toEqual([1, 0]);
  await seat.leave();
});

it("says once that the program fails, and asks all the same", async () => {
  const api = await provider({ tool: [call("Bash", { command: "touch one" }), call("Bash", { command: "touch two" }), text("Done.")] });
  const there = teamPlace({ asked: true });
  tellBy(there, { notify: "command", notifyCommand: ["/bin/sh", "-c", "echo no display >&2; exit 3"] });
  const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 80, rows: 24 });
  await seat.shows("/help");
  seat.type("go\r");
  await seat.shows("You could not be notified: exit code 3: no display.");
  await choose(seat, "1");
  await seat.shows("touch two");
  await choose(seat, "1");
  await seat.shows("Done.");
  expect(
    seat
      .everything()
      .join("\n")
      .match(/could not be notified/g),
  ).toHaveLength(1);
  await seat.leave();
});

it("tells once of a teammate's question, which is open in two panes", async () => {
  skipWithoutTmux();
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })], text("ada works.")],
    ada: [call("Bash", { command: "touch one" }), text("Done.")],
  });
  const there = teamPlace({ asked: true });
  tellBy(there, { notify: "command", notifyCommand: noting });
  const person = await attend(there, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  await eventually(() => person.screen().includes("also in ada's pane") && told(there).length > 0);
  person.press("1");
  await eventually(() => existsSync(join(there.repository, "one")));
  const asked = told(there).filter((line) => line.includes('"kind":"question"'));
  expect(asked).toEqual([expect.stringMatching(/^ada needs your permission: Bash .*"agent":"ada","team":"atlas"/)]);
  person.press("C-c", "C-c");
  await eventually(() => person.code() !== undefined);
});
