// A conversation that the provider refuses as too long, in a session without a screen: compacted once and continued, or ended with the
// reason.
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { refusal, streamed, text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

const tooLong = refusal(400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum");
const used = { usage: { input_tokens: 150_000 } };

function lines(output: string): { type: string; [field: string]: unknown }[] {
  return output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
}

it("is compacted once, and the work continues with the summary and the current turn", async () => {
  const place = teamPlace();
  place.write("repo/notes.txt", "The secret word is plum.\n");
  const api = await provider({
    tool: [streamed([call("Read", { path: "notes.txt" })], used), tooLong, text("They asked for the word."), text("The word is plum.")],
  });
  const run = place.warm(["-p", "Which word?", "--output-format", "stream-json"], { env: api.env });
  expect((await run.ended).code).toBe(0);
  const events = lines(run.output());
  expect(
    events.flatMap(({ type, cause, result }) => (["compacting", "compacted", "result"].includes(type) ? [[type, cause ?? result]] : [])),
  ).toEqual([
    ["compacting", "overflow"],
    ["compacted", "overflow"],
    ["result", "The word is plum."],
  ]);
  const last = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
  expect([last.includes("They asked for the word."), last.includes("The secret word is plum."), last.includes("Which word?")]).toEqual([
    true,
    true,
    false,
  ]);
});

it("ends with what to do when it is still too long", async () => {
  const place = teamPlace();
  place.write("repo/notes.txt", "Notes.\n");
  const api = await provider({
    tool: [streamed([call("Read", { path: "notes.txt" })], used), tooLong, text("A summary."), tooLong, text("never asked")],
  });
  const run = place.warm(["-p", "Which word?"], { env: api.env });
  expect((await run.ended).code).toBe(1);
  expect(run.output()).toContain("conversation is still too long for the model");
  expect(api.requests("tool").length).toBe(4);
});
