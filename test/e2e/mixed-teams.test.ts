// Teams in which other programs are members: a shell script, and a client of the protocol's own library.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it } from "vitest";
import { openBoard } from "../../src/board/board.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { call, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";

/** Shell functions for a member: `ask TOOL ARGUMENTS` prints the reply of the board. */
const shell = `#!/bin/sh
ask() {
  printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"$2"'}}' | tool team mcp \${3:+--as $3}
}
`;

function placeWith(script: string, entry: Record<string, unknown> = {}) {
  const place = teamPlace();
  const program = place.write("bin/member", shell + script, { mode: 0o755 });
  settingsOf(place, { members: { shell: { command: [program], ...entry } } });
  return place;
}

function settingsOf({ configDir }: Place, settings: Record<string, unknown>) {
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(configDir, "settings.json"), JSON.stringify(settings));
}

const readIn = ({ folder }: Place, path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "");

const start = (place: Place, env: Record<string, string>, ...more: string[]) =>
  place.tool(["team", "--print", "--display", "in-process", "--teammate", "carl=shell", ...more, "Do it."], { env });

const create = (title: string) => call("TaskCreate", { title, description: "Do it." });

it("a shell script claims a task, does it, writes to the lead, and is started again for another one", async () => {
  const place = placeWith(`
id=$(ask TaskList '{}' | grep -o 'task-[0-9]* open' | head -1 | cut -d' ' -f1)
[ -n "$id" ] || exit 0
ask TaskUpdate '{"id":"'"$id"'","status":"in_progress"}'
echo "$id" >> done.txt
ask SendMessage '{"to":"lead","text":"half of it: '"$id"'"}'
ask TaskUpdate '{"id":"'"$id"'","status":"completed","summary":"Wrote a line."}'
`);
  const api = await provider({
    lead: [[create("One"), create("Two")], text("Waiting."), text("I see."), text("I see."), text("Reported."), text("Reported.")],
  });
  const run = start(place, api.env);
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });
  expect(place.team().tasks()).toMatchObject([
    { id: "task-1", status: "completed", assigned_to: "carl", summary: "Wrote a line." },
    { id: "task-2", status: "completed", assigned_to: "carl" },
  ]);
  expect(api.requests("lead").map(newest).join("\n")).toContain("half of it: task-1");
  expect(place.team().record()?.members[1]).toMatchObject({ name: "carl", program: "shell" });
});

it("what a member may not do is refused: another name, the person's answers, a task of the lead", async () => {
  const place = placeWith(`
exec > "$HOME/said" 2>&1
ask TaskList '{}' ann
ask TaskList '{}' user
ask TaskList '{}' lead
tool team answer --team "$TOOL_TEAM"
tool team send lead "I am the person" --team "$TOOL_TEAM"
ask TaskCreate '{"title":"Mine"}'
ask Answer '{"allow":true}'
ask SendMessage '{"to":"lead","text":"x","from":"user"}'
ask TaskUpdate '{"id":"task-1","status":"completed","summary":"Not mine."}'
ask TaskUpdate '{"id":"task-1","status":"in_progress"}'
ask TaskUpdate '{"id":"task-1","status":"completed"}'
ask TaskUpdate '{"id":"task-1","status":"completed","summary":"Tried all."}'
`);
  const api = await provider({ lead: [create("One"), text("Waiting."), text("Reported.")] });
  const run = start(place, api.env);
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });
  const said = readIn(place, "home/said").replaceAll('\\"', '"');
  for (const part of [
    'cannot act as "ann": team atlas has no such member',
    "cannot serve the board as user",
    'cannot act as "lead"',
    "cannot run this as an agent",
    'There is no tool "TaskCreate"',
    'There is no tool "Answer"',
    '"from" is not an argument',
    "(bad_transition)",
    "(missing_summary)",
    "task-1 is completed, by carl",
  ])
    expect(said).toContain(part);
  expect(
    place
      .team()
      .events()
      .filter(({ kind, by }) => kind === "task_completed" && by !== "carl"),
  ).toEqual([]);
});

