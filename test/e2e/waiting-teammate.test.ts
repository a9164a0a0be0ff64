// A teammate that takes no more tasks, because somebody stopped it or its model failed: every view of the team says so.
import { expect, it } from "vitest";
import { call, gate, newest, provider } from "../cast.ts";
import { refusal, text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";
import { attend } from "./attended.ts";

const keys = { altOne: "\x1b1", ctrlO: "\x0f", escape: "\x1b" };

const oneTask = [
  call("TaskCreate", { title: "Parse dates", description: "Do it." }),
  call("SpawnTeammate", { name: "ada", prompt: "You know dates." }),
];
const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Parsed." });

async function printed(place: Place, args: string[]): Promise<string> {
  const program = place.warm(args);
  await program.ended;
  return program.output();
}

it("an interrupted teammate is shown as waiting everywhere, and continues with what is typed", async () => {
  const place = teamPlace();
  const [never, last] = [gate(text("never")), gate(text("Done."))];
  const api = await provider({
    lead: [oneTask, text("ada is at work."), text("Parsed by ada.")],
    ada: [never.answer, completed, last.answer],
  });
  const env = { ...place.env, ...api.env };
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Parse."], {
    env,
    cwd: place.repository,
    columns: 140,
    rows: 30,
  });
  await terminal.shows("ada is at work.");
  await eventually(() => api.requests("ada").length >= 1);
  const rung = terminal.bells();
  terminal.type(keys.altOne);
  await terminal.shows("Ctrl-O: back to the lead");
  terminal.type(keys.escape);
  await terminal.shows("ada ! waits for you │ task-1 type here to continue");
  terminal.type(keys.ctrlO);
  await terminal.shows("  ada    ! waits for you: interrupted, with task-1 in progress");
  const screen = await terminal.shows("! ada waits for you: Ctrl-O │ 0 ✓  1 ▶");
  expect(screen.at(-1)).toContain("ada ! waits for you task-1");
  await eventually(() => terminal.title() === "! ada waits for you: Ctrl-O");
  expect(terminal.bells() - rung).toBe(1);

  expect(await printed(place, ["team", "status"])).toMatch(
    /^ada +! waits for you +\S+ +task-1 .* interrupted: type in its pane to continue$/m,
  );
  await eventually(() => place.team().status("lead")?.stalled?.length === 1); // the lead has looked
  const { members, stalled } = JSON.parse(await printed(place, ["team", "status", "--json"]));
  expect(members[1]).toMatchObject({ name: "ada", state: "waiting_person", how: "interrupted", task: "task-1" });
  expect(stalled).toEqual(["task-1 is in progress with ada, who waits for the user."]);
  expect(api.requests("lead").length).toBe(2);

  terminal.type(keys.ctrlO);
  await terminal.shows("Ctrl-O: back to the lead");
  terminal.type("use ISO\r");
  await eventually(() => place.team().tasks()[0]?.status === "completed");
  // A completed task is no longer worked on, though the teammate's last text is still to arrive.
  await eventually(() => place.team().status("ada")?.task === null && place.team().status("ada")?.state === "working");
  last.open();
  await eventually(() => api.requests("lead").length >= 3);
  const told = newest(api.requests("lead")[2]);
  expect(told.match(/ada waits for the user: interrupted\. task-1 \(Parse dates\) stays in_progress with it\./g)).toHaveLength(1);
  expect(newest(api.requests("ada")[1])).toContain("use ISO");
  terminal.type(keys.ctrlO);
  await terminal.shows("Parsed by ada.");
  await terminal.shows("Team atlas so far: 1 of 1 tasks in");
  await terminal.shows("The task is completed. Type to continue, Ctrl-C twice to end.");
  await eventually(() => terminal.title() === "team atlas");
  expect(await terminal.leave()).toBe(0);
});

it("in tmux the title of its pane says so too, and of a model that failed", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [oneTask, text("ada is at work."), text("ada cannot go on.")],
    ada: [refusal(400, "invalid_request_error", "no such thing")],
  });
  const seat = await attend(place, ["team", "--display", "tmux", "Parse."], { tmux: "inside", team: "atlas", env: api.env });
  const label = () => seat.tmux("list-panes", "-a", "-F", "#{@tool_label}").split("\n").at(-1);
  await eventually(() => label() === "ada ! waits for you task-1 Parse dates");
  await eventually(() => seat.screen().includes("! ada waits for you, in its pane"));
  await eventually(() => api.requests("lead").length >= 3);
  expect(newest(api.requests("lead")[2])).toContain("task-1 (Parse dates) is blocked");
  await eventually(() => place.team().status("lead")?.state === "idle");
  seat.press("C-c", "C-c");
  await eventually(() => seat.code() !== undefined);
});
