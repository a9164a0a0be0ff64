// Agents in the background of a session on a terminal: their questions open there, and /tasks is what a person decides about them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const wrongWords: [string, string][] = [
  ["resume bo", "has completed its work."],
  ["stop bo", "Cannot stop agent bo: it has ended (completed)."],
  ["stop", "/tasks stop needs an agent or a command. There are: ada (a-"],
  ["frob bo", 'There is no "/tasks frob". For the agent bo there is: /tasks resume, /tasks stop,'],
];

it("offers to retry failed work, to fix it here, to record it, or to give up", async () => {
  const check = () => call("Bash", { command: "sh check.sh" });
  const write = (path: string) => call("Write", { path, content: path });
  const agent = (name: string) => call("Agent", { name, description: `check ${name}`, prompt: "Check.", background: true });
  const api = await provider({
    tool: [
      [agent("ada"), agent("bo"), agent("cy"), agent("dee")].flat(),
      ...["Started.", "Heard.", "Heard.", "Heard.", "Heard.", "Heard.", "Heard.", "Heard.", "Heard.", "Heard."].map(text),
    ],
    ada: [check(), text("The check fails."), check(), text("It fails again.")],
    bo: [check(), text("The check of bo fails.")],
    cy: [write("new.txt"), write("new.txt"), text("Written by cy.")],
    dee: [write("dee.txt"), text("Written by dee.")],
  });
  const there = teamPlace();
  writeFileSync(join(there.repository, "check.sh"), "echo nothing works; exit 1\n");
  const args = ["--allow", "Bash(sh check.sh)", "start them now"];
  const seat = personsTerminal([...tool, ...args], { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 160, rows: 40 });
  const heard = (words: string) => eventually(() => JSON.stringify(api.requests("tool").at(-1)?.body.messages ?? "").includes(words));
  await heard("The check fails.");
  await heard("The check of bo fails.");
  // Both questions open by themselves, in either order; Esc at cy's stops cy alone.
  const stopCy = async () => {
    await seat.shows("cy asks to write");
    seat.type("\x1b");
    await heard("The person said no and stopped it.");
  };
  const allowDee = async () => {
    await seat.shows("dee asks to write");
    expect(existsSync(join(there.repository, "dee.txt"))).toBe(false);
    await choose(seat, "y");
    await heard("Written by dee.");
  };
  await seat.shows("asks to write");
  for (const answer of seat.screen().join("\n").includes("cy asks to write") ? [stopCy, allowDee] : [allowDee, stopCy]) await answer();
  expect(readFileSync(join(there.repository, "dee.txt"), "utf8")).toBe("dee.txt");
  expect(toolResults(api.requests("dee").at(-1))).toHaveLength(1);
  seat.type("/tasks\r");
  await seat.shows("Bash sh check.sh: exit 1");
  await seat.shows("/tasks retry|fix|escalate|giveup a-");

  seat.type("/tasks retry ada\r");
  await seat.shows("Agent ada retries what failed");
  await heard("It fails again.");
  expect(newest(api.requests("ada")[2])).toMatch(/Go on\. These commands failed;.*Bash sh check\.sh: exit 1/);

  seat.type("/tasks fix bo\r");
  await heard("Fix here, without starting an agent for it, what failed in the work of agent bo (check bo)");

  seat.type("/tasks escalate ada\r");
  await seat.shows("Recorded for you in");
  const projects = join(there.configDir, "projects");
  const file = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/failures.jsonl"));
  expect(JSON.parse(readFileSync(join(projects, file ?? ""), "utf8"))).toMatchObject({
    agent: "ada",
    item: "check ada",
    error: expect.stringContaining("Bash sh check.sh: "),
  });
  seat.type("/tasks giveup ada\r");
  await seat.shows("Cannot giveup agent ada: it was decided already (recorded for you).");
  for (const [typed, answer] of wrongWords) {
    seat.type(`/tasks ${typed}\r`);
    await seat.shows(answer);
  }
  seat.type("/tasks show nope\r");
  await seat.shows('This session has no agent or command "nope". There are: ada (a-');
  seat.type("/tasks resume cy\r");
  await seat.shows("Agent cy continues; you are asked for the permissions it needs.");
  await seat.shows("cy asks to write");
  expect(existsSync(join(there.repository, "new.txt"))).toBe(false);
  await choose(seat, "y");
  await heard("Written by cy.");
  expect(await seat.leave()).toBe(0);
  expect(seat.everything().join("\n")).toContain("1 item failed, recorded in");
});
