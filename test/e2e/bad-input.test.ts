// Mistakes of a model and failures of the file system reach the model as error results, and the team continues.
import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { call, gate, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually, smallDisk } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });
const create = call("TaskCreate", { title: "Only task", description: "Do it." });
const spawn = (name: string) => call("SpawnTeammate", { name });

it("names that a teammate cannot have are refused one by one, and the one that can is started", async () => {
  const place = teamPlace();
  const names = ["", "a/b", "../up", "x".repeat(200), "zoë", "Ada", "lead", "user", "ada", "ada"];
  const api = await provider({
    lead: [[create], names.map(spawn), text("ada is at work."), text("Reported.")],
    ada: [completed, text("Done.")],
  });
  const run = place.warm(["team", "--print", "--display", "in-process", "Do it."], { env: api.env });
  expect((await run.ended).code).toBe(0);
  const rule = "a name is 1 to 40 of a-z, 0-9 and -, starting with a letter or a digit";
  expect(toolResults(api.requests("lead")[2])).toEqual([
    `Cannot name a teammate with an empty name: ${rule}`,
    `Cannot name a teammate "a/b": ${rule}`,
    `Cannot name a teammate "../up": ${rule}`,
    `Cannot name a teammate "${"x".repeat(60)}" … (200 characters): ${rule}`,
    `Cannot name a teammate "zo\\u{eb}": ${rule}`,
    `Cannot name a teammate "Ada": ${rule}`,
    'Cannot name a teammate "lead": it is the lead\'s name',
    'Cannot name a teammate "user": it means the person at the keyboard',
    "ada has started.",
    'Cannot name a teammate "ada": the team has or had a member of that name, and names are not used again',
  ]);
  expect(
    place
      .team()
      .record()
      ?.members.map(({ name }) => name),
  ).toEqual(["lead", "ada"]);
});

it("a working directory that is removed while the team runs", async () => {
  const place = teamPlace();
  const gone = gate([call("Bash", { command: "ls" }), call("Read", { path: "a.txt" })]);
  const more = gate([spawn("bo"), call("Glob", { pattern: "*" })]);
  const api = await provider({
    lead: [[create, spawn("ada")], more.answer, text("Only ada."), text("Reported.")],
    ada: [gone.answer, completed, text("Done.")],
  });
  const run = place.warm(["team", "--print", "--display", "tmux", "--allow", "Bash", "--allow", "Write", "Do it."], { env: api.env });
  await eventually(() => api.requests("ada").length >= 1);
  rmSync(place.repository, { recursive: true });
  more.open();
  await eventually(() => api.requests("lead").length >= 3);
  gone.open();
  expect((await run.ended).code).toBe(1); // bo did not start
  expect([...toolResults(api.requests("lead")[2]), ...toolResults(api.requests("ada")[1])]).toEqual([
    `Cannot start bo in ${place.repository}: there is no such directory. Create it, or start the team elsewhere.`,
    'Cannot find "*" in ".": there is no such folder.',
    `Cannot run the command: the working directory ${place.repository} is gone.`,
    'Cannot read "a.txt": there is no such file. Use Glob to find it.',
  ]);
});

const noSandbox = await lacks("sandbox");
const wall =
  "\n[in the sandbox only the working directory and /tmp can be written, without protected files. The person can open another folder, such as a package manager's: /add-dir in a session, or --add-dir]\n";

it.skipIf(await lacks("a file system of its own"))("a working directory that cannot be written", async () => {
  const place = teamPlace();
  const disk = smallDisk("size=64k");
  disk.remount("ro");
  const api = await provider({
    lead: [[create, spawn("ada")], text("ada is at work."), text("Reported.")],
    ada: [[call("Write", { path: "a.txt", content: "a" }), call("Bash", { command: "echo b > b.txt" })], completed, text("Done.")],
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "--allow", "Bash", "--allow", "Write", "Do it."], {
    env: api.env,
    cwd: disk.folder,
  });
  expect((await run.ended).code).toBe(0);
  expect(toolResults(api.requests("ada")[1])).toEqual([
    'Cannot write "a.txt": the file system is read-only.',
    `bash: line 1: b.txt: Read-only file system\n${noSandbox ? "" : wall}[exit 1]`,
  ]);
});

it("a call that needs an answer is refused if nobody is attached, naming the rule that would allow it", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({
    lead: [[create, spawn("ada")], text("ada is at work."), text("Reported.")],
    ada: [[call("Bash", { command: "touch x" }), call("Write", { path: "a.txt", content: "a" })], completed, text("Done.")],
  });
  const run = place.warm(["team", "--print", "--display", "tmux", "Do it."], { env: api.env });
  expect((await run.ended).code).toBe(3);
  const missing = "Permission denied: Permission is missing and nobody can be asked here: no rule allows it.";
  expect(toolResults(api.requests("ada")[1])).toEqual([
    `${missing} It would be allowed by --allow 'Bash(touch x)', or with others like it by --allow 'Bash(touch *)'.`,
    `${missing} It would be allowed by --allow 'Edit(./a.txt)'.`,
  ]);
});
