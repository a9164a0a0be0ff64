// A running command's output is shown while it runs, in a session and in a teammate's pane, and goes nowhere else.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { attend } from "./attended.ts";

const command = `printf 'one\\ntwo\\nthree\\n'; until test -e go; do sleep 0.1; done; printf '# tests 31\\n# pass 31\\n# fail 0\\n'`;
const allowed = ["--allow", `Bash(${command})`];

it("in a session: the last lines below the call, and its counts when it has ended", async () => {
  const place = teamPlace();
  const api = await provider({ tool: [call("Bash", { command }), text("Green.")] });
  const seat = personsTerminal([...tool, ...allowed, "Test it."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 80,
    rows: 24,
  });
  await seat.shows("│ three");
  const screen = seat.screen();
  const first = screen.indexOf("      │ one");
  expect(screen.slice(first, first + 3)).toEqual(["      │ one", "      │ two", "      │ three"]);
  writeFileSync(join(place.repository, "go"), "");
  await seat.shows("Green.");
  expect(seat.everything().filter((line) => line.includes("│ "))).toEqual([seat.screen().at(-1)]);
  expect(seat.everything().join("\n")).toContain("✓ 31 passed");
  await seat.leave();
});

it("in a teammate's pane", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Test", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      text("Started."),
      text("All green."),
    ],
    ada: [call("Bash", { command }), call("TaskUpdate", { id: "task-1", status: "completed", summary: "Green." }), text("Done.")],
  });
  const seat = await attend(place, ["team", ...allowed, "Test it."], { tmux: "inside", team: "atlas", env: api.env });
  const pane = () => seat.panes().find(({ agent }) => agent === "ada")?.id ?? "";
  await eventually(
    () => pane() !== "" && seat.tmux("capture-pane", "-p", "-t", pane()).includes("      │ one\n      │ two\n      │ three"),
  );
  writeFileSync(join(place.repository, "go"), "");
  await eventually(() => place.team().tasks()[0]?.status === "completed");
  await eventually(() => seat.screen().includes("All green."));
  seat.press("C-c", "C-c");
  await eventually(() => seat.code() === 0);
});
