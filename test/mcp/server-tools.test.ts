import { expect, it } from "vitest";
import { catalogOf } from "../../src/mcp/catalog.ts";
import { type ServerToolsOrder, serverTools } from "../../src/mcp/server-tools.ts";
import { inMemory, rawTools, signal } from "./kit.ts";

const budget: ServerToolsOrder["budget"] = { tokens: 100, estimate: (text) => Math.ceil(text.length / 3.5) };
const known = (lists: Record<string, ReturnType<typeof rawTools>>) => ({
  lists: { read: (name: string) => lists[name] && catalogOf(name, lists[name]), keep: () => {} },
});

it("puts the tools of servers into the request as long as all of one fit, and two constant ones for the others", () => {
  const lists = { small: rawTools("one"), large: rawTools("a", "b", "c", "d"), unknown: rawTools("x"), last: rawTools("two") };
  const { unknown: _, ...seen } = lists;
  const { connections, started } = inMemory(lists, known(seen));
  const tools = serverTools({ connections: connections.all, budget, desk: undefined });
  expect(tools.map(({ name, readOnly, schema }) => [name, readOnly, schema])).toEqual([
    ["mcp__small__one", false, { type: "object", properties: { a: { type: "string" } } }],
    ["mcp__last__two", false, { type: "object", properties: { a: { type: "string" } } }],
    ["McpSearch", true, undefined],
    ["McpCall", false, undefined],
  ]);
  expect(tools[2]?.description).toContain("there are: large, unknown.");
  expect(started).toEqual([]);
});

it("has no further tools where all fit", () => {
  const lists = { small: rawTools("one") };
  const { connections } = inMemory(lists, known(lists));
  expect(serverTools({ connections: connections.all, budget, desk: undefined }).map(({ name }) => name)).toEqual(["mcp__small__one"]);
});

it("starts a server at the first call, and once", async () => {
  const lists = { small: rawTools("one"), other: rawTools("two") };
  const { connections, started } = inMemory(lists, known(lists));
  const [one] = serverTools({ connections: connections.all, budget, desk: undefined });
  const calls = await Promise.all([one!.run({ a: "1" }, { signal }), one!.run({ a: "2" }, { signal })]);
  expect(calls.map(({ text }) => text)).toEqual([
    'The server "small" answered:\none {"a":"1"}',
    'The server "small" answered:\none {"a":"2"}',
  ]);
  expect(started).toEqual(["small"]);
});

it("finds tools by words, starts servers for it, and names those that do not start", async () => {
  const { connections, started } = inMemory({ forge: rawTools("create_issue", "closeIssue", "list"), broken: undefined });
  const [search] = serverTools({ connections: connections.all, budget, desk: undefined });
  const { text, summary } = await search!.run({ query: "close an issue" }, { signal });
  expect(summary).toBe("2 tools");
  expect(text.split("\n")).toEqual([
    "mcp__forge__closeIssue: Does closeIssue.",
    'input: {"type":"object","properties":{"a":{"type":"string"}}}',
    "",
    "mcp__forge__create_issue: Does create_issue.",
    'input: {"type":"object","properties":{"a":{"type":"string"}}}',
    "",
    'The server "broken" ended with exit code 1.',
  ]);
  expect(started).toEqual(["forge", "broken"]);
});

it("forwards a call to the tool that rules know by its name, and to no other server", async () => {
  const { connections } = inMemory({ forge: rawTools("list"), hidden: rawTools("list") });
  const allowed = connections.all.filter(({ configured }) => configured.name === "forge");
  const call = serverTools({ connections: allowed, budget, desk: undefined }).find(({ name }) => name === "McpCall")!;
  const meant = call.forwards?.({ tool: "mcp__forge__list", arguments: { a: "x" } });
  expect([meant?.tool.name, meant?.input, meant?.tool.readOnly]).toEqual(["mcp__forge__list", { a: "x" }, false]);
  expect((await meant!.tool.run(meant!.input, { signal })).text).toBe('The server "forge" answered:\nlist {"a":"x"}');
  const missing = call.forwards?.({ tool: "mcp__forge__lst" });
  expect((await missing!.tool.run({}, { signal })).text).toBe(
    'Cannot call mcp__forge__lst: the server "forge" has no such tool. Did you mean mcp__forge__list?',
  );
  expect(["mcp__hidden__list", "Bash", "mcp__forge", "mcp__forge____x"].map((tool) => call.forwards?.({ tool }))).toEqual(
    Array(4).fill(undefined),
  );
});
