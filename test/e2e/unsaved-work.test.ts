// Work that git does not have, in sessions of the built program: what a person sees of it, what --print says, and what a kill leaves.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const [enter, escapeKey, clearsLine] = ["\r", "\x1b", "\x15"];

/** The person has changed `a.ts` and written `notes.txt` and `run.sh`. */
async function place(parts: Part | Record<string, Part>) {
  const api = await provider(Array.isArray(parts) ? { tool: parts } : parts);
  const there = teamPlace();
  const at = (name: string) => join(there.repository, name);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@localhost", ...args], { cwd: there.repository });
  writeFileSync(at("a.ts"), "old\n");
  writeFileSync(at("clean.sh"), "rm notes.txt run.sh\necho formatted > a.ts\n");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(at("a.ts"), "my change\n");
  writeFileSync(at("notes.txt"), "my notes\n");
  writeFileSync(at("run.sh"), "mine", { mode: 0o755 });
  const env = { ...there.env, ...api.env };
  const sit = (args: string[] = []) => personsTerminal([...tool, ...args], { env, cwd: there.repository, columns: 120, rows: 40 });
  const now = () => ["a.ts", "notes.txt", "run.sh"].map((name) => existsSync(at(name)) && readFileSync(at(name), "utf8"));
  return { there, sit, env, at, now, api };
}

const mine = ["my change\n", "my notes\n", "mine"];
const lost = /3 files changed whose content git did not have: .* · \/rewind brings\s+them back/;

it("names below a command what it changed, and /rewind brings it back, in the next process too", async () => {
  const { sit, at, now } = await place([call("Bash", { command: "sh clean.sh" }), text("Cleaned."), text("Hi again.")]);
  const seat = sit(["--allow", "Bash"]);
  await seat.shows("ready");
  seat.type(`clean up${enter}`);
  await seat.shows("Cleaned.");
  await seat.shows("ready");
  const rows = seat.everything();
  const command = rows.findIndex((row) => row.includes("sh clean.sh"));
  expect(rows.slice(command, command + 3).join("\n")).toMatch(lost);
  expect(now()).toEqual(["formatted\n", false, false]);
  process.kill(seat.pid, "SIGKILL");
  await seat.ended;
  const again = sit(["--continue"]);
  await again.shows("Cleaned.");
  await again.shows("ready");
  again.type(escapeKey + escapeKey);
  await again.shows("❯ 1  clean up");
  again.type(enter);
  await again.shows("notes.txt  would be restored");
  await again.shows("1 command ran since; what else commands do is not undone.");
  await choose(again, "y");
  await eventually(() => now().every((found, index) => found === mine[index]));
  expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  await again.shows("> clean up");
  again.type(clearsLine);
  expect(await again.leave()).toBe(0);
});

it("records what a command had changed whose session was killed meanwhile", async () => {
  const { sit, now } = await place([call("Bash", { command: "sh clean.sh; sleep 300" }), text("Never.")]);
  const seat = sit(["--allow", "Bash"]);
  await seat.shows("ready");
  seat.type(`clean up${enter}`);
  await eventually(() => now()[2] === false && now()[0] === "formatted\n");
  process.kill(seat.pid, "SIGKILL");
  await seat.ended;
  const again = sit(["--continue"]);
  await again.shows("3 files changed whose content git did not have");
  await again.shows("ready");
  again.type(escapeKey + escapeKey);
  await again.shows("❯ 1  clean up");
  again.type(enter);
  await again.shows("would be restored");
  await choose(again, "y");
  await eventually(() => now().every((found, index) => found === mine[index]));
  await again.shows("> clean up");
  again.type(clearsLine);
  expect(await again.leave()).toBe(0);
});

it("puts aside what a teammate's command has lost in the tree of the team, and says where", async () => {
  const { there, env, now, api } = await place({
    lead: [
      call("SpawnTeammate", { name: "ada" }),
      call("TaskCreate", { title: "Clean up", assignee: "ada" }),
      text("At work."),
      text("Done."),
    ],
    ada: [
      call("Bash", { command: "sh clean.sh" }),
      call("TaskUpdate", { id: "task-1", status: "completed", summary: "Clean." }),
      text("Bye."),
    ],
  });
  const run = there.warm(["team", "--print", "--display", "in-process", "--allow", "Bash", "Clean up."], { env });
  await run.ended;
  expect(now()).toEqual(["formatted\n", false, false]);
  const all = JSON.stringify(api.requests("ada")[1]?.body.messages);
  const [, folder = ""] = /2 files changed whose content git did not have: [^·]+ · as they were: ([^\]]+)\]/.exec(all) ?? [];
  expect(all).toContain("as they were:");
  expect(["notes.txt", "run.sh"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["my notes\n", "mine"]);
});

it.each(["text", "stream-json"])("says the same with --print --output-format %s", async (format) => {
  const { there, env, now } = await place([call("Bash", { command: "sh clean.sh" }), text("Cleaned.")]);
  const run = there.warm(["--print", "clean up", "--allow", "Bash", "--output-format", format], { env });
  expect((await run.ended).code).toBe(0);
  expect(now()).toEqual(["formatted\n", false, false]);
  if (format === "text") return expect(run.stderr()).toMatch(lost);
  const events = run
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; text?: string });
  const at = events.findIndex(({ type }) => type === "tool_ended");
  expect(events[at + 1]).toMatchObject({ type: "notice", level: "warning", text: expect.stringMatching(lost) });
});
