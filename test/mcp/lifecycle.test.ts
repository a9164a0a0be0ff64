import { expect, it } from "vitest";
import { idle, nextState, type ServerEvent, stateWords } from "../../src/mcp/lifecycle.ts";

const after = (...events: ServerEvent[]) => events.reduce(nextState, idle);
const start = { kind: "start" } as const;
const started = { kind: "started" } as const;
const lost = { kind: "lost", reason: "ended with exit code 1" } as const;

it.each([
  ["is started when it is needed", [start], "starting"],
  ["works", [start, started], "ready"],
  ["is started again once", [start, started, lost], "stopped: ended with exit code 1; starts again when it is called"],
  ["is named when it is lost again", [start, started, lost, start, started, lost], "not available: ended with exit code 1"],
  [
    "is not restarted where a person must do something first",
    [start, { kind: "refused", reason: "needs a login" }],
    "not available: needs a login",
  ],
  ["is not woken by late messages", [started, lost], "not started"],
  ["stays ended", [start, { kind: "end" }, started, start], "ended"],
] as const)("a server %s", (_what, events, words) => {
  expect(stateWords(after(...events))).toBe(words);
});
