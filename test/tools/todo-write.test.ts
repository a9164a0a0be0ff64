// An agent's to-do list: what is stored, and that a refused call leaves the list unchanged.
import { expect, it } from "vitest";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { readArguments } from "../../src/tools/arguments.ts";
import { todoWriteTool } from "../../src/tools/todo-write.ts";
import type { AnyTool } from "../../src/tools/tool.ts";

async function write(raw: unknown): Promise<{ text: string; isError: boolean }> {
  const tool: AnyTool = todoWriteTool();
  const read = readArguments(tool, raw);
  if (!read.ok) return { text: read.reason, isError: true };
  const { text, isError } = await tool.run(read.input, { signal: new AbortController().signal });
  return { text, isError };
}
const todos = (count: number, status = "pending") => Array.from({ length: count }, (_, n) => ({ content: `Step ${n + 1}`, status }));

it("answers with the list, one item per line, and accepts fields of other tools", async () => {
  const list = [
    { content: "Find the\nparser", status: "completed", activeForm: "Finding the parser", id: "1" },
    { content: "Fix it", status: "in_progress" },
    { content: "Tests", status: "pending", priority: "high" },
  ];
  expect(await write({ todos: list })).toEqual({ text: "[x] Find the parser\n[>] Fix it\n[ ] Tests", isError: false });
  expect(await write({ todos: [] })).toEqual({ text: "(the list is empty)", isError: false });
});

it.each([
  [todos(1_000), "it has 1000 items, and at most 50 are kept. Put small steps together"],
  [todos(2, "in_progress"), "2 items are in_progress, and only one may be"],
  [[{ content: " ", status: "pending" }], "item 1 is blank or longer than 200 characters"],
  [[...todos(1), { content: "x".repeat(201), status: "pending" }], "item 2 is blank or longer than 200 characters"],
])("refuses an unusable list", async (list, reason) => {
  expect(await write({ todos: list })).toEqual({ text: `Cannot keep this list: ${reason}. The list is as it was.`, isError: true });
});

it.each(["todos", "items"])("refuses an item of %s with an unknown field, by name", async (list) => {
  const [first, second] = todos(2);
  expect(await write({ [list]: [first, { ...second, id: "2", owner: "ada", due: "today" }] })).toEqual({
    text: '"owner", "due" are not arguments of todos.1; it takes content, status',
    isError: true,
  });
});

it("is described to the model without the ignored fields, in its items too", () => {
  expect(JSON.stringify(toolSchemas([todoWriteTool()]))).not.toContain("additionalProperties");
});

it("refuses an unknown status", async () => {
  expect((await write({ todos: todos(1, "doing") })).text).toContain('"pending"|"in_progress"|"completed"');
});
