import { expect, it, onTestFinished } from "vitest";
import { runTurns } from "../../../src/agent/loop.ts";
import { createSession } from "../../../src/agent/session/session.ts";
import { openTranscript } from "../../../src/agent/session/transcript.ts";
import { clock } from "../../../src/edge/clock.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { costText } from "../../../src/screen/commands/cost-text.ts";
import { type Answer, startMessagesApi, streamed, text } from "../../messages-api.ts";
import { scratchFolder } from "../../scratch.ts";

const usage = { input_tokens: 40_000, output_tokens: 900, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const said = "word ".repeat(700); // 3,500 bytes: about 1,000 tokens
const cutAfter = streamed([text(said)]).bytes.length - 200;
const reply = (wire: object) => streamed([text(said)], { usage, model: "claude-sonnet-5-5", wire });

async function sessionWith(replies: Answer[], budgetUsd?: number) {
  const api = await startMessagesApi({ reply: replies });
  onTestFinished(api.close);
  const transcript = openTranscript(disk, `${scratchFolder()}/s.jsonl`);
  const session = createSession({
    id: "s",
    agent: "ada",
    cwd: "/",
    version: "1",
    model: anthropicModel({ apiKey: "key-1", baseURL: api.url }),
    modelName: "claude-sonnet-5-5",
    system: "You are ada.",
    tools: [],
    permit: async () => ({ allowed: true }),
    filter: undefined,
    limits: { budgetUsd },
    clock,
    transcript,
    past: [],
  });
  return { api, session, transcript };
}

it("an interrupted first reply counts with its prompt and its text so far, in /cost and against the budget", async () => {
  const { api, session, transcript } = await sessionWith([reply({ silentAfter: cutAfter }), text("Never.")], 0.05);
  const stop = new AbortController();
  let come = 0;
  session.listen((event) => {
    if (event.type === "text") come += event.text.length;
    if (come > 3_000) stop.abort();
  });
  session.say({ source: { kind: "user" }, text: "go" });
  expect((await runTurns(session.agent, stop.signal)).ending).toEqual({ kind: "aborted" });

  const { turns, usage: used, costUsd } = session.totals();
  expect({ turns, input: used.input_tokens, output: used.output_tokens > 850 && used.output_tokens <= 1000 }).toEqual({
    turns: 0,
    input: 40_000,
    output: true,
  });
  expect(costUsd).toBeCloseTo((40_000 * 2 + used.output_tokens * 10) / 1_000_000, 6);
  expect(costText(transcript.events(), session.spending())).toMatch(
    /^\$0\.09 for 0 turns, 4\d\.\dk tokens.*\n {2}claude-sonnet-5-5 {2}0 turns {2}input 40\.0k/,
  );

  session.say({ source: { kind: "user" }, text: "again" });
  expect((await runTurns(session.agent, new AbortController().signal)).ending).toMatchObject({ kind: "budget", limitUsd: 0.05 });
  expect(api.requests.length).toBe(1);
});

it("a reply that broke off counts in addition to the complete one", async () => {
  const { session } = await sessionWith([reply({ cutAfter }), reply({})]);
  session.say({ source: { kind: "user" }, text: "go" });
  expect((await runTurns(session.agent, new AbortController().signal)).ending).toEqual({ kind: "done" });
  const { turns, usage: used } = session.totals();
  expect([turns, used.input_tokens, used.output_tokens > 1_700]).toEqual([1, 80_000, true]);
});

it("before anything has come nothing is counted, and /cost says so", async () => {
  const { session, transcript } = await sessionWith([reply({ headersAfterMs: 60_000 })]);
  expect(costText(transcript.events(), session.spending())).toBe("Nothing has been sent yet.");
  const stop = new AbortController();
  let meanwhile = "";
  session.listen((event) => {
    if (event.type !== "request") return;
    meanwhile = costText(transcript.events(), session.spending());
    setImmediate(() => stop.abort());
  });
  session.say({ source: { kind: "user" }, text: "go" });
  await runTurns(session.agent, stop.signal);
  expect(meanwhile).toBe("The first reply is not complete yet: the provider counts its tokens when it ends.");
  expect(costText(transcript.events(), session.spending())).toBe("No reply has started, so there are no counts from the provider yet.");
});
