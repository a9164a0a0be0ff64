// A disk that is full for a moment: sessions and teams wait for space, say so, and continue without losing anything.
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually, fill, smallDisk } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "--allow", "Bash", "--allow", "Edit", "Do it."];
const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: "Done." });
const spawn = (name: string) => call("SpawnTeammate", { name });
/** More than the free space in the last block of a file. */
const long = "x".repeat(10_000);

describe.skipIf(await lacks("a file system of its own"))("a full disk", () => {
  it("keeps a team waiting, lead and teammates, while they work and while one is started: nothing is lost", async () => {
    const place = teamPlace();
    smallDisk("size=4m", place.configDir);
    const [leadWaits, adaWaits] = [
      gate([text(long), spawn("bo"), call("TaskCreate", { title: "Two", assignee: "bo" })]),
      gate([text(long), call("Bash", { command: "echo run >> runs" })]),
    ];
    const api = await provider({
      lead: [[call("TaskCreate", { title: "One" }), spawn("ada")], leadWaits.answer, text("Both are at work."), text("Reported.")],
      ada: [adaWaits.answer, completed("task-1"), text("Done.")],
      bo: [completed("task-2"), text("Done.")],
    });
    const run = place.tool(print, { env: api.env });
    await eventually(() => api.requests("ada").length === 1 && api.requests("lead").length === 2);
    const makeRoom = fill(place.configDir);
    leadWaits.open();
    adaWaits.open();
    await eventually(() => run.output().includes("The disk is full: waiting"));
    expect([api.requests("ada").length, api.requests("lead").length]).toEqual([1, 2]);
    makeRoom();
    const { code } = await run.ended;
    expect({ code, output: code === 0 ? "" : run.output() }).toEqual({ code: 0, output: "" });
    expect(run.output()).toContain("The disk accepts writes again; continuing.");
    const tasks = place.team().tasks();
    expect(tasks.map(({ status, assigned_to }) => `${status} ${assigned_to}`).sort()).toEqual(["completed ada", "completed bo"]);
    expect(["lead", "ada", "bo"].map((agent) => firstThatDoesNotExtend(api.requests(agent)))).toEqual([undefined, undefined, undefined]);
  });

  it("does not keep a team from ending when it is interrupted: it says that its last writes are missing", async () => {
    const place = teamPlace();
    smallDisk("size=4m", place.configDir);
    const waits = gate(text(long));
    const api = await provider({
      lead: [[call("TaskCreate", { title: "One" }), spawn("ada")], waits.answer],
      ada: [gate(text("never")).answer],
    });
    const run = place.tool(print, { env: api.env });
    await eventually(() => api.requests("ada").length === 1 && api.requests("lead").length === 2);
    const makeRoom = fill(place.configDir);
    waits.open();
    await eventually(() => run.output().includes("The disk is full: waiting"));
    process.kill(run.pid, "SIGINT");
    expect((await run.ended).code).toBe(1);
    expect(run.output()).toMatch(
      /^tool: [Tt]he last (\d+ )?writes? of this session failed, because the disk refuses them \(the disk is full\): /m,
    );
    makeRoom();
  });

  it("is left as it was by a session that cannot start on it", async () => {
    const place = teamPlace();
    smallDisk("size=1m", place.configDir);
    const api = await provider({ tool: [text("Done.")] });
    const start = () => place.piped(["--print", "Go."], { env: api.env, input: "" });
    expect((await start().ended).code).toBe(0);
    const all = () => readdirSync(place.configDir, { recursive: true }).map(String);
    const before = all();
    const makeRoom = fill(place.configDir);
    const filled = all().filter((path) => !before.includes(path));
    for (const run of [start(), start()]) {
      expect((await run.ended).code, run.stderr()).toBe(1);
      expect(run.stderr()).toContain("the disk is full");
    }
    const left = all().filter((path) => !before.includes(path) && !filled.includes(path));
    makeRoom();
    expect(left).toEqual([]);
  });

  it("keeps a session on a screen waiting, with the lines that are typed meanwhile", async () => {
    const place = teamPlace();
    smallDisk("size=4m", place.configDir);
    const api = await provider({ tool: [text("First answer."), text("Second answer.")] });
    const terminal = personsTerminal(tool, { env: { ...place.env, ...api.env }, cwd: place.repository, columns: 120, rows: 30 });
    await terminal.shows("───");
    terminal.type("one\r");
    await terminal.shows("First answer.");
    const makeRoom = fill(place.configDir);
    terminal.type(`${"long ".repeat(1_700)}\r`); // more than the free space in the last block of a file
    await terminal.shows("The disk is full: waiting");
    makeRoom();
    await terminal.shows("Second answer.");
    expect(await terminal.leave()).toBe(0);
  });

  it("keeps a session waiting, which says so on standard error", async () => {
    const place = teamPlace();
    smallDisk("size=4m", place.configDir);
    const waits = gate(text(long));
    const api = await provider({ tool: [waits.answer] });
    const run = place.piped(["--print", "Go."], { env: api.env, input: "" });
    await eventually(() => api.requests("tool").length >= 1);
    const makeRoom = fill(place.configDir);
    waits.open();
    await eventually(() => run.stderr().includes("The disk is full: waiting"));
    makeRoom();
    expect([(await run.ended).code, run.stdout()]).toEqual([0, `${long}\n`]);
    expect(run.stderr()).toContain("The disk accepts writes again; continuing.\n");
  });
});
