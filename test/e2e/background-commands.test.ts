// Background commands in the built program: their output is read, they are ended, the model hears of their end, and none outlives its
// session.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, newest, provider, toolResults } from "../cast.ts";
import { type RecordedRequest, text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, type Place, processesOf, teamPlace, tool } from "../team-kit.ts";

const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const server = `echo ready; echo ${secret}; echo port 1; touch up; while :; do sleep 1; done`;
const endless = "yes noise";
const short = "touch over; exit 3";
const allow = [server, endless, short].flatMap((command) => ["--allow", `Bash(${command})`]);

/** The commands as recorded in commands.json. */
function recorded({ configDir }: Place): { id: string; state: string }[] {
  const projects = join(configDir, "projects");
  const file = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/commands.json"));
  return file === undefined ? [] : JSON.parse(readFileSync(join(projects, file), "utf8")).commands;
}

it("reads new output without secrets, ends what it is told to, and leaves nothing when a printed session ends", async () => {
  const there = teamPlace();
  const isThere = (name: string) => eventually(() => existsSync(join(there.repository, name)));
  const files: string[] = [];
  const api = await provider({
    tool: [
      [call("Bash", { command: server, background: true }), call("Bash", { command: endless, run_in_background: true })],
      async (request) => {
        files.push(...toolResults(request).map((result) => /Its output goes to (.+)\.$/.exec(result)?.[1] ?? ""));
        await eventually(() => statSync(files[1]!).size > 10 * 1024 * 1024, 90_000);
        await isThere("up");
        return call("BashOutput", { id: "bash-1" });
      },
      call("BashOutput", { id: "bash-1" }),
      call("BashOutput", { bash_id: "bash-2", filter: "bytes cut" }),
      call("BashOutput", { id: "bash-9" }),
      call("BashOutput", { id: "bash-2", filter: "(" }),
      [call("KillBash", { id: "bash-1" }), call("KillBash", { id: "bash-1" })],
      call("Bash", { command: short, background: true }),
      ...Array(500).fill((request: RecordedRequest) =>
        JSON.stringify(request.body.messages).includes("It has ended") ? text("Done.") : call("Glob", { pattern: "over" }),
      ),
    ],
  });
  const program = there.piped(["--print", ...allow, "Serve."], { env: api.env, input: "" });
  const { code } = await program.ended;
  expect({ code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) }).toEqual({
    code: 0,
    stdout: "Done.\n",
    stderr: `tool: The background command bash-2 ends with this session: ${endless}\n`,
  });
  const results = api.requests("tool").flatMap((request) => toolResults(request));
  const [started = "", , first = "", again = "", filtered = "", unknown, wrong, killed, twice] = results;
  expect(started).toMatch(/^Started in the background as bash-1\. BashOutput shows/);
  expect(first).toMatch(/^\[bash-1, running, \d+ s: echo ready; .*\]\nready\n.+\nport 1$/);
  expect(again).toMatch(/^\[bash-1, running, \d+ s: .*\]\n\(nothing new; all of it is in .+\)$/);
  expect(filtered).toMatch(/\]\n\[… \d{7,} bytes cut; the whole is in .+: Grep it, or Read it in parts …\]$/);
  expect(unknown).toBe('There is no background command "bash-9". There are: bash-1 (running), bash-2 (running).');
  expect(wrong).toContain("Give a JavaScript regular expression.");
  expect([killed, twice]).toEqual([
    "bash-1 was ended (stopped: KillBash).",
    "Cannot end bash-1: it has ended already (stopped: KillBash).",
  ]);
  const all = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
  expect(all.match(/<background_command id=[^>]+>/g)).toEqual(['<background_command id=\\"bash-3\\" state=\\"completed\\">']);
  expect(all).toContain("It has ended: exit 3.");
  expect([all, ...files.map((file) => readFileSync(file, "utf8"))].filter((said) => said.includes(secret))).toEqual([]);
  const kept = files.map((file) => [
    dirname(file) === dirname(files[0]!),
    statSync(file).mode & 0o777,
    statSync(file).size < 11 * 1024 * 1024,
  ]);
  expect(kept).toEqual(Array(2).fill([true, 0o600, true]));
  expect(readFileSync(files[1]!, "utf8").endsWith("[nothing more is kept here: the output is longer than 10 MB]\n")).toBe(true);
  await eventually(() => processesOf(there.folder).length === 0);
});

it("moves to the background when the person presses Ctrl-B, is listed and stopped, and ends with the session", async () => {
  const there = teamPlace();
  const watch = "echo watching; touch up; while :; do sleep 1; done";
  const later = "sleep 600";
  const api = await provider({
    tool: [
      call("Bash", { command: watch }),
      text("It runs."),
      call("Bash", { command: later, background: true }),
      text("Both run."),
      text("I see."),
    ],
  });
  const args = ["--allow", `Bash(${watch})`, "--allow", `Bash(${later})`, "Watch it."];
  const seat = personsTerminal([...tool, ...args], { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 150, rows: 40 });
  await seat.shows("│ watching");
  seat.type("\x02");
  await seat.shows("It runs.");
  const [moved = ""] = toolResults(api.requests("tool")[1]);
  expect(moved).toMatch(/^The person sent it to the background as bash-1\. .*\nIts output so far:\nwatching$/);
  seat.type("And sleep.\r");
  await seat.shows("Both run.");
  seat.type("/tasks\r");
  await seat.shows("bash-2   tool   sleep 600");
  const listed = there.warm(["tasks", "--json"]);
  await listed.ended;
  expect(JSON.parse(listed.output()).session_commands).toMatchObject([
    { command: "bash-1", agent: "tool", what: watch, state: "running", last_line: "watching" },
    { command: "bash-2", state: "running", last_line: null },
  ]);
  seat.type("/tasks stop bash-1\r");
  await seat.shows("Command bash-1 is being stopped.");
  await eventually(() => recorded(there).some(({ id, state }) => id === "bash-1" && state === "stopped"));
  const runs = ({ pid, command }: { pid: number; command: string }) => pid !== seat.pid && command.includes(watch);
  await eventually(() => processesOf(there.folder).filter(runs).length === 0); // a fork of the session has the same command line for a moment
  seat.type("/tasks show bash-1\r");
  await seat.shows("stopped: the person stopped it");
  seat.type("What now?\r");
  await seat.shows("I see.");
  expect(newest(api.requests("tool").at(-1))).toContain("It has ended: stopped: the person stopped it.");
  expect(await seat.leave()).toBe(0);
  expect(seat.everything().join("\n")).toContain("The background command bash-2 ends with this session: sleep 600");
  await eventually(() => processesOf(there.folder).length === 0);
});

