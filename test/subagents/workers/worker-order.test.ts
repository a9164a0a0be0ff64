import { expect, it } from "vitest";
import { workerAliases, workerOrder } from "../../../src/subagents/workers/worker-order.ts";
import { readArguments } from "../../../src/tools/arguments.ts";
import { anOrder } from "../kit.ts";

const read = (raw: unknown) => readArguments({ input: workerOrder, aliases: workerAliases }, raw);

it("accepts a complete order, with the first phase as default", () => {
  expect(read(anOrder())).toEqual({ ok: true, input: { ...anOrder(), phase: 1, after: [] } });
});

it.each([
  ["component", "component: it is missing: the component's name"],
  ["files", "files: it is missing: every file that the worker may change"],
  ["framework", "framework: it is missing: the framework or library that the component is to use"],
  ["version", "version: it is missing: the version of the framework"],
  ["patterns", "patterns: it is missing: the patterns to follow"],
  ["instructions", "instructions: it is missing: what is to be done"],
  ["testCommand", "testCommand: it is missing: the command that runs the component's tests"],
  ["reportFields", "reportFields: it is missing: what the worker's report holds"],
])("refuses an order without %s, naming it", (field, reason) => {
  const { [field]: _, ...rest } = anOrder() as Record<string, unknown>;
  expect(read(rest)).toEqual({ ok: false, reason });
});

it.each([
  [{ testCommand: "  " }, "testCommand: it is blank: the command that runs the component's tests"],
  [{ files: [] }, "files: it is empty: every file that the worker may change"],
  [{ reportFields: "changed" }, "reportFields: it must be a list: what the worker's report holds"],
  [{ phase: 0 }, "phase: it must be a whole number from 1"],
  [{ phase: "two" }, "phase: it must be a whole number from 1"],
])("refuses %o", (change, reason) => {
  expect(read({ ...anOrder(), ...change })).toEqual({ ok: false, reason });
});

it("names everything that is missing together", () => {
  const { testCommand: _test, version: _version, ...rest } = anOrder();
  expect(read(rest)).toEqual({
    ok: false,
    reason: "version: it is missing: the version of the framework; testCommand: it is missing: the command that runs the component's tests",
  });
});
