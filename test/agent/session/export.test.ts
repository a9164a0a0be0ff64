import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { exportText } from "../../../src/agent/session/export.ts";
import { call, replied, say, typed } from "../agent-kit.ts";

const at = "2026-01-01T00:00:00.000Z";
const session = { id: "s1", cwd: "/repo", at };
const input = (text: string, when = at): TranscriptEvent => ({ type: "input", inputs: [typed(text)], at: when });
const reply = (...content: ReturnType<typeof say>[]): TranscriptEvent => {
  const { kind: _kind, ...rest } = replied(content);
  return { type: "reply", turn: 1, ...rest, costUsd: 0, ms: 1, at };
};
const ended = (more: Partial<Extract<TranscriptEvent, { type: "tool_ended" }>>): TranscriptEvent => ({
  type: "tool_ended",
  id: "1",
  name: "Bash",
  subject: "npm test",
  text: "fine",
  isError: false,
  summary: "exit 0",
  touched: [],
  ms: 1,
  at,
  ...more,
});

it("names each speaker, and each call with its result", () => {
  expect(exportText([input("Fix *it*"), reply(say("I look."), call("1", "Bash")), ended({}), reply(say("Done."))], session)).toBe(
    [
      "# Session s1",
      `/repo, exported ${at}`,
      "## You",
      "Fix *it*",
      "## The agent",
      "I look.",
      "**Bash** ` npm test `: exit 0",
      "```\nfine\n```",
      "## The agent",
      "Done.\n",
    ].join("\n\n"),
  );
});

it("keeps output inside its block, and omits what a rewind removed", () => {
  const fence = ended({ subject: "echo `a`\nb", text: "```\n# No heading\n````", isError: true, summary: "exit 1" });
  const later = "2026-01-01T00:00:01.000Z";
  const rewound: TranscriptEvent = { type: "rewound", to: later, putBack: [], left: [], text: "[The person went back.]", at: later };
  const text = exportText([input("one"), reply(call("1", "Bash")), fence, input("two", later), reply(say("secretly")), rewound], session);
  expect(text).toContain("**Bash** `` echo `a` b ``: failed, exit 1\n\n`````\n```\n# No heading\n````\n`````\n");
  expect(text.includes("secretly")).toBe(false);
  expect(text.endsWith("*[The person went back.]*\n")).toBe(true);
});
