// Questions to the user in a real team: open in two panes and to a command at once, answered in one, closed in the others.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";
import { type Attended, attend } from "./attended.ts";
import { choose, untilAskedWhileTyping } from "./choose.ts";
import { capturedLines, joinedRows } from "./persons-tmux.ts";

const keys = { ctrlC: "\x03", enter: "\r" };
const oneTask = (prompt: string) => [
  [call("TaskCreate", { title: "Only task", description: prompt }), call("SpawnTeammate", { name: "ada" })],
  text("ada works."),
];

it("a teammate's question is open in its pane, at the lead's and to a command; each of them can answer it, and the others close", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({
    lead: oneTask("Do it."),
    ada: [
      call("Bash", { command: "touch one" }),
      call("Bash", { command: "touch two" }),
      call("Bash", { command: "touch three" }),
      call("Bash", { command: "touch three" }),
      call("Bash", { command: "touch four" }),
      call("Bash", { command: "touch five" }),
      text("I stop here."),
    ],
  });
  const person = await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  const [lead, ada] = [await paneOf(person, "lead"), await paneOf(person, "ada")];

  await shows(lead, "touch one No rule allows it.");
  expect(questionIn(await shows(ada, "touch one No rule allows it."))).toEqual([
    "! ada asks to run",
    "  also at the lead",
    "    touch one",
  ]);
  expect(questionIn(lead.screen())).toEqual(["! ada asks to run", "  also in ada's pane", "    touch one"]);
  const requests = join(place.team().folder, "requests");
  expect(readdirSync(requests).map((name) => [name.replace(/-[a-z0-9]{5}/, ""), statSync(join(requests, name)).mode & 0o777])).toEqual([
    ["ada.json", 0o600],
  ]);

  lead.press("1");
  await shows(ada, "answered at the lead: allowed once");
  await eventually(() => existsSync(join(place.repository, "one")));

  await shows(lead, "touch two No rule allows it.");
  await shows(ada, "touch two No rule allows it.");
  ada.type("two is not wanted");
  await shows(ada, "Enter sends this as the answer");
  ada.press("Enter");
  await shows(lead, "answered in ada's pane: no: two is not wanted");
  await eventually(() => api.requests("ada").length >= 3);
  expect(toolResults(api.requests("ada")[2])).toEqual(["Permission denied: The person said no: two is not wanted."]);

  await shows(lead, "touch three No rule allows it.");
  const listed = await output(place, ["answer"]);
  expect(listed.text).toMatch(
    /^! ada asks to run\s+[\d.]+m?s ago\n {4}touch three\n {2}No rule allows it\.\n {2}tool team answer (ada-\w{5}) --allow once\|session\|team\|always(?:\|sandbox)? \| --deny \[--reason …\] --team atlas\n$/,
  );
  const [, id = ""] = /answer (ada-\w{5})/.exec(listed.text) ?? [];
  expect(await output(place, ["answer", id, "--allow", "always", "--rule", "Bash"])).toEqual({
    code: 2,
    text: expect.stringContaining(
      `tool: cannot answer ${id} this way: it can be answered by --allow once, --allow session or team with Bash(touch *) or Bash(touch three), --allow always with Bash(touch *) or Bash(touch three), `,
    ),
  });
  // Of a member with one question the name is enough.
  expect((await output(place, ["answer", "ada"])).text).toContain(`tool team answer ${id} --allow`);
  expect(await output(place, ["answer", "bo"])).toMatchObject({ code: 2, text: expect.stringContaining(`Waiting: ${id}`) });
  const narrow = ["answer", "ada", "--allow", "session", "--rule", "Bash(touch three)"];
  expect(await output(place, narrow, { TOOL_OWNER: "s:bo" })).toMatchObject({ code: 3 });
  expect(await output(place, narrow)).toEqual({ code: 0, text: `Answered ${id} for ada.\n` });
  await shows(lead, "answered from a shell: allowed for this session: Bash(touch three)");
  await shows(ada, "answered from a shell: allowed for this session: Bash(touch three)");
  expect((await output(place, ["answer", id, "--deny"])).text).toContain(`team atlas has no such open question. `);

  // The session's grant covers the second time. The next question ends with the process that asks it, and the next process asks it again.
  await shows(lead, "touch four No rule allows it.");
  process.kill(place.team().status("ada")?.pid ?? 0, "SIGKILL");
  await shows(lead, "the question is gone: the process that asked is gone");
  await eventually(() => readdirSync(requests).filter((name) => /^ada-\w{5}\.json$/.test(name)).length === 5);
  await shows(lead, "touch four No rule allows it.");
  expect(existsSync(join(place.repository, "four"))).toBe(false);
  lead.press("1");
  await eventually(() => existsSync(join(place.repository, "four")));
  await shows(lead, "touch five No rule allows it.");
  await shows(await paneOf(person, "ada"), "touch five No rule allows it.");
  lead.press("1");
  await eventually(() => existsSync(join(place.repository, "five")));
  expect(readdirSync(place.repository).sort()).toEqual([".git", "five", "four", "one", "three"]);
  await leave(lead, person);
});

