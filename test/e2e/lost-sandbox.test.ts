// A sandbox that is lost in the middle of a session: bubblewrap, or what leads into the network of its commands, is another program from one
// command to the next. The command for which that is found out does not run, and the next ones are asked about.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, type Part, provider, toolResults } from "../cast.ts";
import { type RecordedRequest, text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { failingWith, replaceablePrograms } from "../replaceable-programs.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

const why = "bwrap: No permissions to create new namespace";
const bash = (command: string, more = {}) => call("Bash", { command, ...more });
/** While it runs in a sandbox that works, none is prepared for the next command. */
const waits = bash("touch up; until [ -e broken ]; do sleep 0.02; done");

const notRun = (reason: string) =>
  `Cannot run the command: the sandbox cannot be used any more: ${reason}. Nothing was run, and whether a command may run without a sandbox is decided for each one from now on.`;
const lost = (reason: string) => `the sandbox is lost, and what commands left may run outside it now: ${reason}`;
const refused = (reason: string) =>
  `Permission is missing and nobody can be asked here: ${lost(reason)}. Only a person can allow it, in an interactive session.`;
const told = (reason: string) => `tool: The sandbox cannot be used any more: ${reason}. Every command needs your answer from now on.\n`;

function place(settings?: object) {
  const there = teamPlace();
  const { path, replace } = replaceablePrograms(["bwrap", "nsenter"]);
  const at = (name: string) => join(there.repository, name);
  if (settings) mkdirSync(there.configDir, { mode: 0o700 });
  if (settings) writeFileSync(join(there.configDir, "settings.json"), JSON.stringify(settings));
  return {
    there,
    replace,
    path: `${path}:${join(there.folder, "bin")}`,
    has: (name: string) => existsSync(at(name)),
    /** Once the command that waits for it is at work. */
    async breaks(program = "bwrap", text: string | null = failingWith(why)) {
      await eventually(() => existsSync(at("up")));
      replace(program, text);
      writeFileSync(at("broken"), "");
    },
  };
}

/** Runs it printed, and breaks the sandbox. */
async function printed(cast: Record<string, Part>, { there, path, breaks }: ReturnType<typeof place>, how: Parameters<typeof breaks> = []) {
  const api = await provider(cast);
  const session = there.warm(["--print", "--json", "Do it."], { env: { ...api.env, PATH: path } });
  await breaks(...how);
  const { code } = await session.ended;
  const { permission_denials: denied } = JSON.parse(session.stdout()) as { permission_denials: { subject: string }[] };
  const results = (agent: string) => api.requests(agent).flatMap((request) => toolResults(request));
  return { results, said: { denied, code, stderr: session.stderr() } };
}

inSandbox.each([
  ["is removed", ["bwrap", null], /^\/\S+\/bwrap is gone$/],
  ["fails", ["bwrap", failingWith(why)], /^bwrap: No permissions to create new namespace$/],
  ["is an empty file", ["bwrap", ""], /^bwrap ended without a failure and without starting anything$/],
  ["cannot be entered by nsenter", ["nsenter", failingWith("nsenter: reassociate failed")], /^nsenter: reassociate failed$/],
] as const)("where nobody can be asked, bubblewrap that %s is said once, and no command runs", async (_, how, reason) => {
  const here = place();
  const { results, said } = await printed({ tool: [waits, bash("touch one"), bash("touch two"), text("Done.")] }, here, [...how]);
  const [, found = ""] = /any more: (.*?)\. Nothing was run/.exec(results("tool")[1] ?? "") ?? [];
  expect(found).toMatch(reason);
  expect(results("tool")).toEqual(["(no output)", notRun(found), `Permission denied: ${refused(found)}`]);
  expect(said).toEqual({
    denied: [{ agent: "tool", tool: "Bash", subject: "touch two", reason: refused(found) }],
    code: 3,
    stderr: `${told(found)}tool: denied Bash touch two: ${refused(found)}\n`,
  });
  expect([here.has("one"), here.has("two")]).toEqual([false, false]);
});

inSandbox(
  "a background command that is not started fails with the reason, and one that was decided with it does not run outside",
  async () => {
    const here = place();
    const both = [bash("touch one", { run_in_background: true }), bash("touch two")];
    const untilTold = (request: RecordedRequest) =>
      JSON.stringify(request.body.messages).includes("It has ended") ? text("Done.") : call("Glob", { pattern: "up" });
    const { results, said } = await printed({ tool: [waits, both, ...Array(500).fill(untilTold)] }, here);
    expect(results("tool").slice(0, 3)).toEqual([
      "(no output)",
      expect.stringMatching(/^Started in the background as bash-1\./),
      expect.stringMatching(/^(Cannot run the command|Permission denied): /),
    ]);
    expect([said.stderr.split(told(why)).length, here.has("one"), here.has("two")]).toEqual([2, false, false]);
  },
);

inSandbox("with sandbox.required no command runs any more, which is said instead", async () => {
  const here = place({ sandbox: { required: true } });
  const { results, said } = await printed({ tool: [waits, bash("touch one"), bash("touch two"), text("Done.")] }, here);
  const reason = `No command runs, because sandbox.required is set and there is no sandbox: ${why}.`;
  expect(results("tool").slice(1)).toEqual([notRun(why), `Permission denied: ${reason}`]);
  expect(said.stderr).toContain(`more: ${why}. No command runs from now on, because "sandbox.required" is set.\n`);
});

inSandbox("an agent of the session finds out for itself, which is said once, and its refused calls are the session's", async () => {
  const here = place();
  const agent = call("Agent", { description: "look", prompt: "Look.", name: "ada" });
  const ada = [waits, bash("touch one"), bash("touch two"), text("Could not.")];
  const { results, said } = await printed({ tool: [agent, bash("touch three"), text("Done.")], ada }, here);
  expect(results("ada")).toEqual(["(no output)", notRun(why), `Permission denied: ${refused(why)}`]);
  expect(results("tool")[1]).toBe(notRun(why));
  expect([said.code, said.denied.map(({ subject }) => subject)]).toEqual([3, ["touch two"]]);
  expect(said.stderr).toBe(`${told(why)}tool: ada: denied Bash touch two: ${refused(why)}\n`);
});

inSandbox("a teammate whose own sandbox does not work runs nothing unasked, though the lead's has worked", async () => {
  const { there, path, has, replace } = place();
  const api = await provider({
    lead: [
      call("Glob", { pattern: "*" }),
      () => {
        replace("bwrap", failingWith(why));
        return [call("TaskCreate", { title: "Work", description: "Do it." }), call("SpawnTeammate", { name: "ada" })];
      },
      text("ada works."),
      text("Reported."),
    ],
    ada: [bash("touch one"), call("TaskUpdate", { id: "task-1", status: "blocked", reason: "No sandbox." }), text("Blocked.")],
  });
  const run = there.warm(["team", "--print", "--json", "--display", "in-process", "Do it."], { env: { ...api.env, PATH: path } });
  const { code } = await run.ended;
  const results = api.requests("ada").flatMap((request) => toolResults(request));
  const { permission_denials: denied } = JSON.parse(run.stdout().trimEnd().split("\n").at(-1) ?? "");
  expect([code, results[0], has("one")]).toEqual([3, `Permission denied: ${refused(why)}`, false]);
  expect(denied).toEqual([{ agent: "ada", tool: "Bash", subject: "touch one", reason: refused(why) }]);
});

inSandbox("a person is asked with the reason, and the status line says it", async () => {
  const { there, path, breaks, has } = place();
  const api = await provider({ tool: [waits, bash("touch one"), bash("touch two"), text("Done.")] });
  const env = { ...there.env, ...api.env, PATH: path };
  const seat = personsTerminal(tool, { env, cwd: there.repository, columns: 150, rows: 40 });
  await seat.shows("· sandbox");
  seat.type("Do it.\r");
  await breaks();
  await seat.shows(`The sandbox is lost, and what commands left may run outside it now: ${why}`);
  await seat.shows("sandbox lost");
  expect([has("one"), has("two")]).toEqual([false, false]);
  await choose(seat, "1");
  await seat.shows("Done.");
  expect([has("one"), has("two"), toolResults(api.requests("tool")[3])]).toEqual([false, true, ["(no output)"]]);
  expect(seat.everything().join("\n").split("The sandbox cannot be used any more").length).toBe(2);
  await seat.leave();
});