it("a program that fails is started again and then given up; its task is blocked, and the lead hands it over", async () => {
  const place = placeWith(`
ask TaskUpdate '{"id":"task-1","status":"in_progress"}' > /dev/null
echo half > half.txt
echo "out of luck"
exit 3
`);
  const api = await provider({
    lead: [
      create("One"),
      text("Waiting."),
      [call("TaskUpdate", { id: "task-1", status: "open", assignee: null }), call("SpawnTeammate", { name: "ann" })],
      text("Waiting."),
      text("Reported."),
    ],
    ann: [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." }), text("Done.")],
  });
  const run = start(place, api.env);
  expect(await run.ended, run.output()).toMatchObject({ code: expect.any(Number) });
  const told = api.requests("lead").map(newest).join("\n");
  expect(told).toContain("carl is gone: its program failed");
  expect(told).toContain("out of luck");
  expect(
    place
      .team()
      .events()
      .filter(({ kind }) => kind === "member_restarted"),
  ).toHaveLength(3);
  expect(place.team().tasks()[0]).toMatchObject({ status: "completed", assigned_to: "ann" });
}, 60_000);

it.each([
  ["whose interpreter is missing", "#!/no/such/interpreter\n"],
  ["that looks a moment for what it runs", "#!/bin/sh\nsleep 0.5\nexit 127\n"],
])("a team whose only member is a program %s has failed, and says why", async (_, script) => {
  const place = teamPlace();
  const program = place.write("bin/member", script, { mode: 0o755 });
  settingsOf(place, { members: { shell: { command: [program] } } });
  const api = await provider({ lead: [text("Nobody is here."), text("Nobody is here.")] });
  const args = ["team", "--print", "--output-format", "json", "--display", "in-process", "--teammate", "carl=shell", "Do it."];
  const run = place.warm(args, { env: api.env });
  expect(await run.ended, run.stderr()).toMatchObject({ code: 1 });
  const report = JSON.parse(run.stdout()) as { exit_code: number; failures: unknown[] };
  expect(report).toMatchObject({
    exit_code: 1,
    failures: [{ agent: "carl", item: "the session", error: expect.stringContaining("its program failed") }],
  });
  expect(run.stderr()).toMatch(/^Failed: carl: its program failed.* \(exit status 12[67]\)/m);
  expect(run.stderr()).not.toContain("Meanwhile");
  const reported = place.warm(["team", "report", "--team", "atlas", "--json"]);
  expect(await reported.ended, reported.output()).toMatchObject({ code: 0 });
  expect(JSON.parse(reported.output())).toMatchObject({ failures: report.failures });
});

it("a program that waits is told of a task and of mail by a line on its input, and ends with its team", async () => {
  const place = placeWith(
    `
while read -r line; do
  echo "told: $line" >> "$HOME/lines"
  ask Inbox '{}' >> "$HOME/lines"
  id=$(ask TaskList '{}' | grep -o 'task-[0-9]* open' | head -1 | cut -d' ' -f1)
  [ -n "$id" ] && ask TaskUpdate '{"id":"'"$id"'","status":"in_progress"}' && ask TaskUpdate '{"id":"'"$id"'","status":"completed","summary":"Yes."}'
done
`,
    { wake: { input: "$" + "{TOOL_NEWS}" } },
  );
  const later = gate(call("SendMessage", { to: "carl", text: "one more question" }));
  const api = await provider({ lead: [create("One"), later.answer, text("Waiting."), text("Reported."), text("Reported.")] });
  const run = start(place, api.env);
  await eventually(() => place.team().tasks()[0]?.status === "completed");
  later.open();
  await eventually(() => readIn(place, "home/lines").includes("one more question"));
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });
  expect(readIn(place, "home/lines")).toContain("told: task-1 can be claimed: call TaskList.");
  expect(readIn(place, "home/lines")).toContain("told: There is a message for you: call Inbox.");
});