it("a grant to the team applies to every member, closes the questions that it covers, and is revoked at the lead", async () => {
  const place = teamPlace({ asked: true });
  const tasks = ["First", "Second"].map((title) => call("TaskCreate", { title, description: "Do it." }));
  const api = await provider({
    lead: [[...tasks, call("SpawnTeammate", { name: "ada" }), call("SpawnTeammate", { name: "bo" })], text("They work.")],
    ada: [
      call("Bash", { command: "mkdir one" }),
      call("Bash", { command: "mkdir three" }),
      call("Bash", { command: "rmdir gone" }),
      text("I stop."),
    ],
    bo: [call("Bash", { command: "mkdir two" }), call("Bash", { command: "mkdir four" }), text("I stop.")],
  });
  const person = await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  const lead = await paneOf(person, "lead");
  const waiting = async () => {
    const { code, text: told } = await output(place, ["answer", "--json"]);
    return code === 0 ? (JSON.parse(told) as { requests: { id: string; from: string }[] }).requests : undefined;
  };
  const both = await waitFor(async () => {
    const open = await waiting();
    return open?.length === 2 ? open : undefined;
  });
  const id = both.find(({ from }) => from === "ada")?.id ?? "";
  expect(await output(place, ["answer", id, "--allow", "team", "--rule", "Bash(mkdir *)"], { TOOL_OWNER: "s:bo" })).toMatchObject({
    code: 3,
  });
  expect(await output(place, ["answer", id, "--allow", "team", "--rule", "Bash(mkdir *)"])).toEqual({
    code: 0,
    text: `Answered ${id} for ada.\n`,
  });
  for (const name of ["one", "two", "three", "four"]) await eventually(() => existsSync(join(place.repository, name)));
  const grants = join(place.team().folder, "grants.json");
  expect(JSON.parse(readFileSync(grants, "utf8"))).toMatchObject({ version: 1, grants: [{ rule: "Bash(mkdir *)" }] });

  // A rule added meanwhile answers an open question as well.
  await waitFor(async () => (await waiting())?.find(({ from }) => from === "ada"));
  await shows(lead, "rmdir gone");
  for (const line of ["later", "/permissions add Bash(rmdir:*)"]) {
    lead.type(line);
    lead.press("Enter");
  }
  await waitFor(async () => ((await waiting())?.length === 0 ? true : undefined));
  lead.type("/permissions");
  lead.press("Enter");
  await shows(lead, "Bash(mkdir *) this team, since");
  lead.type("/permissions remove Bash(mkdir *)");
  lead.press("Enter");
  await shows(lead, "Bash(mkdir *) is not granted to the team any more.");
  expect(JSON.parse(readFileSync(grants, "utf8"))).toEqual({ version: 1, grants: [], accepted: ["allow Bash(rmdir:*)"] });
});

/** Like `eventually`, for a condition that is slow to read; the team needs the processor too. */
async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 90_000; performance.now() < end; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("did not happen within 90 s");
}

