// The table of tools in the description of scripts: its arguments and its examples are those of the tools.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import { operationArguments } from "../../src/board/arguments.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { fileTools } from "../../src/tools/set.ts";
import { todoWriteTool } from "../../src/tools/todo-write.ts";
import { realDisk } from "./agent.ts";

const { TaskCreate, TaskGet, TaskList, SendMessage } = operationArguments;
const files = fileTools({ disk: realDisk, shell: shell({ cwd: "/", env: {} }) });
const schemas = new Map<string, z.ZodObject>([
  ...[...files, todoWriteTool()].map(({ name, input }) => [name, input as z.ZodObject] as const),
  ...Object.entries({ TaskCreate, TaskGet, TaskList, SendMessage }),
]);

const rows = readFileSync(`${import.meta.dirname}/../../fixtures/README.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, name = "", names = "", example = ""] = /^\| (\w+)[^|]*\| ([^|]*?) +\| `(.*)` +\|$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, names, call: parse(example) as Record<string, unknown> }];
  });

it("has an example of the tool of each row", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ call }) => Object.keys(call))).toEqual(rows.map(({ name }) => [name]));
});

it.each([...schemas])("describes %s as it is", (name, schema) => {
  const row = rows.find((candidate) => candidate.name === name);
  const names = Object.entries(schema.shape).map(([key, value]) => `\`${key}${value.safeParse(undefined).success ? "?" : ""}\``);
  expect(row?.names).toBe(names.join(", ") || "none");
  expect(schema.safeParse(row?.call[name]).error).toBeUndefined();
});
