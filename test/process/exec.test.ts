// `tool team …` as people, scripts and other programs use it: the built program, real files, real pipes.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command as tool } from "./command.ts";
import { ended, type Home, program, startExec, temporaryHome, tool as toolProcess } from "./tool.ts";

let home: Home;
beforeAll(() => {
  home = temporaryHome();
});
afterAll(() => home[Symbol.dispose]());

let team = "";
let count = 0;
beforeEach(async () => {
  team = `t${++count}`;
  await tool(home, ["team", "create", team, "--members", "lead,ann,bo"]);
});

const lines = (stdout: string) =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
/** Printed lines without the time at their start. */
const facts = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^ *\d\d:\d\d /, ""));
const short = (reply: { ok: boolean; error?: { code: string } }) => reply.error?.code ?? "ok";
const exec = (as: string, input: string | Buffer) => tool(home, ["team", "exec", "--as", as, "--team", team], input);

describe("tool team exec", () => {
  it("answers each line in order, whatever it is, and exits with 0", async () => {
    const input = [
      '{"op":"TaskCreate","args":{"title":"one"}}',
      "",
      "   ",
      "not json",
      '{"op":"TaskCreate","args":{"title":"two","dependencies":["task-1"]}}\r',
      '{"op":"Nothing"}',
      "[]",
      `{"op":"SendMessage","args":{"to":"ann","text":"${"x".repeat(40_000)}"}}`,
      '{"op":"TaskList"}',
    ].join("\n");
    const ran = await exec("lead", input);
    const replies = lines(ran.stdout);
    expect({ code: ran.code, stderr: ran.stderr, codes: replies.map(short) }).toEqual({
      code: 0,
      stderr: "",
      codes: ["ok", "bad_request", "ok", "bad_request", "bad_request", "too_large", "ok"],
    });
    expect(replies.at(-1).tasks).toMatchObject([{ id: "task-1" }, { id: "task-2", dependencies: ["task-1"] }]);
  });

  it("refuses bytes that are not UTF-8 and endless lines, and continues", async () => {
    const input = Buffer.concat([
      Buffer.from('{"op":"TaskCreate","args":{"title":"caf\u00e9"}}\n', "latin1"),
      Buffer.from(`{"op":"TaskCreate","args":{"title":"${"x".repeat(2_000_000)}"}}\n`),
      Buffer.from('\ufeff{"op":"TaskCreate","args":{"title":"日本 ok"}}'),
    ]);
    const { code, stdout } = await exec("lead", input);
    expect([code, lines(stdout).map(short)]).toEqual([0, ["bad_request", "too_large", "ok"]]);
    expect(lines(stdout)[2].task.title).toBe("日本 ok");
  });

  it("answers at once, while its input stays open", async () => {
    const ann = startExec(home, { as: "ann", team });
    const lead = startExec(home, { as: "lead", team });
    expect(await lead.ask({ op: "TaskCreate", args: { title: "one" } })).toMatchObject({ ok: true, task: { id: "task-1" } });
    expect(await ann.ask({ op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } })).toMatchObject({
      task: { assigned_to: "ann" },
    });
    expect(await ann.ask({ op: "SendMessage", args: { to: "lead", text: "which format?" } })).toMatchObject({
      message: { from: "ann", to: "lead" },
    });
    expect(await lead.ask({ op: "Inbox" })).toMatchObject({ messages: [{ text: "which format?" }] });
    expect([await ann.end(), await lead.end()]).toEqual([0, 0]);
  });

  it("follows a task through its life, with the refusals of each step", async () => {
    const agents = Object.fromEntries(["lead", "ann", "bo"].map((as) => [as, startExec(home, { as, team })]));
    const step = async (as: string, op: string, args: unknown) => short((await agents[as]?.ask({ op, args })) as never);
    const update = (as: string, args: unknown) => step(as, "TaskUpdate", args);
    expect([
      await step("lead", "TaskCreate", { title: "base" }),
      await step("lead", "TaskCreate", { title: "top", dependencies: ["task-1"], assignee: "bo" }),
      await step("ann", "TaskCreate", { title: "mine" }),
      await update("bo", { id: "task-2", status: "in_progress" }),
      await update("ann", { id: "task-2", status: "in_progress" }),
      await update("ann", { id: "task-1", status: "in_progress" }),
      await update("bo", { id: "task-1", status: "in_progress" }),
      await update("ann", { id: "task-1", status: "in_progress" }),
      await update("ann", { id: "task-1", status: "blocked", reason: "needs the format" }),
      await update("bo", { id: "task-1", status: "in_progress" }),
      await update("ann", { id: "task-1", status: "open" }),
      await update("lead", { id: "task-1", status: "open", assignee: "bo" }),
      await update("bo", { id: "task-1", status: "in_progress" }),
      await update("bo", { id: "task-1", status: "completed" }),
      await update("bo", { id: "task-1", status: "completed", summary: "done" }),
      await update("bo", { id: "task-1", status: "completed", summary: "done" }),
      await update("bo", { id: "task-2", status: "in_progress" }),
    ]).toEqual([
      "ok",
      "ok",
      "not_lead",
      "dependency_incomplete",
      "assigned_to_other",
      "ok",
      "already_claimed",
      "ok",
      "ok",
      "not_assignee",
      "not_lead",
      "ok",
      "ok",
      "missing_summary",
      "ok",
      "bad_transition",
      "ok",
    ]);
    await Promise.all(Object.values(agents).map((agent) => agent.end()));
  });

  it("ends quietly when nobody reads its replies any more", async () => {
    const child = spawn(process.execPath, [program, "team", "exec", "--as", "lead", "--team", team], { env: home.env });
    let stderr = "";
    child.stderr.on("data", (bytes: Buffer) => {
      stderr += bytes;
    });
    child.stdin.on("error", () => {}); // it ends while we write, on purpose
    child.stdout.once("data", () => child.stdout.destroy());
    child.stdin.write('{"op":"TaskList"}\n');
    const more = setInterval(() => child.stdin.write('{"op":"TaskList"}\n'), 20);
    const code = await ended(child);
    clearInterval(more);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("loses no replies to a slow reader", async () => {
    await exec("lead", `{"op":"TaskCreate","args":{"title":"big","description":"${"d".repeat(20_000)}"}}\n`.repeat(5));
    const child = spawn(process.execPath, [program, "team", "exec", "--as", "ann", "--team", team], { env: home.env });
    child.stdin.end('{"op":"TaskList"}\n'.repeat(100));
    let text = "";
    for await (const chunk of child.stdout) {
      text += chunk;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(lines(text).map(short)).toEqual(Array(100).fill("ok"));
  });

  it("refuses an unknown member or team, naming the known ones", async () => {
    expect(await tool(home, ["team", "exec", "--as", "carl", "--team", team])).toEqual({
      code: 2,
      stdout: "",
      stderr: `tool: cannot act as "carl": team ${team} has no such member. Its members are lead, ann, bo; user is you.\n`,
    });
    const unknown = await tool(home, ["team", "exec", "--as", "ann", "--team", "../t1"]);
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toMatch(/^tool: there is no team "\.\.\/t1"\. The (?:only team is|teams are) t1(, t\d+)*\.\n$/);
    expect((await tool(home, ["team", "exec", "--team", team])).code).toBe(2);
  });
});

describe("tool team …", () => {
  it("creates, changes and shows tasks for the user and for members", async () => {
    const on = ["--team", team];
    const created = await tool(home, [
      "team",
      "task",
      "create",
      "--title",
      "Parse dates",
      "--description",
      "ISO",
      "--assignee",
      "ann",
      ...on,
      "--json",
    ]);
    expect(JSON.parse(created.stdout)).toMatchObject({
      ok: true,
      task: { id: "task-1", description: "ISO", assigned_to: "ann", dependencies: [] },
    });
    await tool(home, ["team", "task", "create", "--title", "Export", "--depends", "task-1", ...on]);
    await tool(home, ["team", "task", "update", "task-1", "--status", "in_progress", "--as", "ann", ...on]);
    const refused = await tool(home, ["team", "task", "update", "task-2", "--status", "in_progress", "--as", "bo", ...on]);
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: 'tool: cannot claim "task-2": "task-1" is in_progress\n',
    });
    await tool(home, ["team", "task", "update", "task-2", "--assignee", "bo", "--depends", "", ...on]);
    await tool(home, ["team", "task", "update", "task-2", "--assignee", "", "--depends", "task-1, task-1", ...on]);
    expect((await tool(home, ["team", "tasks", ...on])).stdout).toBe(
      "task-1   > ann    Parse dates\ntask-2   .        Export  (waits for task-1)\n",
    );
    expect((await tool(home, ["team", "task", "get", "task-1", ...on])).stdout).toMatch(
      /^task-1 {2}Parse dates\nstatus: in_progress\nassigned to: ann\ndepends on: nothing\ncreated: \S+\n\nISO\n$/,
    );
    const list = await tool(home, ["team", "task", "list", ...on, "--json"]);
    expect(JSON.parse(list.stdout)).toMatchObject({ ok: true, tasks: [{ id: "task-1" }, { id: "task-2", assigned_to: null }] });
    expect(facts((await tool(home, ["team", "log", ...on])).stdout)).toEqual([
      "user created task-1 Parse dates",
      "user created task-2 Export (after task-1)",
      "ann claimed task-1 Parse dates",
      "user changed task-2: depends on nothing",
      "user changed task-2: depends on task-1",
    ]);
  });

  it("sends messages and shows an inbox", async () => {
    const on = ["--team", team];
    expect(await tool(home, ["team", "send", "ann", "ISO dates\u001b[2J", ...on])).toEqual({
      code: 0,
      stdout: "Sent to ann.\n",
      stderr: "",
    });
    expect((await tool(home, ["team", "send", "ann", "x", "--as", "ann", ...on])).code).toBe(2);
    const inbox = await tool(home, ["team", "inbox", "ann", ...on]);
    expect(inbox.stdout).toMatch(/^\d{13}-user-0000-[0-9a-z]{6} {2}from user\n {4}ISO dates\\x1b\[2J\n$/);
    const [id = ""] = inbox.stdout.split(" ");
    expect((await tool(home, ["team", "inbox", "--as", "ann", "--ack", id, ...on])).stdout).toBe("No messages for ann.\n");
    const unnamed = [await tool(home, ["team", "inbox", ...on]), await tool(home, ["team", "inbox", "ann", "--as", "bo", ...on])];
    expect(unnamed.map(({ code, stderr }) => [code, stderr.split("?")[0]])).toEqual([
      [2, "tool: Whose inbox"],
      [2, "tool: Whose inbox"],
    ]);
  });

  it("shows why nothing can continue, and restores a damaged list", async () => {
    const on = ["--team", team];
    const list = `${home.config}/teams/${team}/tasks.json`;
    await tool(home, ["team", "task", "create", "--title", "x", ...on]);
    await tool(home, ["team", "task", "create", "--title", "y", ...on]);
    writeFileSync(list, "");
    const damaged = await tool(home, ["team", "tasks", ...on]);
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      `tool: cannot read the task list: ${list} is empty. The file is kept; restore the version before it with: node ${program} team task restore --team ${team}\n`,
    ]);
    expect(facts((await tool(home, ["team", "task", "restore", ...on])).stdout)).toEqual([
      `Restored the task list of team ${team}: 1 task, revision 3.`,
      `The damaged list is kept as ${list}.damaged-1`,
      "The log has changes that are missing in this version of the list:",
      "user created task-2 y",
    ]);
    const ring = { id: "task-1", title: "x", description: "", status: "open", assigned_to: null, dependencies: ["task-1"], created_at: "" };
    writeFileSync(list, JSON.stringify({ version: 1, revision: 3, next_id: 3, tasks: [ring] }));
    expect((await tool(home, ["team", "tasks", ...on])).stdout).toEqual(
      expect.stringMatching(
        new RegExp(
          `^task-1   \\.        x  \\(waits for task-1\\)\n\nThe team is stuck:\n  task-1 depends on itself\\. Change its dependencies\\.\n    .*tool.* team task update task-1 --depends "" --team ${team}\n$`,
        ),
      ),
    );
  });

  it("follows the log until it is interrupted", async () => {
    const child = spawn(process.execPath, [program, "team", "log", "--follow", "--json", "--team", team], { env: home.env });
    const seen: string[] = [];
    let arrived = () => {};
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen.push(...lines(text).map(({ kind }) => kind));
      arrived();
    });
    const until = async (kind: string) => {
      while (!seen.includes(kind))
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
    };
    await until("team_created");
    await tool(home, ["team", "task", "create", "--title", "x", "--team", team]);
    await until("task_created");
    await tool(home, ["team", "send", "ann", "hello", "--team", team]);
    await until("message_sent");
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
    expect(seen).toEqual(["team_created", "task_created", "message_sent"]);
  });

  it("needs no --team if there is one team, and names them if there are several and it may not choose", async () => {
    using other = temporaryHome();
    expect(await tool(other, ["team", "tasks"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `tool: there are no teams yet. Start one: node ${program} team "what to do"\n`,
    });
    await tool(other, ["team", "create", "only", "--members", "ann"]);
    expect((await tool(other, ["team", "tasks"])).stdout).toBe("There are no tasks yet.\n");
    await tool(other, ["team", "create", "second", "--members", "ann"]);
    expect((await tool(other, ["team", "send", "ann", "hello"])).stderr).toBe(
      "tool: which team? Name it with --team. None of them is running: only, second.\n",
    );
    const taken = "tool: no team is running. This is team second, the newest of this folder.\n";
    for (const command of ["status", "report", "log", "tasks", "answer"]) {
      const { code, stderr } = await tool(other, ["team", command]);
      expect([command, code, stderr]).toEqual([command, 0, taken]);
    }
    const attached = await tool(other, ["team", "attach"]);
    expect([attached.code, attached.stderr]).toEqual([2, expect.stringContaining("tool: team second is not in tmux")]);
    const stopped = await Promise.all([[], ["--json"]].map((flags) => tool(other, ["team", "stop", ...flags])));
    expect(stopped.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, "Nothing to stop: no team is running.\n"],
      [0, `${JSON.stringify({ ok: true, team: null, outcome: "nothing_ran", reaped: [], completed: 0, tasks: 0 })}\n`],
    ]);
    const list = JSON.parse((await tool(other, ["team", "list", "--json"])).stdout);
    expect(list.teams).toMatchObject([
      { name: "only", lead_pid: null, members: ["lead", "ann"], tasks: 0, completed: 0, problems: [] },
      { name: "second" },
    ]);
  });

  it("writes nothing while teams are disabled", async () => {
    using other = temporaryHome();
    const off = { ...other, env: { ...other.env, TOOL_EXPERIMENTAL_AGENT_TEAMS: "" } };
    const ran = await tool(off as Home, ["team", "create", "x", "--members", "ann"]);
    expect([ran.code, ran.stdout, readdirSync(other.config)]).toEqual([2, "", []]);
  });

  it("refuses impossible names, and creates nothing", async () => {
    const bad = await tool(home, ["team", "create", "x/y", "--members", "ann"]);
    expect(bad).toEqual({
      code: 2,
      stdout: "",
      stderr: 'tool: cannot name a team "x/y": a name is 1 to 40 of a-z, 0-9 and -, starting with a letter or a digit\n',
    });
    expect((await tool(home, ["team", "create", team, "--members", "ann"])).stderr).toContain("it exists already");
    expect(existsSync(`${home.config}/teams/x`)).toBe(false);
  });

  it("lists a team whose files are damaged, with the reason", async () => {
    using other = temporaryHome();
    mkdirSync(`${other.config}/teams/broken`, { recursive: true });
    writeFileSync(`${other.config}/teams/broken/team.json`, "{}");
    const { code, stdout } = await tool(other, ["team", "list"]);
    expect([code, stdout.includes("Cannot read the team record"), stdout.includes("tasks.json is missing")]).toEqual([0, true, true]);
  });
});