it("a program that claims a task and goes silent is ended; its task is blocked with the files that have changed, and it is started again", async () => {
  const place = placeWith(`
[ -e "$HOME/claimed" ] && exec sleep 1000
until ask TaskUpdate '{"id":"task-1","status":"in_progress"}' | grep -q 'is in_progress'; do sleep 0.2; done
touch "$HOME/claimed"
echo half > half.txt
exec sleep 1000
`);
  const stop = gate(call("StopTeammate", { name: "carl" }));
  const api = await provider({ lead: [create("One"), text("Waiting."), stop.answer, text("Given up."), text("Given up.")] });
  const run = start(place, api.env);
  await eventually(() => readIn(place, "repo/half.txt") !== "");
  await eventually(() => place.team().status("carl")?.task === "task-1");
  expect(place.team().status("carl")).toMatchObject({ state: "working", hung_after_ms: 600_000 });
  // What the lead does after twice the time of the setting.
  openBoard({ disk, lock: lock(), clock }, place.team().folder).send({ from: "lead", to: "carl", kind: "interrupt", text: "No event." });
  await eventually(() => place.team().tasks()[0]?.status === "blocked");
  expect(place.team().tasks()[0]?.blocked_reason).toBe("carl gave no sign for too long, and its program was ended");
  await eventually(() => api.requests("lead").length >= 3);
  expect(api.requests("lead").map(newest).join("\n")).toContain("Files touched so far: half.txt.");
  await eventually(() => place.team().status("carl")?.task === null);
  stop.open();
  await run.ended;
  expect(place.team().exit("carl")).toMatchObject({ reason: "stopped" });
}, 60_000);

it("the library's client sees the tools with their inputs, and gets what any member gets", async () => {
  const place = teamPlace();
  await place.warm(["team", "create", "relay", "--members", "lead,ann,bo"]).ended;
  const connect = async (as: string) => {
    const client = new Client({ name: "test", version: "1" });
    const [command = "", ...args] = tool;
    await client.connect(
      new StdioClientTransport({ command, args: [...args, "team", "mcp", "--as", as, "--team", "relay"], env: place.env }),
    );
    const use = async (name: string, input: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      return `${isError ? "refused: " : ""}${(content as { text: string }[])[0]?.text}`;
    };
    return { client, use };
  };
  const [lead, ann] = [await connect("lead"), await connect("ann")];
  expect((await ann.client.listTools()).tools.map(({ name }) => name)).toEqual([
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "SendMessage",
    "Inbox",
  ]);
  expect(ann.client.getInstructions()).toContain('You are ann, a member of the team "relay".');
  expect(await lead.use("TaskCreate", { title: "One" })).toBe("Created task-1: One.");
  expect(await lead.use("TaskCreate", { title: "Two", dependencies: ["task-1"] })).toBe("Created task-2: Two.");
  expect(await ann.use("TaskUpdate", { id: "task-2", status: "in_progress" })).toMatch(/^refused: .*\(dependency_incomplete\)$/);
  expect(await ann.use("TaskUpdate", { taskId: "task-1", status: "in_progress" })).toBe("task-1 is in_progress, with ann.");
  expect(await ann.use("TaskUpdate", { id: "task-1", status: "blocked", reason: "no key" })).toBe("task-1 is blocked, with ann.");
  expect(await lead.use("Inbox")).toContain("no key");
  expect(await lead.use("SendMessage", { to: "ann", text: "here it is" })).toBe("Sent to ann.");
  const inbox = JSON.parse(await ann.use("Inbox")) as { id: string; from: string; text: string };
  expect(inbox).toEqual({ id: expect.any(String), from: "lead", text: "here it is" });
  expect(await ann.use("Inbox", { ack: [inbox.id] })).toBe("There are no messages.");
  expect(await ann.use("Inbox", { ack: ["nothing"] })).toMatch(/^refused: .*\(not_found\)$/);
  const raw = place.piped(["team", "mcp", "--as", "ann", "--team", "relay"], {
    input: [
      "no json",
      "[]",
      '{"jsonrpc":"2.0","id":1,"method":"resources/list"}',
      '{"jsonrpc":"2.0","id":"a","method":"tools/call"}',
      "",
    ].join("\n"),
  });
  expect(await raw.ended).toMatchObject({ code: 0 });
  const replies = raw
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; error: { code: number } });
  expect(replies.map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [1, -32601],
    ["a", -32602],
  ]);
  await Promise.all([lead.client.close(), ann.client.close()]);
});
