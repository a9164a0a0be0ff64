// Every command that prints JSON, run for real: what it prints has exactly the fields of the table that docs/scripting.md is written from.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { call, gate, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type JsonOutput, outputs } from "../scripting/outputs.ts";
import { strict } from "../scripting/page.ts";
import { refusal } from "../scripting/shapes.ts";
import { type Place, teamPlace } from "../team-kit.ts";

type Ran = { code: number | null; json: Record<string, unknown>[]; fault: string | undefined };

/** `seen`: the schemas that something real has been compared with. */
function checked(there: Place, { env, seen }: { env: Record<string, string>; seen: Set<unknown> }) {
  return async (command: string, ...args: string[]): Promise<Ran> => {
    const words = command.split(" ").slice(1);
    const format = args.indexOf("--output-format");
    const option = format < 0 ? "--json" : `--output-format ${args[format + 1]}`;
    const program = there.warm([...words, ...(format < 0 ? ["--json"] : []), ...args], { env });
    const { code } = await program.ended;
    const output = outputs[command]?.find((one) => one.option === option);
    const printed = program.stdout().trim();
    if (!output || printed === "") return { code, json: [], fault: `${command} ${args.join(" ")} printed nothing: ${program.stderr()}` };
    const json = (output.prints === "one object" ? [printed] : printed.split("\n")).map((line) => JSON.parse(line));
    const faults = json.flatMap((value) => faultOf(output, value) ?? []);
    if (faults.length === 0) seen.add(output.schema);
    const result =
      output.prints === "a line for each event, and the result"
        ? outputs[command]?.find(({ prints }) => prints === "one object")
        : undefined;
    if (result && faultOf(result, json.at(-1)) === undefined) seen.add(result.schema); // its last line is what `json` prints
    return {
      code,
      json,
      fault: faults.length > 0 ? `${command} ${args.join(" ")}: ${faults.join("\n")}\n${printed.slice(0, 600)}` : undefined,
    };
  };
}

function faultOf({ schema }: JsonOutput, value: { ok?: unknown; error?: unknown }): string | undefined {
  const isRefusal = value.ok === false && typeof value.error === "object";
  return strict(isRefusal ? refusal : schema).safeParse(value).error?.message;
}

const sub = (name: string, more: Record<string, unknown>) =>
  call("Agent", { description: `work of ${name}`, prompt: "Work.", name, ...more });

