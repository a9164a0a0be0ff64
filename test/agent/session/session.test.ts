import { expect, it } from "vitest";
import { z } from "zod";
import type { Input } from "../../../src/agent/events.ts";
import { createSession, type SessionSetup } from "../../../src/agent/session/session.ts";
import { openTranscript } from "../../../src/agent/session/transcript.ts";
import { clock } from "../../../src/edge/clock.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { scratchFolder } from "../../scratch.ts";
import { anyTool, done, modelOf, typed } from "../agent-kit.ts";

const sessionWith = (more: Pick<SessionSetup, "tools" | "startedBy">) =>
  createSession({
    id: "s",
    agent: "ada",
    cwd: "/repo",
    version: "0",
    model: modelOf([]),
    modelName: "m",
    system: "",
    permit: async () => ({ allowed: true }),
    filter: undefined,
    limits: {},
    clock,
    transcript: openTranscript(disk, `${scratchFolder()}/s.jsonl`),
    past: [],
    ...more,
  });

it("holds back a line with its own run, and those after it, until the current run has ended", () => {
  const session = sessionWith({ tools: [] });
  const review: Input = { source: { kind: "skill", name: "review", arguments: "" }, text: "/review", ownRun: true };
  const taken = (turn: number) => session.agent.inbox.take(turn).map(({ text }) => text);
  for (const input of [typed("one"), review, typed("two")]) session.say(input);
  expect([taken(1), taken(2), session.inputWaits()]).toEqual([["one"], [], true]);
  session.say(review);
  expect([taken(1), taken(2), taken(3)]).toEqual([["/review"], ["two"], []]);
  expect([taken(1), session.inputWaits()]).toEqual([["/review"], false]);
});

it("describes a tool to its model, and takes the schema of the agent that started it where their inputs are one", () => {
  const read = anyTool("Read", () => done(""));
  const parent = sessionWith({ tools: [read, anyTool("Write", () => done(""))] }).agent;
  const other = { ...anyTool("Glob", () => done("")), input: z.strictObject({ pattern: z.string() }) };
  const child = sessionWith({ tools: [other, { ...read, description: "Reads." }], startedBy: parent });
  expect(child.agent.schemas).toEqual([
    { name: "Glob", description: other.description, input_schema: expect.objectContaining({ required: ["pattern"] }) },
    { name: "Read", description: "Reads.", input_schema: parent.schemas[0]?.input_schema },
  ]);
  expect(child.agent.schemas[1]?.input_schema).toBe(parent.schemas[0]?.input_schema);
  child.addTool(anyTool("Edit", () => done("")));
  expect(child.agent.schemas.map(({ name }) => name)).toEqual(["Glob", "Read", "Edit"]);
});
