// The in-process display as a person uses it: the built program in a real terminal, with typed keys.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { processesOf, teamPlace, tool } from "../team-kit.ts";

const keys = { ctrlO: "\x0f", altOne: "\x1b1", altTwo: "\x1b2" };

it("a teammate is seen at work, asks, is shown, typed to and lost; Ctrl-C twice ends the team", async () => {
  const place = teamPlace({ asked: true });
  const never = gate(text("never"));
  const afterLine = gate(text("The line was seen."));
  const api = await provider({
    lead: [
      [call("SpawnTeammate", { name: "ada" }), call("SpawnTeammate", { name: "bo" })],
      [
        call("TaskCreate", { title: "Parse dates", description: "Do it.", assignee: "ada" }),
        call("TaskCreate", { title: "Parse amounts", description: "Do it.", assignee: "bo" }),
      ],
      text("Both are at work."),
    ],
    ada: [
      [text("I know dates\x1b[2J now."), call("Read", { path: "notes.txt" })],
      call("Bash", { command: "touch made" }),
      afterLine.answer,
      never.answer,
      never.answer,
    ],
    bo: [never.answer],
  });
  place.write("repo/notes.txt", "one\ntwo\n");
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Parse."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 100,
    rows: 34,
  });

  await terminal.shows("Both are at work.");
  await terminal.shows("! ada needs you, above │ ");
  const asked = await terminal.shows("1  once");
  expect(asked.filter((line) => /^! ada asks|1 {2}once|^ {4}touch made/.test(line)).slice(0, 3)).toEqual([
    `! ada asks to run${" ".repeat(100 - 17 - 27)}also on ada's screen: Alt-1`,
    "    touch made",
    expect.stringMatching(/^ {2}❯ 1 {2}once +\d {2}/),
  ]);
  expect(asked.filter((line) => line.startsWith("  ada "))).toEqual([
    "  ada    ▶ task-1  Parse dates",
    "  ada      I know dates\\x1b[2J now.",
    "  ada      Read notes.txt  2 lines",
  ]);
  await eventually(() => terminal.title() === "! ada needs you: Ctrl-O" && terminal.bells() > 0);
  expect(terminal.bells()).toBe(1);

  terminal.type(keys.ctrlO);
  await terminal.shows("\ntask-1  Parse dates\nDo it.\n");
  const question = await terminal.shows("1  once");
  expect(question.at(-1)).toContain("Ctrl-O: back to the lead");
  expect(question.join("\n")).not.toContain("Both are at work.");
  terminal.type("1");
  await eventually(() => existsSync(join(place.repository, "made")) && api.requests("ada").length === 3);

  terminal.resize(60, 20);
  await terminal.shows(`${"─".repeat(60)}\n`);
  terminal.type("hello, ada");
  await terminal.shows("hello, ada");
  terminal.type("\r");
  await terminal.shows("queued: hello, ada");
  afterLine.open();
  await eventually(() => api.requests("ada").length >= 4);
  expect(newest(api.requests("ada")[3] ?? never404())).toContain("hello, ada");
  expect((await terminal.shows("> hello, ada")).filter((line) => line.includes("Parse dates"))).toEqual(["task-1  Parse dates"]);

  terminal.type(keys.altTwo);
  await terminal.shows("task-2  Parse amounts");
  terminal.type(keys.ctrlO);
  await terminal.shows("  ada      > hello, ada");
  await eventually(() => /^0 ?✓ +2 ?▶ │ ada ▶.*1.* │ bo ▶.*2.* │ cost unknown$/.test(terminal.screen().at(-1) ?? ""));
  expect(terminal.everything().filter((line) => /touch made|allowed/.test(line))).toEqual([
    "  ada    · answered in ada's pane: allowed once",
    // The line says how long a command took if that was more than a second.
    expect.stringMatching(/^ {2}ada {6}Bash touch made {2}exit 0( {2}\d+\.\ds)?$/),
  ]);

  terminal.type(keys.altOne);
  await terminal.shows("Ctrl-O: back to the lead");
  process.kill(place.team().status("ada")?.pid ?? 0, "SIGKILL");
  await terminal.shows("ada    · ended while it was shown; back at the lead");
  await terminal.shows("! its process died. Starting it again");
  await eventually(() => api.requests("ada").length >= 5);

  expect(await terminal.leave()).toBe(130);
  expect(terminal.everything().slice(-4).join(" ")).toMatch(/Timeline: .* team report --team +atlas +Resume: .* team --resume +atlas$/);
  await eventually(() => processesOf(place.folder).length === 0);
});

it("printed, it reports the team's events but not each teammate's calls", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      text("Started."),
      text("All done."),
    ],
    ada: [call("Glob", { pattern: "*" }), call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." }), text("Done.")],
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env: api.env });
  expect((await run.ended).code).toBe(0);
  const said = run
    .output()
    .split("\n")
    .filter((line) => /^\d\d:\d\d/.test(line))
    .map((line) => line.slice(6));
  // The teammate is started first. The lead hears of it while ada claims its task: two processes, in either order.
  expect([said.slice(0, 3).toSorted(), ...said.slice(3)]).toEqual([
    ["ada claimed task-1 Only task", "ada started", "lead created task-1 Only task"],
    "ada completed task-1: Done. (no test was run)",
    "ada ended: stopped",
  ]);
});

function never404(): never {
  throw new Error("There is no such request");
}
