// docs/scripting.md names every field of every JSON: that part of it is what the table of outputs says, which covers every command that prints
// JSON. `WRITE=1 npx vitest run test/scripting` writes it. What the commands really print: test/e2e/json-outputs.test.ts.
import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { z } from "zod";
import { programTree } from "../cli/program-tree.ts";
import { outputs } from "./outputs.ts";
import { fieldsSection } from "./page.ts";

const page = "docs/scripting.md";

it("the page has every field of the table, and no other", () => {
  const written = readFileSync(page, "utf8");
  const start = written.indexOf("## Every field");
  if (process.env["WRITE"]) writeFileSync(page, `${written.slice(0, start < 0 ? undefined : start)}${fieldsSection()}`);
  expect(readFileSync(page, "utf8").slice(start)).toBe(fieldsSection());
});

/** What `ok` is in each object of an output. */
function okOf(schema: z.ZodType): boolean[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => okOf(option as z.ZodType));
  return [schema instanceof z.ZodObject && schema.shape["ok"] instanceof z.ZodBoolean];
}

it("every output of one object has ok", () => {
  const all = Object.entries(outputs).flatMap(([command, list]) => list.map((output) => ({ command, ...output })));
  const one = all.filter(({ prints }) => prints === "one object");
  expect(one.length).toBeGreaterThan(60);
  expect(one.filter(({ schema }) => okOf(schema).includes(false)).map(({ command, option }) => `${command} ${option}`)).toEqual([]);
});

it("the table has every command that prints JSON", () => {
  const found: string[] = [];
  const look = (command: Command, path: string) => {
    const prints = command.options.flatMap(({ long }) => {
      if (long === "--output-format") return ["--output-format json", "--output-format stream-json"];
      return long === "--json" ? [long] : [];
    });
    for (const option of prints) found.push(`${path} ${option}`);
    for (const below of command.commands) look(below as Command, `${path} ${below.name()}`);
  };
  look(programTree(), "tool");
  const listed = Object.entries(outputs).flatMap(([command, list]) => list.map(({ option }) => `${command} ${option}`));
  expect(listed.toSorted()).toEqual(found.toSorted());
});
