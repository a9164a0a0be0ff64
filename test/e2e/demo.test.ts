// The demo as the README promises it: without a terminal, inside a user's tmux, and on a tmux server of its own.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { TeamEvent } from "../../src/board/event.ts";
import { eventually } from "../scratch.ts";
import { requestsSent } from "../sent-again.ts";
import { type Place, type TeamFiles, teamPlace } from "../team-kit.ts";
import { type Attended, attend } from "./attended.ts";

const green = "66 tests, 66 pass, 0 fail";

it("with --print, and without teams being enabled: green, with the tasks of its script", async () => {
  const place = teamPlace();
  const argv = ["demo", "--print", "--output-format", "stream-json"];
  const run = place.piped(argv, { input: "", env: { TOOL_EXPERIMENTAL_AGENT_TEAMS: "" } });
  expect((await run.ended).code, run.stderr()).toBe(0);
  const lines = run
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ kind }) => kind === "task_completed")).toHaveLength(10);
  expect(lines.filter(({ type }) => type === "result")).toEqual([lines.at(-1)]);
  expect(lines.at(-1)).toMatchObject({ completed: 10, checked: { green: true, summary: green } });
  const team = place.team("demo");
  expect(tasks(team)).toEqual(scriptedTasks());
  // teammates start while the lead plans, so that their panes appear early
  const calls = team.transcript("lead").flatMap((event) => (event.type === "tool_ended" ? event.name : []));
  expect(calls.slice(0, 6).toSorted()).toEqual(["Glob", "Grep", "Read", "SpawnTeammate", "SpawnTeammate", "SpawnTeammate"]);
  // the script accepts any request: whether the provider would is checked afterwards
  const { requests, broken } = requestsSent(place.configDir);
  expect([requests > 50, broken]).toEqual([true, []]);
});

it("attended: a person asks the lead and closes a teammate's pane; its task is handed over and all ends green", async () => {
  const place = teamPlace();
  const team = place.team("demo");
  const seat = await attend(place, ["team", "--demo", "--script", fastScript(place)], { tmux: "outside", team: "demo" });
  const { lost } = await disturb(seat, team, "C-b");
  const isBlocked = (event: TeamEvent) => event.kind === "task_blocked" && event.by === "lead";
  expect(await eventually(() => team.events().find(isBlocked))).toMatchObject({
    task: lost.task,
    assigned_to: lost.name,
    reason: `${lost.name} is gone: its pane was closed; files touched: ${lost.files}`,
  });
  seat.type("how far are we?");
  await eventually(() => seat.screen().includes("This is a scripted demo, so I cannot answer that freely."));

  expect(await eventually(() => seat.code(), 120_000)).toBe(0);
  expect(seat.screen()).toContain(`Meanwhile: ${lost.name} ended: its pane was closed.`);
  expect(seat.screen()).toContain(`Checked: node --test → ${green} (before: 53 tests, 14 pass, 39 fail).`);
  expect(tasks(team)).toEqual(scriptedTasks());
});

it("attended inside a person's tmux: a lost task is handed over, Ctrl-C twice ends it, and the window is the person's again", async () => {
  const place = teamPlace();
  const team = place.team("demo");
  const seat = await attend(place, ["team", "--demo", "--script", fastScript(place)], { tmux: "inside", team: "demo" });
  const { lost, panes } = await disturb(seat, team, "C-a");
  await eventually(() =>
    team.events().some((event) => event.kind === "task_claimed" && event.task === lost.task && event.by !== lost.name),
  );
  seat.press("C-c", "C-c");
  expect(await eventually(() => seat.code())).toBe(130);
  expect(seat.screen()).toMatch(/Checked: node --test → \d+ tests, \d+ pass, \d+ fail \(before: 53 tests, 14 pass, 39 fail\)\./);
  expect(seat.panes()).toEqual([{ id: panes[0]?.id, agent: "", columns: 200, rows: 49 }]);
});