describe("an agent", () => {
  const commands = (as: string) => [
    ["team", "exec", "--as", as],
    ["team", "send", "ann", "x"],
    ["team", "task", "list"],
    ["team", "inbox", "--as", as],
    ["team", "answer"],
    ["team", "answer", "ann-12345", "--allow", "once"],
    ["team", "create", "mine", "--members", "ann"],
  ];

  it("cannot act as the user, because of its own environment", async () => {
    const marked = { ...home, env: { ...home.env, TOOL_OWNER: "s1:ann" } };
    for (const command of commands("lead")) {
      const ran = await toolProcess(marked as Home, [...command, ...(command[1] === "create" ? [] : ["--team", team])]);
      expect([ran.code, ran.stdout]).toEqual([3, ""]);
      expect(ran.stderr).toContain("s1:ann started this process");
    }
    expect((await toolProcess(marked as Home, ["team", "tasks", "--team", team])).code).toBe(0);
  });

  it("cannot remove the marker by emptying the environment", async () => {
    const child = spawn(
      "/bin/sh",
      [
        "-c",
        'env -i PATH="$PATH" TOOL_CONFIG_DIR="$TOOL_CONFIG_DIR" TOOL_EXPERIMENTAL_AGENT_TEAMS=1 "$@"; exit $?',
        "sh",
        process.execPath,
        program,
        "team",
        "send",
        "ann",
        "x",
        "--team",
        team,
      ],
      { env: { ...home.env, TOOL_OWNER: "s1:ann" } },
    );
    expect(await ended(child)).toBe(3);
  });
});
