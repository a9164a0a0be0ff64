// Two teammates and one file of their shared tree: who may edit it, who is told about it, and what the lead's decision changes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "--allow", "Write", "--allow", "Bash(git *)", "Do it."];
const task = (title: string, assignee: string) => call("TaskCreate", { title, assignee });
const write = (content: string) => call("Write", { path: "shared.js", content });
const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: "Written." });

it("the later task's edit is refused until the lead gives it the file, and new files are announced", async () => {
  const place = teamPlace();
  const [adaIsThere, leadHasDecided, boIsDone] = [
    gate([write("bo\n"), call("Bash", { command: "git stash" })]),
    gate(call("Read", { path: "shared.js" })),
    gate(completed("task-1")),
  ];
  const api = await provider({
    lead: [
      ["ada", "bo"].map((name) => call("SpawnTeammate", { name })),
      [task("One", "ada"), task("Two", "bo"), call("TaskCreate", { title: "Three", files: ["../other.js"] })],
      text("Both are at work."),
      call("TaskUpdate", { id: "task-2", files: ["shared.js"] }),
      text("bo has it."),
      text("Reported."),
    ],
    ada: [write("ada\n"), boIsDone.answer, text("Done.")],
    bo: [adaIsThere.answer, leadHasDecided.answer, write("bo\n"), completed("task-2"), text("Done.")],
  });
  const run = place.warm(print, { env: api.env });
  await eventually(() => api.requests("ada").length === 2 && api.requests("bo").length === 1);
  adaIsThere.open();
  await eventually(() => api.requests("lead").length >= 5);
  leadHasDecided.open();
  await eventually(() => api.requests("bo").length >= 4);
  boIsDone.open();
  expect(await run.ended).toMatchObject({ code: 3 }); // because of the stash, about which nobody could be asked
  const [second, , fourth] = api.requests("bo").slice(1);
  const conversation = (name: string) => JSON.stringify(api.requests(name).at(-1)?.body.messages);
  expect(toolResults(api.requests("lead")[2])[2]).toContain('"../other.js" is not below the working directory');
  expect(toolResults(second)).toEqual([
    expect.stringContaining("Cannot edit shared.js: task-1 (ada) is in progress and has it first."),
    expect.stringContaining("it changes a working tree that others are working in"),
  ]);
  expect(conversation("bo")).toContain("New files of other teammates, theirs to change and yours to use:\\n- shared.js (ada, task-1)");
  expect(conversation("bo")).toContain("My task-1 has shared.js first");
  expect(conversation("lead")).toContain("task-1 (ada) and task-2 (bo) are both in progress and change shared.js");
  expect(conversation("ada")).toContain("My task-2 also changes shared.js");
  expect([toolResults(fourth), readFileSync(join(place.repository, "shared.js"), "utf8")]).toEqual([
    [expect.stringContaining("Replaced shared.js")],
    "bo\n",
  ]);
});
