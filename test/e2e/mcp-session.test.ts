// Servers of sessions, agents and teams: who gets which, what a person types, and that nothing of them is left, whatever ends a session.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, type Place, teamPlace } from "../team-kit.ts";

const node = (...args: string[]) => ({ command: process.execPath, args });
const reference = (name: string, ...args: string[]) =>
  node(resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args);
const faulty = node(resolve("dist/test/hostile-server.js"), "");

async function place(cast: Record<string, Part>, settings: Record<string, unknown>) {
  const api = await provider(cast);
  const there = teamPlace();
  there.write("config/settings.json", JSON.stringify(settings));
  const start = (...args: string[]) => there.piped(args, { env: api.env, input: "" });
  return { api, there, start };
}

/** The servers that run for this place: the end of the marker that each carries. */
function running({ folder }: Place): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
      return environment.includes(folder) ? (/TOOL_OWNER=[^\0]*\/mcp-([^\0]*)/.exec(environment)?.[1] ?? []) : [];
    } catch {
      return []; // no process, or gone meanwhile
    }
  });
}

type Sent = { body: { tools?: { name: string; description?: string }[] } } | undefined;
/** What the tool that searches says of the servers behind it. */
const behind = (request: Sent) =>
  (request?.body.tools ?? [])
    .filter(({ name }) => name === "McpSearch")
    .map(({ description }) => /there are: (.*?)\. /.exec(description ?? "")?.[1]);

it("a person's line uses a prompt of a server and attaches a resource of it; what is not there is said", async () => {
  const parts = [text("One."), text("Two."), text("Three.")];
  const { api, start } = await place({ tool: parts }, { mcpServers: { every: reference("everything") } });
  const print = async (line: string) => {
    const program = start("--print", line);
    return { code: (await program.ended).code, stderr: aboutWork(program.stderr()) };
  };
  expect(await print("/every:args-prompt Paris far away")).toEqual({ code: 0, stderr: "" });
  expect(newest(api.requests("tool")[0])).toContain(
    'The person typed /every:args-prompt Paris far away, a prompt of the server \\"every\\":\\n\\nWhat\'s weather in Paris, far away?',
  );
  expect(await print("Look at @every:demo://resource/dynamic/text/7, please.")).toEqual({ code: 0, stderr: "" });
  expect(newest(api.requests("tool")[1])).toContain("@every:demo://resource/dynamic/text/7, attached by the person:");
  expect(newest(api.requests("tool")[1])).toContain("Resource 7: This is a plaintext resource");
  await print("/every:args-promt");
  expect(newest(api.requests("tool")[2])).toContain(
    'which did not work: the server has no prompt \\"args-promt\\". Did you mean \\"args-prompt\\"?',
  );
});

it("an agent has the servers that its definition names, and never more than the one that started it", async () => {
  const definition = (name: string, keys: string) => `---\nname: ${name}\ndescription: ${name}\n${keys}\n---\nLook.\n`;
  const start = (name: string) => call("Agent", { description: "look", prompt: "Look.", subagent_type: name, name });
  const {
    api,
    there,
    start: run,
  } = await place(
    {
      tool: [start("one"), text("Done.")],
      one: [start("two"), text("Done.")],
      two: [call("McpCall", { tool: "mcp__b__read_graph" }), text("Done.")],
    },
    {
      mcpServers: { a: reference("memory"), b: reference("memory"), c: reference("memory") },
      permissions: { allow: ["mcp__a", "mcp__b"] },
    },
  );
  there.write("config/agents/one.md", definition("one", "mcpServers: [a, c]"));
  there.write("config/agents/two.md", definition("two", "mcpServers: [a, b]"));
  expect(await run("--print", "Look.").ended).toEqual({ code: expect.any(Number) });
  expect(["tool", "one", "two"].map((name) => behind(api.requests(name)[0]))).toEqual([["a, b, c"], ["a, c"], ["a"]]);
  expect(toolResults(api.requests("two")[1])[0]).toContain("mcp__b__read_graph");
  expect(toolResults(api.requests("two")[1])[0]).not.toContain("answered");
});

it("in a team only what is called is started, a role has the servers that it names, and a member's end ends its servers", async () => {
  const servers = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, reference("memory")]));
  const held = gate(call("McpCall", { tool: "mcp__b__read_graph" }));
  const end = gate(text("Done."));
  const members = ["ada", "bo", "cy"];
  const idle = [text("I wait.")];
  const { api, there } = await place(
    {
      lead: [
        members.map((name) => call("SpawnTeammate", { name })),
        [...members, "di"].map((assignee) => call("TaskCreate", { title: `Look with ${assignee}`, description: "Do it.", assignee })),
        text("They are at work."),
      ],
      ada: [call("TaskList", {}), held.answer, end.answer],
      bo: idle,
      cy: idle,
      di: idle,
    },
    { mcpServers: servers, permissions: { allow: ["mcp__b"] } },
  );
  there.write("config/agents/narrow.md", "---\nname: narrow\ndescription: narrow\nmcpServers: [b, e]\n---\nLook.\n");
  const team = there.tool(["team", "--print", "--display", "in-process", "--teammate", "di=narrow", "Look."], { env: api.env });
  await eventually(() => api.requests("ada").length === 2 && ["bo", "cy", "di"].every((name) => api.requests(name).length > 0));
  expect(running(there)).toEqual([]);
  expect(["lead", "ada", "di"].map((name) => behind(api.requests(name)[0]))).toEqual([[], ["a, b, c, d, e"], ["b, e"]]);
  held.open();
  await eventually(() => api.requests("ada").length >= 3);
  expect(toolResults(api.requests("ada")[2])[0]).toContain('The server "b" answered:');
  expect([...new Set(running(there))]).toEqual(["b-1"]);
  end.open();
  process.kill(team.pid, "SIGINT");
  await team.ended;
  await eventually(() => running(there).length === 0);
});

it("a session that is killed leaves no process of its servers, children of them included", async () => {
  const parts = [call("McpCall", { tool: "mcp__h__child" }), call("McpCall", { tool: "mcp__h__silent" })];
  const { api, there, start } = await place({ tool: parts }, { mcpServers: { h: faulty }, permissions: { allow: ["mcp__h"] } });
  const session = start("--print", "Go.");
  await eventually(() => api.requests("tool").length === 2 && running(there).length >= 2);
  process.kill(session.pid, "SIGKILL");
  await eventually(() => running(there).length === 0, 10_000);
});
