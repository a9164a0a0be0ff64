// tmux exits, or has hardly any space, while a team runs.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";
import { attend } from "./attended.ts";

const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });
const lead: Part = [
  [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
  text("ada is at work."),
  text("Reported."),
];

it("the server of an unattended team is killed: the teammate is started again on a new one and finishes", async () => {
  const place = teamPlace();
  const api = await provider({ lead, ada: [never, completed, text("Done.")] });
  const run = place.tool(["team", "--print", "--display", "tmux", "Do it."], { env: api.env });
  await eventually(() => api.requests("ada").length >= 1);
  killServer(place);
  expect((await run.ended).code).toBe(0);
  expect(run.output()).toMatch(/ ada: ended by SIGHUP\. Starting it again; it keeps its task\.\n\d\d:\d\d /);
});

it("the server of an attended team is killed: the team ends, its task is blocked, and the terminal is given back with a report", async () => {
  const place = teamPlace();
  const api = await provider({ lead, ada: [never] });
  const seat = await attend(place, ["team", "Do it."], { tmux: "outside", team: "atlas", env: api.env });
  await eventually(() => api.requests("ada").length >= 1);
  killServer(place);
  expect(await eventually(() => seat.code())).toBe(130);
  expect(seat.screen()).toContain("Team atlas ended: 0 of 1 tasks");
  expect(
    place
      .team()
      .tasks()
      .map(({ status }) => status),
  ).toEqual(["blocked"]);
});

it("a pane closed in the middle of a tool call: its task is blocked with what it touched, its children are ended, and another goes on", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [
      ...lead.slice(0, 2),
      [call("TaskUpdate", { id: "task-1", status: "open" }), call("SpawnTeammate", { name: "bo" })],
      text("bo goes on."),
      text("Reported."),
    ],
    ada: [
      [call("Write", { path: "half.txt", content: "half" }), call("Bash", { command: "trap '' HUP TERM; setsid sleep 1001 & sleep 1002" })],
    ],
    bo: [completed, text("Done.")],
  });
  const args = ["team", "--allow", "Bash", "--allow", "Write", "Do it."];
  const seat = await attend(place, args, { tmux: "inside", team: "atlas", env: api.env });
  await eventually(() => children(place).length === 2);
  seat.tmux("kill-pane", "-t", seat.panes().find(({ agent }) => agent === "ada")?.id ?? "");
  const reason = "ada is gone: its pane was closed; files touched: half.txt";
  await eventually(() =>
    place
      .team()
      .events()
      .some((event) => event.kind === "task_blocked" && event.reason === reason),
  );
  await eventually(() => seat.screen().includes("Reported.") && place.team().status("lead")?.state === "idle");
  expect(place.team().tasks()).toMatchObject([{ status: "completed", assigned_to: "bo" }]);
  await eventually(() => children(place).length === 0);
  seat.press("C-c", "C-c");
  expect(await eventually(() => seat.code())).toBe(0);
});

it("a terminal of 30 × 6 is enough to see states, to type and to leave; no pane is squeezed into it", async () => {
  const place = teamPlace();
  const api = await provider({ lead, ada: [never] });
  const seat = await attend(place, ["team", "Do it."], { tmux: "inside", team: "atlas", env: api.env, columns: 30, rows: 6 });
  await eventually(() => /0 ?✓ +1 ?▶.*ada ▶/.test(seat.screen()));
  expect(seat.panes().map(({ agent, columns }) => [agent, columns])).toEqual([
    ["", 30],
    ["ada", 30],
  ]);
  expect(seat.tmux("list-windows", "-F", "#{window_index} #{window_panes} #{window_active}")).toBe("1 1 1\n2 1 0");
  seat.type("still there?");
  await eventually(() => api.requests("lead").length === 3 && place.team().status("lead")?.state === "idle");
  seat.press("C-c", "C-c");
  expect(await eventually(() => seat.code())).toBe(130);
});

const never = gate(text("never")).answer;

function children(place: Place): string[] {
  return processesOf(place.folder).flatMap(({ command }) => (/^sleep 100[12]/.test(command) ? command : []));
}

function killServer(place: Place): void {
  execFileSync("tmux", ["-S", join(place.env["TMUX_TMPDIR"]!, `tmux-${process.getuid?.()}`, "tool-atlas"), "kill-server"]);
}
