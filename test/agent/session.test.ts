import { expect, it } from "vitest";
import type { Input } from "../../src/agent/events.ts";
import { createSession } from "../../src/agent/session.ts";
import { openTranscript } from "../../src/agent/transcript.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { scratchFolder } from "../scratch.ts";
import { modelOf, typed } from "./agent-kit.ts";

it("keeps a line with a run of its own, and those behind it, until the run that is under way has ended", () => {
  const session = createSession({
    id: "s",
    agent: "ada",
    cwd: "/repo",
    version: "0",
    model: modelOf([]),
    modelName: "m",
    system: "",
    tools: [],
    permit: async () => ({ allowed: true }),
    filter: undefined,
    limits: {},
    clock,
    transcript: openTranscript(disk, `${scratchFolder()}/s.jsonl`),
    past: [],
  });
  const review: Input = { source: { kind: "skill", name: "review", arguments: "" }, text: "/review", ownRun: true };
  const taken = (turn: number) => session.agent.inbox.take(turn).map(({ text }) => text);
  for (const input of [typed("one"), review, typed("two")]) session.say(input);
  expect([taken(1), taken(2), session.inputWaits()]).toEqual([["one"], [], true]);
  session.say(review);
  expect([taken(1), taken(2), taken(3)]).toEqual([["/review"], ["two"], []]);
  expect([taken(1), session.inputWaits()]).toEqual([["/review"], false]);
});
