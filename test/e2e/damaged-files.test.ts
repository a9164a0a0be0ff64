// Damaged files of a running team are reported once and never overwritten, and the team continues once they are repaired. Also disks that
// fail under a running team.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually, smallDisk } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "Do it."];
const spawn = call("SpawnTeammate", { name: "ada" });
const create = (title: string) => call("TaskCreate", { title });
const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: "Done." });

it("tasks.json is truncated: agents are refused and the person is told once, until `task restore` brings it back", async () => {
  const place = teamPlace();
  const list = join(place.team().folder, "tasks.json");
  const [whileDamaged, whenRestored] = [gate([completed("task-1"), call("TaskList", {})]), gate(text("I wait for the list."))];
  const api = await provider({
    lead: [[create("Only task"), spawn], text("ada is at work."), text("Reported.")],
    ada: [whileDamaged.answer, whenRestored.answer, completed("task-1"), text("Done.")],
  });
  const run = place.warm(print, { env: api.env });
  await eventually(() => api.requests("ada").length >= 1);
  const damaged = readFileSync(list, "utf8").slice(0, 40);
  writeFileSync(list, damaged);
  whileDamaged.open();
  await eventually(() => api.requests("ada").length >= 2);
  const said = `Cannot read the task list: ${list} is not JSON (Unterminated string in JSON at position 40). The file is kept; restore the version before it with: tool team task restore --team atlas`;
  expect(toolResults(api.requests("ada")[1])).toEqual([1, 2].map(() => `${said} (list_damaged)`));
  expect(readFileSync(list, "utf8")).toBe(damaged);

  expect((await place.warm(["team", "task", "restore"]).ended).code).toBe(0);
  whenRestored.open();
  expect((await run.ended).code).toBe(0);
  expect(readFileSync(`${list}.damaged-1`, "utf8")).toBe(damaged);
  expect(run.output().split(said).length - 1).toBe(1);
  expect(newest(api.requests("ada").at(-2))).toContain("You now hold task-1: Only task");
});

it("tasks.json is edited to contain a cycle: the lead is told which tasks it has, breaks it, and all is done", async () => {
  const place = teamPlace();
  const list = join(place.team().folder, "tasks.json");
  const first = gate(completed("task-1"));
  const api = await provider({
    lead: [
      [create("One"), create("Two"), create("Three"), spawn],
      text("ada is at work."),
      call("TaskUpdate", { id: "task-2", dependencies: [] }),
      text("The ring is open."),
      text("Reported."),
    ],
    ada: [first.answer, text("Done."), completed("task-2"), text("Done."), completed("task-3"), text("Done.")],
  });
  const run = place.warm(print, { env: api.env });
  await eventually(() => api.requests("ada").length === 1 && place.team().tasks().length === 3); // ada starts while the tasks are created
  const edited = JSON.parse(readFileSync(list, "utf8"));
  edited.tasks[1].dependencies = ["task-3"];
  edited.tasks[2].dependencies = ["task-2"];
  writeFileSync(list, JSON.stringify(edited));
  first.open();
  expect((await run.ended).code).toBe(0);
  expect(newest(api.requests("lead")[2])).toContain("- task-2 → task-3 → task-2 is a cycle: each depends on the next.");
  expect(
    place
      .team()
      .tasks()
      .map(({ status }) => status),
  ).toEqual(["completed", "completed", "completed"]);
});

it("files in a mailbox that are not messages are set aside and reported once; messages arrive", async () => {
  const place = teamPlace();
  const mailbox = (file: string) => join(place.team().folder, "mailbox/ada", file);
  const first = gate([completed("task-1")]);
  const api = await provider({
    lead: [[create("Only task"), spawn], text("ada is at work."), text("Reported.")],
    ada: [first.answer, text("Done.")],
  });
  const run = place.warm(print, { env: api.env });
  await eventually(() => api.requests("ada").length >= 1);
  writeFileSync(mailbox("new/0-cut.json"), '{ "id": "0-c');
  writeFileSync(mailbox("new/1-other.json"), '{ "id": "1-other" }');
  await place.warm(["team", "send", "ada", "By the way: the tests are in test/."]).ended;
  first.open();
  expect((await run.ended).code).toBe(0);
  expect(readdirSync(mailbox("bad"))).toEqual(["0-cut.json", "1-other.json"]);
  expect(run.output().match(/ada cannot read the message .*/g)).toEqual([
    expect.stringMatching(/bad\/0-cut\.json: Unterminated string in JSON/),
    expect.stringMatching(/bad\/1-other\.json: "from" is missing/),
  ]);
  expect(newest(api.requests("ada")[1])).toContain('<message from=\\"user\\">\\nBy the way: the tests are in test/.');
});

it.skipIf(await lacks("a file system of its own"))(
  "the disk of the configuration becomes read-only: the team ends once, with the reason, and its list stays whole",
  async () => {
    const place = teamPlace();
    const disk = smallDisk("size=1m");
    const first = gate(completed("task-1"));
    const api = await provider({ lead: [[create("Only task"), spawn], text("ada is at work.")], ada: [first.answer] });
    const env = { ...api.env, TOOL_CONFIG_DIR: disk.folder };
    const run = place.warm(["team", "--print", "--display", "in-process", "Do it."], { env });
    await eventually(
      () => api.requests("lead").length === 2 && api.requests("ada").length === 1 && run.output().includes("ada claimed task-1"),
    );
    disk.remount("ro");
    first.open();
    expect((await run.ended).code, run.output()).toBe(1);
    const advice = `Sessions and teams are kept in ${disk.folder}: make it writable,`;
    expect(run.output().match(/^tool: .*$/gm)).toEqual([
      expect.stringMatching(`^tool: cannot use .*: the file system is read-only\\. ${advice}`),
    ]);
    expect([api.requests("lead").length, api.requests("ada").length]).toEqual([2, 1]);

    disk.remount("rw");
    const list = place.warm(["team", "tasks", "--json"], { env });
    await list.ended;
    expect(JSON.parse(list.output()).tasks).toMatchObject([{ id: "task-1", status: "in_progress", assigned_to: "ada" }]);
  },
);
