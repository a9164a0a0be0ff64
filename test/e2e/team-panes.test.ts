// A team's panes as a person types into them: the lead's and a teammate's have the same screen as a solo session.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { type PersonsTerminal, personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const keys = { altOne: "\x1b1", ctrlO: "\x0f", ctrlD: "\x04", ctrlC: "\x03", tab: "\t", up: "\x1b[A" };

/** Types the command and waits for its output. The space closes the list of completions. */
const sayIn = (terminal: PersonsTerminal) => async (line: string, words: string) => {
  terminal.type(`${line} \r`);
  return terminal.shows(words);
};

it("slash commands, completion and history work in the lead's pane and in a teammate's", async () => {
  const place = teamPlace();
  const never = gate(text("never"));
  const summary = text("Summary: ada parses dates.");
  const api = await provider({
    lead: [
      [
        call("TaskCreate", { title: "Parse dates", description: "Do it." }),
        call("SpawnTeammate", { name: "ada", prompt: "You know dates." }),
      ],
      text("ada is at work."),
      summary,
      text("I go on."),
    ],
    ada: [never.answer, text("Typed.")],
  });
  place.write("repo/AGENTS.md", "Dates are ISO.\n");
  place.write("repo/dates.ts", "export {};\n");
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Parse."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 120,
    rows: 60,
  });
  const says = sayIn(terminal);
  await terminal.shows("ada is at work.");
  await eventually(() => api.requests("ada").length >= 1);

  const tasks = await says("/tasks", "elapsed");
  const row = tasks.findIndex((line) => line.startsWith("agent"));
  expect(tasks[row]).toMatch(/^agent +what +state +turns +tokens +elapsed +now$/);
  expect(tasks[row + 1]).toMatch(/^ada +Parse dates +▶ working +0 +0 +\S+$/);
  const beside = place.tool(["tasks"]);
  expect([await beside.ended, beside.output().replaceAll(/\d+ms|\d+(\.\d+)?s/g, "…")]).toEqual([
    { code: 0, signal: null },
    "agent  what         state      turns  tokens  elapsed  now\nada    Parse dates  ▶ working  0      0       …\n",
  ]);
  await says("/team", "Team atlas is running: 0 of 1 tasks completed, 1 in progress");
  await says("/cost", "Team atlas: cost unknown");
  expect((await says("/agents", "You know dates.")).find((line) => line.includes("You know dates."))).toMatch(
    /^ {2}ada +teammate +▶ working +[0-9a-f]{8} +You know dates\.$/,
  );
  const help = (await says("/help", "ends the team")).join("\n");
  expect([help.includes("/clear"), help.includes("/resume"), /\/exit +end the team/.test(help)]).toEqual([false, false, true]);
  await says("/context", "left this machine in this session");
  await says("/permissions", "Directories:");
  await says("/doctor", "sandbox");
  await says("/model claude-haiku-5-5", "The model is claude-haiku-5-5 from now on.");
  await says("/cots", "Did you mean /cost?");
  await says("/export talk.md", "The conversation is in");
  expect(readFileSync(join(place.repository, "talk.md"), "utf8")).toContain("ada is at work.");
  await says("/compact dates", "shorter");
  await eventually(() => api.requests("lead").length >= 3);
  expect(newest(api.requests("lead")[2])).toContain("Give most room to this: dates");

  terminal.type("look at @dat");
  await terminal.shows("dates.ts");
  terminal.type(`${keys.tab}and @ad`);
  await eventually(() => terminal.screen().some((line) => /ada +agent$/.test(line)));
  terminal.type(`${keys.tab}\r`);
  await terminal.shows("I go on.");
  expect(newest(api.requests("lead")[3])).toContain("look at @dates.ts and @ada");
  expect(api.requests("lead")[3]?.body.model).toBe("claude-haiku-5-5");
  expect(JSON.stringify(api.requests("lead")[0]?.body.system)).toContain("Dates are ISO.");
  terminal.type(keys.ctrlD);
  await terminal.shows("Ctrl-C twice ends the team");

  terminal.type(keys.altOne);
  await terminal.shows("Ctrl-O: back to the lead");
  await says("/team", "Team atlas is running");
  await says("/exit", "To end ada, ask the lead to stop it");
  await says("/rewind", "/rewind is for a session of one agent: others have answered what this one said.");
  expect((await says("/help", "how to end ada")).join("\n")).not.toContain("/clear");
  terminal.type(keys.up.repeat(4));
  await terminal.shows("> /team");
  terminal.type(keys.ctrlC);
  terminal.type(keys.ctrlO);
  await terminal.shows("Ctrl-O: show ada");

  terminal.type("/exit \r");
  await terminal.shows("stops ada");
  terminal.type("y\r");
  expect(await terminal.ended).toBe(130);
});