it("prints the fields of the table, and no others", async () => {
  const there = teamPlace();
  const places = { far: { command: ["env"], folder: join(there.folder, "far") } };
  const displays = { mine: { open: "true", state: "true", close: "true" } };
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
  const permissions = { allow: ["Bash(node --test:*)"], deny: ["Read(secret)"] };
  there.write("config/settings.json", JSON.stringify({ places, displays, hooks, permissions }));
  there.write("config/skills/x/SKILL.md", "---\nname: x\ndescription: y\nallowed-tools: Read\nwrong: 1\n---\nz\n");
  there.write("repo/.tool/agents/apart.md", "---\nname: apart\ndescription: apart\nisolation: worktree\n---\nDo it.\n");
  for (const [path, content] of [
    ["a.txt", "one\n"],
    [".toolignore", "hidden.txt\n"],
    ["keys.txt", "ghp_0123456789abcdefghij0123456789abcdef\n"],
  ])
    there.write(`repo/${path}`, content ?? "");
  there.write("home/.claude/settings.json", JSON.stringify({ permissions: { allow: ["Bash(npm test)", "Nonsense(x)"] } }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...args], { cwd: there.repository });
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  for (const [key, value] of [["name", "Test"] as const, ["email", "test@localhost"] as const]) git("config", `user.${key}`, value);

  const waits = gate(text("(late)"));
  const api = await provider({
    tool: [
      [sub("ada", { subagent_type: "apart" }), sub("bo", { subagent_type: "apart" })],
      text("Done."),
      call("Bash", { command: "curl example.org" }),
      text("It was refused."),
      sub("cy", { background: true }),
      text("Started."),
      text("It stopped."),
    ],
    ada: [
      call("Read", { path: "a.txt" }),
      call("Write", { path: "a.txt", content: "ada's\n" }),
      call("Write", { path: "new.txt", content: "new\n" }),
      text("ada is done."),
    ],
    bo: [call("Read", { path: "a.txt" }), call("Write", { path: "a.txt", content: "bo's\n" }), text("bo is done.")],
    cy: [waits.answer, text("Gone on.")],
    lead: [
      [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "dee" })],
      text("Started."),
      text("All done."),
    ],
    dee: [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." }), text("Done.")],
  });
  const seen = new Set<unknown>();
  const run = checked(there, { env: api.env, seen });
  const ran: Ran[] = [];
  const check = async (command: string, ...args: string[]) => {
    const one = await run(command, ...args);
    ran.push(one);
    return one.json;
  };

  await check("tool", "--print", "--trust", "--permission-mode", "acceptEdits", "go on now");
  await check("tool", "--print", "--output-format", "stream-json", "--deny", "Bash", "go on now");
  const [
    {
      changes: [ada, bo],
    } = { changes: [] },
  ] = (await check("tool changes")) as { changes: { id: string }[] }[];
  await check("tool take", ada?.id ?? "");
  await check("tool take", bo?.id ?? "");
  await check("tool take", "--abort");
  await check("tool take", "--abort");
  await check("tool drop", "--yes", bo?.id ?? "");
  await check("tool privacy");
  await check("tool privacy", "a.txt");

  const session = there.warm(["--print", "go on now"], { env: api.env });
  await eventually(() => api.requests("cy").length >= 1);
  await check("tool watch");
  await check("tool tasks");
  await check("tool agents stop", "cy");
  waits.open();
  await session.ended;
  await check("tool agents resume", "cy");

  await check("tool team", "--print", "--display", "in-process", "--output-format", "stream-json", "Do it.");
  await check("tool team report");
  await check("tool team create", "beta", "--members", "lead,ada,bo");
  await check("tool team list");
  const beta = ["--team", "beta"];
  await check("tool team task create", ...beta, "--title", "One", "--description", "d", "--as", "lead");
  await check("tool team task create", ...beta, "--title", "Two", "--description", "d", "--as", "lead", "--depends", "task-1");
  await check("tool team task get", "task-1", ...beta);
  for (const [member, status] of [
    ["ada", "in_progress"],
    ["bo", "in_progress"],
    ["ada", "completed"],
  ] as const)
    await check(
      "tool team task update",
      "task-1",
      ...beta,
      "--as",
      member,
      "--status",
      status,
      ...(status === "completed" ? ["--summary", "s"] : []),
    );
  await check("tool team task list", ...beta);
  there.write("config/teams/beta/tasks.json", "damaged");
  await check("tool team task restore", ...beta);
  await check("tool team send", "lead", "hello", ...beta, "--as", "ada");
  await check("tool team inbox", "lead", ...beta);
  for (const command of ["tasks", "log", "status", "report", "answer", "stop"]) await check(`tool team ${command}`, ...beta);
  await check("tool team gc", "--dry-run");
  await check("tool team delete", "beta");

  const looks: [string, ...string[]][] = [
    ["tool doctor"],
    ["tool hooks list"],
    ["tool hooks schema"],
    ["tool skills list"],
    ["tool skills show", "x"],
    ["tool skills validate", "../config/skills"],
    ["tool agents list"],
    ["tool agents show", "coordinator"],
    ["tool agents validate"],
    ["tool mcp add", "b", "--", "cat"],
    ["tool mcp add-json", "c", '{ "command": "cat" }'],
    ["tool mcp list"],
    ["tool mcp get", "b"],
    ["tool mcp test", "b"],
    ["tool mcp remove", "b"],
    ["tool permissions"],
    ["tool permissions check", "Bash(ls)", "Read(hidden.txt)"],
    ["tool permissions add", "Bash(x)"],
    ["tool permissions remove", "Bash(x)"],
    ["tool config", "permissions"],
    ["tool config get", "permissions.allow"],
    ["tool config set", "model", "opus"],
    ["tool config unset", "model"],
    ["tool ignore check", "a.txt", "hidden.txt"],
    ["tool import"],
    ["tool display test", "mine"],
    ["tool place list"],
    ["tool place test", "far"],
    ["tool place gc", "far"],
    ["tool secrets scan", "."],
  ];
  for (const [command, ...args] of looks) await check(command, ...args);

  const apart = teamPlace();
  const fixture = batchFixture(apart, [made("a"), made("c", " the wrong way"), ...waitingFor("c", ["d", "e", "f"])]);
  const batch = checked(apart, { env: {}, seen });
  const flags = [
    "--yes",
    "--no-pr",
    "--concurrency",
    "3",
    "--max-turns",
    "4",
    "--script",
    fixture.script,
    "--allow",
    "Bash(node --test:*)",
  ];
  ran.push(
    await batch("tool batch", "--plan", fixture.plan, ...flags),
    await batch("tool batch", "--list"),
    await batch("tool batch", "--gc"),
  );
  ran.push(await batch("tool changes"));

  expect(ran.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  const unseen = Object.entries(outputs).flatMap(([command, list]) =>
    list.flatMap(({ schema, option }) => (seen.has(schema) ? [] : `${command} ${option}`)),
  );
  expect(unseen).toEqual([]);
});
