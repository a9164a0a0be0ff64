// A coordinator and its workers, as the built program runs them against a provider on loopback.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { anOrder } from "../subagents/kit.ts";
import { aboutWork, teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

async function place(cast: Record<string, Part>) {
  const api = await provider({
    tool: [
      call("Agent", { subagent_type: "coordinator", name: "boss", description: "migrate", prompt: "Migrate all." }),
      text("All said."),
    ],
    ...cast,
  });
  const there = teamPlace();
  const start = (...args: string[]) => there.warm(args, { env: api.env });
  const projects = join(there.configDir, "projects");
  const file = (name: string) => {
    const path = !existsSync(projects)
      ? undefined
      : readdirSync(projects, { recursive: true, encoding: "utf8" }).find((one) => one.endsWith(`/${name}`));
    return path === undefined ? "" : readFileSync(join(projects, path), "utf8");
  };
  type Kept = { id: string; name: string; state: string; model: string; reason?: string };
  const records = () => (JSON.parse(file("agents.json") || '{"agents":[]}') as { agents: Kept[] }).agents;
  return { api, there, start, file, records };
}

const worker = (component: string, change: Record<string, unknown> = {}) =>
  call("StartWorker", { ...anOrder(), component, files: [`src/${component}.js`], testCommand: "true", ...change });
const write = (path: string) => call("Write", { path, content: `// ${path}\n` });

it("runs workers in phases, tells them of new files, records who failed and delivers every report to the coordinator", async () => {
  const slow = gate(text("log is done."));
  const { api, there, start, file, records } = await place({
    boss: [
      [
        worker("log"),
        worker("twin", { files: ["./src/log.js"] }),
        worker("far", { files: ["../far.js"] }),
        call("StartWorker", { ...anOrder(), component: "vague", testCommand: undefined }),
        worker("time"),
        worker("orders", { phase: 2 }),
        worker("mail", { phase: 2, after: ["time"] }),
      ],
      ...Array.from({ length: 6 }, () => text("Noted.")),
    ],
    log: [write("src/log.js"), slow.answer],
    time: [call("RecordFailure", { item: "time", error: "no zone" }), text("time failed.")],
    orders: [write("src/orders.js"), call("Bash", { command: "true" }), text("orders is done.")],
  });
  mkdirSync(join(there.repository, "src"));
  writeFileSync(join(there.repository, "src/time.js"), "\n");
  const program = start("--print", "--allow", "Write", "--allow", "Bash(true)", "go on now");
  await eventually(
    () => records().find(({ name }) => name === "time")?.state === "failed" && existsSync(join(there.repository, "src/log.js")),
  );
  expect(records().map(({ name, state }) => `${name} ${state}`)).toContain("orders pending");
  expect(api.requests("orders")).toEqual([]);
  slow.open();
  expect(await program.ended).toEqual({ code: 1 });

  const [log, time] = records().filter(({ name }) => ["log", "time"].includes(name));
  expect(toolResults(api.requests("boss")[1])).toEqual([
    `The worker log is at work as ${log?.id}. Its report arrives by itself; do not poll.`,
    expect.stringContaining(`Cannot start this agent: src/log.js is a file of the worker log (${log?.id}) that is `),
    expect.stringContaining('Cannot start the worker "far": the file "../far.js" is not a file below the working directory'),
    expect.stringContaining("StartWorker cannot take this input: testCommand: it is missing: the command that runs the component's tests"),
    `The worker time is at work as ${time?.id}. Its report arrives by itself; do not poll.`,
    expect.stringMatching(/^The worker orders waits as a-\w{4} and begins by itself when these have ended: log, time\. Do not poll\.$/),
    expect.stringMatching(/^The worker mail waits/),
  ]);
  expect(records().map(({ name, state, model }) => `${name} ${state} ${model}`)).toEqual([
    "boss completed claude-opus-5-5",
    "log completed claude-haiku-5-5",
    "time failed claude-haiku-5-5",
    "orders completed claude-haiku-5-5",
    "mail failed claude-haiku-5-5",
  ]);
  const [first] = api.requests("orders");
  expect(newest(first)).toContain("New files of other workers, theirs to change and yours to use:\\n- src/log.js (log)");
  expect(JSON.stringify(api.requests("log")[1]?.body)).not.toContain("theirs to change");
  expect(["Agent", "StartWorker"].filter((name) => first?.body.tools?.some((tool) => tool.name === name))).toEqual([]);
  expect(["boss", "log", "orders"].map((name) => firstThatDoesNotExtend(api.requests(name)))).toEqual([undefined, undefined, undefined]);
  const heard = JSON.stringify(api.requests("boss").at(-1)?.body.messages);
  for (const name of ["log", "time", "orders", "mail"])
    expect(heard.match(new RegExp(`<agent_report [^>]*name=\\\\"${name}\\\\"`, "g")), name).toHaveLength(1);
  expect(heard).toContain("It was not begun: it needs time (failed).");
  const failures = file("failures.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(failures.map(({ agent, item, error }) => ({ agent, item, error }))).toEqual([
    { agent: "time", item: "time", error: "no zone" },
    { agent: "mail", item: "mail", error: "It was not begun: it needs time (failed)." },
  ]);
  expect(aboutWork(program.stderr())).toContain("2 items are recorded in ");
});