it.each(["in-process", "tmux"])("Ctrl-C while the lead asks for trust leaves no team, with --display %s", async (display) => {
  const place = teamPlace();
  place.write("repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Bash(touch made)"] } }));
  const api = await provider({ lead: [text("Never.")] });
  const env = { ...place.env, ...api.env };
  const terminal = personsTerminal([...tool, "team", "--display", display, "Touch it."], {
    env,
    cwd: place.repository,
    columns: 120,
    rows: 40,
  });
  await terminal.shows("Trust this repository");
  terminal.type(keys.ctrlC);
  expect(await terminal.ended).toBe(130);
  expect(terminal.everything().join("\n")).toContain(
    "tool: Interrupted, before you said whether to trust this repository. Nothing was started.",
  );
  expect(api.requests("lead")).toEqual([]);
  const list = place.tool(["team", "list"], { env: api.env });
  await list.ended;
  expect(list.output()).toContain("There are no teams");
});

it("trust in a repository's settings is asked in the lead's pane, and the answer applies to the teammates", async () => {
  const place = teamPlace();
  mkdirSync(join(place.repository, ".tool"));
  writeFileSync(
    join(place.repository, ".tool/settings.json"),
    JSON.stringify({ permissions: { allow: ["Bash(touch made)"] }, mcpServers: { a: { command: "false" } } }),
  );
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Touch", description: "Do it." }), call("SpawnTeammate", { name: "ada" })], text("Started.")],
    ada: [
      call("Bash", { command: "touch made" }),
      call("TaskUpdate", { id: "task-1", status: "completed", summary: "Touched." }),
      text("Done."),
    ],
  });
  const terminal = personsTerminal([...tool, "team", "--display", "in-process", "Touch it."], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 120,
    rows: 40,
  });
  await terminal.shows("Trust this repository");
  expect(api.requests("lead")).toEqual([]);
  const asked = place.tool(["team", "status"], { env: api.env });
  expect(await asked.ended).toMatchObject({ code: 0 });
  expect(asked.output()).toContain("Team atlas is running");
  expect(asked.output()).toMatch(/lead +! needs you .*asks: whether to trust the settings of this project/);
  const answer = place.tool(["team", "answer"], { env: api.env });
  expect([(await answer.ended).code, answer.output()]).toEqual([
    0,
    expect.stringMatching(
      /^lead asks a question in its pane: whether to trust the settings of this project\. Answer it there\.\nShown in /,
    ),
  ]);
  const json = place.tool(["team", "answer", "--json"], { env: api.env });
  await json.ended;
  expect(JSON.parse(json.output())).toEqual({
    ok: true,
    requests: [],
    in_panes: [{ from: "lead", asks: "whether to trust the settings of this project", since: expect.any(String) }],
  });
  await choose(terminal, "y");
  expect(terminal.everything().join("\n")).toContain("server: a: false");
  await eventually(() => place.team().tasks()[0]?.status === "completed");
  expect(await terminal.leave()).toBe(0);
});