it("a person who detaches leaves a running team with its copy of the program, until it is stopped", async () => {
  const place = teamPlace();
  const team = place.team("demo");
  const seat = await attend(place, ["team", "--demo", "--script", fastScript(place)], { tmux: "outside", team: "demo" });
  await eventually(() => team.tasks().length > 0);
  seat.press("C-b", "d");
  expect(await eventually(() => seat.code())).toBe(0);
  const copy = /^Its copy of the program stays in (.+)$/m.exec(seat.screen())?.[1] ?? "";
  const completions = () => team.events().filter(({ kind }) => kind === "task_completed").length;
  const before = completions();
  await eventually(() => completions() > before);
  expect((await place.warm(["team", "stop", "--team", "demo"]).ended).code).toBe(0);
  expect(existsSync(join(copy, "package.json"))).toBe(true);
  rmSync(dirname(copy), { recursive: true });
});

/** Goes to a teammate's pane and back, and closes the pane of a teammate that is halfway through a task. */
async function disturb(seat: Attended, team: TeamFiles, prefix: string) {
  await eventually(() => halfWay(team));
  const panes = seat.panes();
  const agents = panes.slice(1).map(({ agent }) => agent);
  expect(new Set(agents)).toEqual(new Set(["ada", "bo", "cy"]));
  seat.press(prefix, "Right");
  expect(await eventually(() => panes.slice(1).find(({ id }) => id === activePane(seat)))).toBeDefined();
  seat.press(prefix, "Left");
  await eventually(() => activePane(seat) === panes[0]?.id);
  const lost = await eventually(() => stoppedHalfWay(team)); // until its terminal hangs up
  seat.tmux("kill-pane", "-t", panes.find(({ agent }) => agent === lost.name)?.id ?? "");
  return { lost, panes };
}

function activePane(seat: Attended): string {
  return seat.tmux("display-message", "-p", "#{pane_id}");
}

/** The same, stopped by a signal so that it does not finish. */
function stoppedHalfWay(team: TeamFiles): HalfWay | undefined {
  const found = halfWay(team);
  const pid = found && team.status(found.name)?.pid;
  if (!found || pid === undefined) return undefined;
  process.kill(pid, "SIGSTOP");
  const still = halfWay(team);
  if (still?.name === found.name) return still;
  process.kill(pid, "SIGCONT");
  return undefined;
}

type HalfWay = { name: string; task: string; files: string };

/** A teammate that has written a file for the task that it still holds. */
function halfWay(team: TeamFiles): HalfWay | undefined {
  for (const name of ["ada", "bo", "cy"]) {
    const status = team.status(name);
    const transcript = status?.task ? team.transcript(name) : [];
    const start = transcript.findLastIndex((event) => event.type === "input" && event.inputs.some(({ source }) => source.kind === "task"));
    const files = transcript.slice(start).flatMap((event) => (event.type === "tool_ended" ? event.touched : []));
    if (status?.task && files.length > 0) return { name, task: status.task, files: [...new Set(files)].join(", ") };
  }
  return undefined;
}

/** The demo's own script, faster. */
function fastScript(place: Place): string {
  const script = readFileSync("fixtures/scripts/demo.yaml", "utf8");
  return place.write(
    "demo.yaml",
    script.replace(/^pace: .*$/m, "pace: { first_ms: 100, characters_per_second: 4000 }").replaceAll(/pause_ms: \d+/g, "pause_ms: 50"),
  );
}

function tasks(team: TeamFiles) {
  return team.tasks().map(({ id, title, status, dependencies }) => ({ id, title, status, dependencies }));
}

type Created = { title: string; dependencies?: string[] };

/** The result of every demo: each task that the lead's script creates is completed. */
function scriptedTasks(): ReturnType<typeof tasks> {
  const { scenes }: { scenes: { replies: { calls?: { TaskCreate?: Created }[] }[] }[] } = parse(
    readFileSync("fixtures/scripts/demo.yaml", "utf8"),
  );
  const replies = new Set(scenes.flatMap(({ replies }) => replies)); // two scenes have some in common
  const created = [...replies].flatMap(({ calls = [] }) => calls.flatMap(({ TaskCreate }) => TaskCreate ?? []));
  return created.map(({ title, dependencies = [] }, index) => ({ id: `task-${index + 1}`, title, status: "completed", dependencies }));
}