it("stops a worker before it writes another file, also by a command, and continues once a person allows it", async () => {
  const { api, there, start, records } = await place({
    boss: [[worker("log"), worker("time")], text("Noted."), text("Noted."), text("Both need the person.")],
    log: [write("src/log.js"), write("src/time.js"), text("log is done.")],
    time: [call("Bash", { command: "echo x > src/log.js" }), text("time is done.")],
  });
  await start("--print", "--permission-mode", "acceptEdits", "--allow", "Bash(echo:*)", "go on now").ended;
  const [, log, time] = records();
  expect(records().map(({ name, state }) => `${name} ${state}`)).toEqual([
    "boss completed",
    "log needs_permission",
    "time needs_permission",
  ]);
  expect(log?.reason).toContain(`${there.repository}/src/time.js is not among the files of this worker: src/log.js`);
  expect(time?.reason).toContain(`${there.repository}/src/log.js is not among the files of this worker: src/time.js`);
  expect(readFileSync(join(there.repository, "src/log.js"), "utf8")).toBe("// src/log.js\n");
  expect(existsSync(join(there.repository, "src/time.js"))).toBe(false);

  const seat = personsTerminal([...tool, "agents", "resume", log?.id ?? "", "--permission-mode", "acceptEdits"], {
    env: { ...there.env, ...api.env },
    cwd: there.repository,
    columns: 120,
    rows: 40,
  });
  await seat.shows("is not among the files of this worker: src/log.js");
  expect(existsSync(join(there.repository, "src/time.js"))).toBe(false);
  await choose(seat, "y");
  await eventually(() => records()[1]?.state === "completed");
  expect(readFileSync(join(there.repository, "src/time.js"), "utf8")).toBe("// src/time.js\n");
  await seat.shows("✓ 1 file"); // its coordinator has ended, so the report goes to the session
  await eventually(() => JSON.stringify(api.requests("tool").at(-1)?.body.messages).includes("log is done."));
});

it("continues in the order of its phases after the session was killed, and every report arrives once", async () => {
  const slow = gate(text("Never read."));
  const { api, there, start, records } = await place({
    tool: [[worker("log"), worker("orders", { phase: 2 })], text("Started."), text("Noted."), text("Noted.")],
    log: [slow.answer, text("log is done.")],
    orders: [text("orders is done.")],
  });
  there.write("config/settings.json", '{"agents": {"coordinatorModel": "sonnet", "workerModel": "opus"}}');
  const killed = there.piped(["--print", "--agent", "coordinator", "go on now"], { env: api.env, input: "" });
  await eventually(() => api.requests("tool").length === 2 && api.requests("log").length === 1);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  expect(records().map(({ name, state }) => `${name} ${state}`)).toEqual(["log running", "orders pending"]);
  expect(await start("--print", "--continue", "and what now?").ended).toEqual({ code: 0 });
  slow.open();
  expect(records().map(({ name, state }) => `${name} ${state}`)).toEqual(["log completed", "orders completed"]);
  const count = (body: unknown, words: string) => JSON.stringify(body).split(words).length - 1;
  const heard = api.requests("tool").at(-1)?.body.messages;
  expect(["log is done.", "orders is done."].map((words) => count(heard, words))).toEqual([1, 1]);
  const [first] = api.requests("tool");
  expect(first?.body.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(["Read", "StartWorker"]));
  expect(first?.body.tools?.map(({ name }) => name)).not.toContain("Write");
  expect([first?.body.model, api.requests("orders")[0]?.body.model]).toEqual(["claude-sonnet-5-5", "claude-opus-5-5"]);
  expect(firstThatDoesNotExtend(api.requests("tool"))).toBeUndefined();
});

it("ends its workers with a coordinator that is stopped, and reports that alone", async () => {
  const never = gate(text("Never."));
  const { api, start, records } = await place({
    tool: [
      call("Agent", { subagent_type: "coordinator", name: "boss", description: "migrate", prompt: "Migrate all.", background: true }),
      text("Started."),
      text("It was stopped."),
    ],
    boss: [[worker("log"), worker("orders", { phase: 2 })], text("Started.")],
    log: [never.answer],
  });
  const program = start("--print", "go on now");
  await eventually(() => api.requests("log").length === 1 && api.requests("boss").length === 2);
  expect(await start("agents", "stop", "boss").ended).toEqual({ code: 0 });
  expect(await program.ended).toEqual({ code: 1 });
  never.open();
  expect(records().map(({ name, state }) => `${name} ${state}`)).toEqual(["boss stopped", "log stopped", "orders stopped"]);
  expect(records()[1]?.reason).toBe("It was stopped with the agent that started it.");
  const heard = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
  expect(heard.match(/<agent_report [^>]*>/g)).toHaveLength(1);
});