it("the lead's typed text is kept when a question opens, and further typing goes there", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({ lead: oneTask("Do it."), ada: [call("Bash", { command: "touch one" }), text("Done.")] });
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Do it."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 40,
    rows: 30,
  });
  await terminal.shows("no tasks yet");
  const started = performance.now();
  // Somebody who types all the time, with letters that are all answers.
  const typing = setInterval(() => terminal.type("y"), 50);
  await terminal.shows("    touch one");
  await eventually(() => performance.now() - started > 500 && /> y{10}/.test(terminal.screen().join("\n")));
  clearInterval(typing);
  expect([existsSync(join(place.repository, "one")), terminal.screen().join("\n").includes("touch one")]).toEqual([false, true]);
  const asked = terminal.screen();
  const from = asked.lastIndexOf("! ada asks to run");
  expect(asked.slice(from, from + 9)).toEqual([
    "! ada asks to run",
    "  also on ada's screen: Alt-1",
    "    touch one",
    "  No rule allows it.",
    "  ❯ 1  once",
    "    2  ada, this session: touch one",
    "    3  ada, this session: touch *",
    "    4  the whole team …",
    "    5  always …",
  ]);
  await untilAskedWhileTyping(terminal);
  terminal.type(keys.ctrlC); // the line is given up, and the question gets the keys
  await choose(terminal, "y");
  await eventually(() => existsSync(join(place.repository, "one")));
  await terminal.shows("ada    · allowed once");
  terminal.type(keys.ctrlC);
  expect(await terminal.leave()).toBe(130);
});

it("in the mode plan a teammate's plan is shown completely, and begins after the person's approval", async () => {
  const place = teamPlace({ asked: true });
  const plan = `# Two files\n${Array.from({ length: 40 }, (_, index) => `${index + 1}. step ${index + 1}`).join("\n")}\nlast\x1b[2J line`;
  const api = await provider({
    lead: oneTask("Plan it."),
    ada: [
      call("Write", { path: "a.txt", content: "early" }),
      call("SubmitPlan", { plan: "Only one" }),
      call("SubmitPlan", { plan }),
      call("Write", { path: "a.txt", content: "now" }),
      text("Done."),
    ],
  });
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "--permission-mode", "plan", "Plan."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 80,
    rows: 24,
  });
  await terminal.shows("  ❯ 1  go on      2  go on; edits are allowed");
  expect(toolResults(api.requests("ada")[1]).join()).toContain("In plan mode");
  terminal.type(`two files${keys.enter}`);
  await terminal.shows("last\\x1b[2J line");
  expect(toolResults(api.requests("ada")[2])).toEqual([
    "The plan is not approved: two files. Change it and submit it again, or ask what is wanted.",
  ]);
  expect(terminal.everything().filter((line) => /^\d+\. step \d+$/.test(line)).length).toBe(40);
  await choose(terminal, "e");
  await eventually(() => existsSync(join(place.repository, "a.txt")));
  expect(readFileSync(join(place.repository, "a.txt"), "utf8")).toBe("now");
  expect(newest(api.requests("ada")[3])).toContain("The plan is approved.");
  terminal.type(keys.ctrlC);
  await terminal.leave();
});