it.skipIf(await lacks("sandbox"))("lets nobody be asked for a file that would be moved away while a command runs", async () => {
  const there = teamPlace();
  const write = call("Write", { path: ".vscode/tasks.json", content: "{}" });
  const api = await provider({ tool: [[call("Bash", { command: "sleep 600", background: true }), write], text("I see.")] });
  const args = ["--allow", "Bash(sleep 600)", "Sleep and write."];
  const seat = personsTerminal([...tool, ...args], { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 150, rows: 40 });
  await seat.shows("I see.");
  expect(toolResults(api.requests("tool")[1])[1]).toBe(
    "Cannot write .vscode/tasks.json while commands run in the background (bash-1): a file of this kind that appears meanwhile is moved away (programs run what it says). End them first, with KillBash.",
  );
  process.kill(seat.pid, "SIGTERM");
  await seat.ended;
  await eventually(() => processesOf(there.folder).length === 0);
});

it.each([true, false])("ends with a session that is killed; sandbox: %s", async (enabled) => {
  const there = teamPlace();
  there.write("config/settings.json", JSON.stringify({ sandbox: { enabled } }));
  const api = await provider({ tool: [call("Bash", { command: server, background: true }), () => new Promise(() => {})] });
  const program = there.piped(["--print", ...allow, "Serve."], { env: api.env, input: "" });
  await eventually(() => existsSync(join(there.repository, "up")));
  process.kill(program.pid, "SIGKILL");
  await eventually(() => processesOf(there.folder).length === 0);
  const listed = there.warm(["tasks", "--json", "--all"]);
  await listed.ended;
  expect(JSON.parse(listed.output()).session_commands).toMatchObject([
    { command: "bash-1", session: expect.stringMatching(/^[0-9a-f-]{36}$/), state: "stopped", reason: "the session ended" },
  ]);
  const seat = personsTerminal([...tool, "--continue"], {
    env: { ...there.env, ...api.env },
    cwd: there.repository,
    columns: 150,
    rows: 40,
  });
  await seat.shows("The background command bash-1 was stopped with its session: echo ready");
  process.kill(seat.pid, "SIGTERM");
  await seat.ended;
});

it("serves an agent whose definition names Bash, and ends with that agent", async () => {
  const there = teamPlace();
  there.write("repo/.tool/agents/runner.md", "---\nname: runner\ndescription: runs\ntools: Read, Bash\n---\nRun it.\n");
  const atWork: string[] = [];
  const servers = () => processesOf(there.folder).filter(({ pid, command }) => pid !== program.pid && command.includes("echo ready"));
  const api = await provider({
    tool: [
      call("Agent", { subagent_type: "runner", name: "ada", description: "serve", prompt: "Serve." }),
      () => {
        atWork.push(`afterwards ${servers().length}`);
        return text("Served.");
      },
    ],
    ada: [
      call("Bash", { command: server, background: true }),
      async () => {
        await eventually(() => existsSync(join(there.repository, "up")));
        atWork.push(`meanwhile ${servers().length > 0}`);
        return call("BashOutput", { id: "bash-1" });
      },
      text("It served."),
    ],
  });
  const program = there.piped(["--print", "--trust", ...allow, "Serve."], { env: api.env, input: "" });
  expect(await program.ended).toEqual({ code: 0 });
  expect(api.requests("ada")[0]?.body.tools?.map(({ name }) => name)).toEqual(["Read", "Bash", "BashOutput", "KillBash"]);
  expect(toolResults(api.requests("ada")[2])[0]).toMatch(/^\[bash-1, running, .*\]\nready\n/);
  expect(atWork).toEqual(["meanwhile true", "afterwards 0"]);
});

it("serves a teammate, and ends with it", async () => {
  const there = teamPlace();
  let shown: string | undefined;
  const looksUntilReady = (request: RecordedRequest) => {
    if (shown !== undefined) return text("Done.");
    const [said = ""] = toolResults(request);
    if (!said.includes("\nready\n")) return call("BashOutput", { id: "bash-1" });
    shown = said;
    return call("TaskUpdate", { id: "task-1", status: "completed", summary: "It serves." });
  };
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Serve", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      text("Started."),
      text("Served."),
    ],
    ada: [call("Bash", { command: server, background: true }), ...Array(500).fill(looksUntilReady)],
  });
  const program = there.piped(["team", "--print", ...allow, "Serve."], { env: api.env, input: "" });
  expect(await program.ended).toEqual({ code: 0 });
  expect(shown).toMatch(/^\[bash-1, running, .*\]\nready\n/);
  expect(recorded(there)).toMatchObject([{ id: "bash-1", state: "stopped" }]);
  await eventually(() => processesOf(there.folder).length === 0);
});
