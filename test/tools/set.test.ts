import { expect, it } from "vitest";
import { z } from "zod";
import { shell } from "../../src/edge/shell/shell.ts";
import { fileTools, readOnlyTools } from "../../src/tools/set.ts";
import { realDisk } from "./agent.ts";

const all = fileTools({ disk: realDisk, shell: shell({ cwd: "/", env: {} }) });

it("has the six tools, and the three that only read", () => {
  expect(all.map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ["Read", true],
    ["Write", false],
    ["Edit", false],
    ["Glob", true],
    ["Grep", true],
    ["Bash", false],
  ]);
  expect(readOnlyTools(realDisk).map(({ name }) => name)).toEqual(["Read", "Glob", "Grep"]);
});

it("leaves most of the 10 KB of a first request to the board's tools and the system prompt", () => {
  const schemas = all.map(({ name, description, input }) => ({
    name,
    description,
    input_schema: z.toJSONSchema(input, { io: "input", target: "draft-7" }),
  }));
  expect(Buffer.byteLength(JSON.stringify(schemas))).toBeLessThan(4200);
});

it("names each call in a few words", () => {
  const inputs = [
    { path: "a.js", offset: 40 },
    { path: "a.js", content: "" },
    { path: "a.js", old_string: "", new_string: "" },
    { pattern: "*.js", path: "src" },
    { pattern: "x", path: "src" },
    { command: "npm\n  test" },
  ];
  expect(all.map((tool, index) => tool.subject(inputs[index]))).toEqual([
    "a.js:40",
    "a.js",
    "a.js",
    "*.js in src",
    '"x" in src',
    "npm test",
  ]);
});
