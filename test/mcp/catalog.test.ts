import { describe, expect, it } from "vitest";
import { catalogOf, clean, sendable, serverIn, toolName } from "../../src/mcp/catalog.ts";
import { parseRule } from "../../src/permissions/rules.ts";

describe("toolName()", () => {
  it.each([
    ["list", "mcp__s__list"],
    ["get-sum", "mcp__s__get-sum"],
    ["read__delete", "mcp__s__read_delete"],
    ["_x_", "mcp__s__x"],
    ["a b/c.d\u202e", "mcp__s__a_b_c_d"],
    ["x".repeat(80), `mcp__s__${"x".repeat(49)}_cb7a28`],
    ["…", undefined],
  ])("of %s is one that a rule can name", (called, name) => {
    const made = toolName("s", called);
    expect(made?.replace(/_[0-9a-f]{6}$/, "_cb7a28")).toBe(name);
    if (made) expect([parseRule(made).ok, serverIn(made), made.length <= 64]).toEqual([true, "s", true]);
  });
});

it("takes one tool for each name, and says what it leaves out", () => {
  const tool = (name: string, inputSchema?: unknown) => ({ name, inputSchema });
  const raw = { tools: [tool("a b"), tool("a_b"), tool("c", { type: "string" }), "x"], prompts: [], resources: [], templates: [] };
  expect(catalogOf("s", raw)).toEqual({
    tools: [{ name: "mcp__s__a_b", called: "a b", description: "", schema: { type: "object" } }],
    prompts: [],
    resources: [],
    leftOut: [
      "a second tool has the name mcp__s__a_b",
      'the tool "c": its input schema is no JSON Schema of an object, or too large',
      "a tool without a name",
    ],
  });
});

it("sends a schema that the provider would refuse as part of the description", () => {
  const schema = { type: "object", oneOf: [{ required: ["a"] }] };
  expect(sendable({ description: "Either.", schema })).toEqual({
    description: `Either.\nIts input: ${JSON.stringify(schema)}`,
    schema: { type: "object" },
  });
  const plain = { description: "One.", schema: { type: "object", properties: { "a.b-c": {} } } };
  expect(sendable(plain)).toEqual(plain);
});

it("clean() leaves nothing that a terminal acts on or that nobody sees", () => {
  expect(clean("a\x1b[31mb\x1b]8;;http://x\x07c\x1b]8;;\x07\x1bPq\x1b\\d\r\n\te\u200b\u2066f\x9b2Jg\x07\u{e0041}h")).toBe("abcd\n\tefgh");
});
