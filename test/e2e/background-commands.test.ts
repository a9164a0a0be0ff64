// Commands in the background, as the built program runs them: read, ended, told of, and gone with their session however it ends.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { type RecordedRequest, text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, processesOf, teamPlace } from "../team-kit.ts";

const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const server = `echo ready; echo ${secret}; echo port 1; touch up; while :; do sleep 1; done`;
const endless = "yes noise";
const gigabyte = "yes number | head -c 1000000000 | cat -n";
const short = "touch over; exit 3";
const allow = [server, gigabyte, endless, short].flatMap((command) => ["--allow", `Bash(${command})`]);

it("reads new output without secrets, ends what it is told to, and leaves nothing when a printed session ends", async () => {
  const there = teamPlace();
  const isThere = (name: string) => eventually(() => existsSync(join(there.repository, name)));
  const files: string[] = [];
  const api = await provider({
    tool: [
      [
        call("Bash", { command: server, background: true }),
        call("Bash", { command: gigabyte, run_in_background: true }),
        call("Bash", { command: endless, background: true }),
      ],
      async (request) => {
        files.push(...toolResults(request).map((result) => /Its output goes to (\S+)\.$/.exec(result)?.[1] ?? ""));
        await eventually(() => files.slice(1).every((file) => statSync(file).size > 10 * 1024 * 1024));
        await isThere("up");
        return call("BashOutput", { id: "bash-1" });
      },
      call("BashOutput", { id: "bash-1" }),
      call("BashOutput", { bash_id: "bash-2", filter: "\\s7\\s" }),
      call("BashOutput", { id: "bash-9" }),
      call("BashOutput", { id: "bash-3", filter: "(" }),
      [call("KillBash", { id: "bash-1" }), call("KillBash", { id: "bash-1" })],
      call("Bash", { command: short, background: true }),
      ...Array(500).fill((request: RecordedRequest) =>
        JSON.stringify(request.body.messages).includes("It has ended") ? text("Done.") : call("Glob", { pattern: "over" }),
      ),
    ],
  });
  const program = there.piped(["--print", ...allow, "Serve."], { env: api.env, input: "" });
  const { code } = await program.ended;
  const ended = [`bash-2 ends with this session: ${gigabyte}`, `bash-3 ends with this session: ${endless}`];
  expect({ code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) }).toEqual({
    code: 0,
    stdout: "Done.\n",
    stderr: ended.map((line) => `tool: The background command ${line}\n`).join(""),
  });
  const results = api.requests("tool").flatMap((request) => toolResults(request));
  const [started = "", , , first = "", again = "", filtered = "", unknown, wrong, killed, twice] = results;
  expect(started).toMatch(/^Started in the background as bash-1\. BashOutput shows/);
  expect(first).toMatch(/^\[bash-1, running, \d+ s: echo ready; .*\]\nready\n.+\nport 1$/);
  expect(again).toMatch(/^\[bash-1, running, \d+ s: .*\]\n\(nothing new; all of it is in \S+\)$/);
  expect(filtered).toMatch(/\]\n +7\tnumber$/);
  expect(unknown).toBe('There is no background command "bash-9". There are: bash-1 (running), bash-2 (running), bash-3 (running).');
  expect(wrong).toContain("Give a JavaScript regular expression.");
  expect([killed, twice]).toEqual([
    "bash-1 was ended (stopped: KillBash).",
    "Cannot end bash-1: it has ended already (stopped: KillBash).",
  ]);
  const all = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
  expect(all.match(/<background_command id=[^>]+>/g)).toEqual(['<background_command id=\\"bash-4\\" state=\\"completed\\">']);
  expect(all).toContain("It has ended: exit 3.");
  expect([all, ...files.map((file) => readFileSync(file, "utf8"))].filter((said) => said.includes(secret))).toEqual([]);
  const kept = files.map((file) => [
    dirname(file) === dirname(files[0]!),
    statSync(file).mode & 0o777,
    statSync(file).size < 11 * 1024 * 1024,
  ]);
  expect(kept).toEqual(Array(3).fill([true, 0o600, true]));
  expect(readFileSync(files[1]!, "utf8").endsWith("[nothing more is kept here: the output is longer than 10 MB]\n")).toBe(true);
  expect(processesOf(there.folder)).toEqual([]);
});