it("a sentence typed at a teammate's question at the lead is the answer, complete and once", async () => {
  const place = teamPlace({ asked: true });
  const dates = call("AskUser", { question: "Which dates?", options: ["ISO dates", "As typed"] });
  const api = await provider({ lead: oneTask("Do it."), ada: [call("Bash", { command: "touch one" }), dates, dates, text("Done.")] });
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Do it."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 80,
    rows: 30,
  });
  await terminal.shows("    touch one");
  await choose(terminal, "wait, 1 y");
  await terminal.shows("ada    · no: wait, 1 y");
  await eventually(() => api.requests("ada").length >= 2);
  expect(toolResults(api.requests("ada")[1])).toEqual(["Permission denied: The person said no: wait, 1 y."]);
  expect(existsSync(join(place.repository, "one"))).toBe(false);

  // Ada's question to the user is open both at the lead and to a command.
  await terminal.shows("Which dates?");
  await choose(terminal, "2");
  await terminal.shows("ada    · chose: As typed");
  await eventually(() => api.requests("ada").length >= 3);
  expect(toolResults(api.requests("ada")[2])).toEqual(["The person chose: As typed"]);
  const listed = await output(place, ["answer"]);
  expect(listed.text).toMatch(
    /^! ada asks you\s+[\d.]+m?s ago\n {2}Which dates\?\n {4}1 ISO dates\n {4}2 As typed\n {2}tool team answer (ada-\w{5}) --choose <number> \| --write "…" \| --deny --team atlas\n$/,
  );
  const [, id = ""] = /answer (ada-\w{5})/.exec(listed.text) ?? [];
  expect(await output(place, ["answer", id, "--choose", "3"])).toEqual({
    code: 2,
    text: `tool: cannot answer ${id} this way: it can be answered by --choose with 1 (ISO dates), 2 (As typed), by --write with a text, or --deny\n`,
  });
  expect(await output(place, ["answer", id, "--choose", "1"], { TOOL_OWNER: "s:bo" })).toMatchObject({ code: 3 });
  expect(await output(place, ["answer", id, "--write", "unix times"])).toEqual({ code: 0, text: `Answered ${id} for ada.\n` });
  await terminal.shows("answered from a shell: wrote: unix times");
  await eventually(() => api.requests("ada").length >= 4);
  expect(toolResults(api.requests("ada")[3])).toEqual(["The person chose none of these and wrote: unix times"]);
  terminal.type(keys.ctrlC);
  expect(await terminal.leave()).toBe(130);
});

it("printed, nobody is asked: the refused call and the rule for it are named, and the team exits with 3", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({
    lead: [...oneTask("Do it."), text("All done.")],
    ada: [
      call("Bash", { command: "touch one" }),
      call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done without it." }),
      text("Done."),
    ],
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env: api.env });
  const { code } = await run.ended;
  const denied = "It would be allowed by --allow 'Bash(touch one)', or with others like it by --allow 'Bash(touch *)'.";
  expect([
    code,
    run
      .output()
      .split("\n")
      .filter((line) => line.startsWith("Denied: ")),
  ]).toEqual([3, [`Denied: ada Bash touch one. Permission is missing and nobody can be asked here: no rule allows it. ${denied}`]]);
  const report = await output(place, ["report", "--json"]);
  expect(JSON.parse(report.text)).toMatchObject({
    exit_code: 3,
    permission_denials: [{ agent: "ada", tool: "Bash", subject: "touch one", rules: ["Bash(touch one)"] }],
    failures: [],
  });
});

type Pane = { screen(): string; press(...names: string[]): void; type(words: string): void };

/** The current pane of this agent. */
async function paneOf(person: Attended, agent: string): Promise<Pane> {
  const id = await eventually(() =>
    agent === "lead" ? person.panes().find((pane) => pane.agent !== "ada")?.id : person.panes().find((pane) => pane.agent === agent)?.id,
  );
  return {
    screen: () => capturedLines(person.tmux("capture-pane", ...joinedRows, "-t", id)).join("\n"),
    press: (...names) => void person.tmux("send-keys", "-t", id, ...names),
    type: (words) => void person.tmux("send-keys", "-t", id, "-l", words),
  };
}

/** Waits for these words, however the pane wraps them. */
function shows(pane: Pane, words: string): Promise<string> {
  const flat = (text: string) => text.replaceAll(/\s+/g, " ");
  return eventually(() => flat(pane.screen()).includes(flat(words)) && pane.screen()).catch(() => {
    throw new Error(`"${words}" was not to be seen:\n${pane.screen()}`);
  });
}

/** Its first three lines. A wide pane may show two of them in one. */
function questionIn(screen: string): string[] {
  const lines = screen.split("\n").map((line) => line.replace(/^(! ada asks to run) +(also .*)$/, "$1\n  $2"));
  return lines
    .join("\n")
    .split("\n")
    .slice(lines.findLastIndex((line) => line.startsWith("! ada asks")))
    .slice(0, 3);
}

async function output(place: Place, args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; text: string }> {
  const run = place.tool(["team", ...args], { env });
  const { code } = await run.ended;
  return { code, text: run.output() };
}

async function leave(lead: Pane, person: Attended): Promise<void> {
  lead.press("C-c", "C-c");
  await eventually(() => person.code() !== undefined);
}
