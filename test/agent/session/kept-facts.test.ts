// What a summary keeps word for word: the working directory as first announced, and the to-do list as last updated.
import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { summaryInPlace } from "../../../src/agent/prompt.ts";
import { createKeptFacts } from "../../../src/agent/session/kept-facts.ts";

const told = (text: string): TranscriptEvent => ({ type: "input", inputs: [{ source: { kind: "environment" }, text }], at: "" });
const listed = (text: string, isError = false): TranscriptEvent => ({
  type: "tool_ended",
  id: "1",
  name: "TodoWrite",
  subject: "",
  text,
  isError,
  summary: "",
  touched: [],
  ms: 0,
  at: "",
});

it("keeps the position and the latest list, also of an earlier process, and puts both into the summary", () => {
  const kept = createKeptFacts([told("the place"), listed("[>] one")]);
  kept.apply(listed("[x] one"));
  kept.apply(listed("Cannot keep this list", true));
  expect(kept.survivors()).toEqual({ environment: "the place", todos: "[x] one" });
  expect(summaryInPlace("It went well.", kept.survivors())).toContain(
    "## Environment\nthe place\n\n## Your list of what is to be done (TodoWrite)\n[x] one",
  );
});
