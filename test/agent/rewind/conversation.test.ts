import { expect, it } from "vitest";
import type { Input, TranscriptEvent } from "../../../src/agent/events.ts";
import { conversationOf } from "../../../src/agent/rewind/conversation.ts";
import { rewindPoints } from "../../../src/agent/rewind/rewind.ts";
import { createHistory } from "../../../src/agent/session/history.ts";
import { call, replied, say, typed } from "../agent-kit.ts";

const time = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
const input = (minute: number, ...inputs: Input[]): TranscriptEvent => ({ type: "input", inputs, at: time(minute) });
const reply = (...content: ReturnType<typeof say>[]): TranscriptEvent => {
  const { kind: _kind, ...rest } = replied(content);
  return { type: "reply", turn: 1, ...rest, costUsd: 0, ms: 1, at: time(59) };
};
const result = (id: string): TranscriptEvent => ({
  type: "tool_ended",
  id,
  name: "Read",
  subject: "",
  text: "read",
  isError: false,
  summary: "",
  touched: [],
  ms: 0,
  at: time(59),
});
const rewound = (to: number, text = ""): TranscriptEvent => ({ type: "rewound", to: time(to), putBack: [], left: [], text, at: time(58) });

const environment: Input = { source: { kind: "environment" }, text: "the place", shown: "" };
const first = [input(1, environment, typed("one")), reply(say("1"))];
const second = [input(2, typed("two")), reply(say("2"), call("c1", "Read")), result("c1"), input(3, typed("meanwhile")), reply(say("3"))];

const messagesOf = (events: TranscriptEvent[]) => JSON.stringify(createHistory(conversationOf(events)).messages());

it("removes everything from the line on, and nothing before or after the rewind", () => {
  const after = [input(4, typed("four")), reply(say("4"))];
  expect(messagesOf([...first, ...second, rewound(2), ...after])).toBe(messagesOf([...first, ...after]));
  expect(messagesOf([...first, ...second, rewound(3), input(4, typed("else"))])).toBe(
    messagesOf([...first, ...second.slice(0, 3), input(4, typed("else"))]),
  );
  expect(messagesOf([...first, ...second, rewound(1)])).toBe("[]");
});

it("goes back again, also to before an earlier rewind, and stays where the line is unknown", () => {
  const again = [input(4, typed("four")), reply(say("4"))];
  expect(messagesOf([...first, ...second, rewound(2), ...again, rewound(4), ...again])).toBe(messagesOf([...first, ...again]));
  expect(messagesOf([...first, ...second, rewound(2), ...again, rewound(1), ...again])).toBe(messagesOf(again));
  expect(messagesOf([...first, ...second, rewound(2), rewound(2)])).toBe(messagesOf(first));
  expect(messagesOf([...first, rewound(40)])).toBe(messagesOf(first));
});

it("tells the model what a rewind did with the next input, so that a conversation of which nothing is left begins anew", () => {
  const history = createHistory(conversationOf([...first, rewound(1, "[a.txt is as it was]")]));
  expect(history.messages()).toEqual([]);
  history.apply(input(4, typed("four")));
  expect(history.messages()).toEqual([{ role: "user", content: ["[a.txt is as it was]", "four"].map((text) => ({ type: "text", text })) }]);
});

it("goes back to before a compaction, which then has not been", () => {
  const compacted: TranscriptEvent = {
    type: "compacted",
    cause: "asked",
    summary: "in short",
    before: 9,
    after: 1,
    usage: replied([]).usage,
    costUsd: 0,
    model: "m",
    ms: 1,
    at: time(50),
  };
  expect(messagesOf([...first, ...second, compacted, input(5, typed("five")), rewound(2)])).toBe(messagesOf(first));
});

it("offers the remaining lines as they were typed, and nothing else", () => {
  const mail: Input = { source: { kind: "background", command: "b-1" }, text: "npm test ended" };
  const skill: Input = {
    source: { kind: "skill", name: "audit", arguments: "a.ts" },
    text: "Audit a.ts",
    shown: "  /audit a.ts  .tool/skills/audit/SKILL.md",
  };
  const init: Input = { source: { kind: "skill", name: "init", arguments: "" }, text: "Write it", shown: "  /init  built-in" };
  const events = [...first, input(4, mail), input(5, mail, skill), ...second, rewound(3), input(6, init)];
  expect(rewindPoints(events)).toEqual([
    { at: time(1), text: "one" },
    { at: time(5), text: "/audit a.ts" },
    { at: time(2), text: "two" },
    { at: time(6), text: "/init" },
  ]);
});
