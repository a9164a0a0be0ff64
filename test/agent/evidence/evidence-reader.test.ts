import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { evidenceReader } from "../../../src/agent/evidence/evidence-reader.ts";
import { evidenceWords } from "../../../src/wording/evidence.ts";

const at = "2026-01-02T03:04:05.000Z";
type Ended = Extract<AgentEvent, { type: "tool_ended" }>;
const ran = (subject: string, text: string, more: Partial<Ended> = {}): AgentEvent => ({
  type: "tool_ended",
  id: "t1",
  name: "Bash",
  subject,
  text,
  isError: text.endsWith("]"),
  summary: "exit 0",
  touched: [],
  ms: 1,
  at,
  ...more,
});
const wordsAfter = (...events: AgentEvent[]): string => {
  const reader = evidenceReader();
  for (const event of events) reader.apply(event);
  return evidenceWords(reader.now());
};
const red = "# pass 11\n# fail 1\nnot ok 3 - keeps the currency\n[exit 1]";

it("takes the result of the last test from its closing lines", () => {
  expect(wordsAfter(ran("npm test", "# pass 12\n# fail 0"), ran("ls", "a"))).toBe("own test: 12 passed");
  expect(wordsAfter(ran("npm test", "# pass 12\n# fail 0"), ran("npm test", red))).toBe("last test ✗ 1 of 12 failed: keeps the currency");
});

it("marks no run of the agent's own as passed, whose test may print anything: only the command that a task names proves", () => {
  const forged = ran("./test.sh", "# pass 99\n# fail 0");
  const passed = { command: "npm test", result: "passed", summary: "99 passed", at } as const;
  const words = [wordsAfter(forged), evidenceWords({ kind: "verify", ...passed }), evidenceWords({ kind: "test", ...passed })];
  expect(words).toEqual(["own test: 99 passed", "verify ✓ 99 passed", "own test: 99 passed"]);
});

it("falls back on the exit code where the closing lines are unknown", () => {
  expect(wordsAfter(ran("make check", "fine"))).toBe("own test: exit 0");
  expect(wordsAfter(ran("make check", "bad\n[exit 2]"))).toBe("last test ✗ exit 2");
});

it("believes the closing lines where a pipe hides the exit code, and says unclear where there are none", () => {
  expect(wordsAfter(ran("npm test | tail -9", red.replace("\n[exit 1]", "")))).toBe("last test ✗ 1 of 12 failed: keeps the currency");
  expect(wordsAfter(ran("make check | tail -9", "something"))).toBe("last test ? exit 0 of the whole line");
  expect(wordsAfter(ran("make check && npm run lint", "lint\n[exit 1]"))).toBe("last test ? exit 1 of the whole line");
});

it("is not green while the exit code is red", () => {
  expect(wordsAfter(ran("npm test", "# pass 12\n# fail 0\n[exit 1]"))).toBe("last test ✗ exit 1, 12 passed");
});

it("says of a test that was cut off only that, unless it had failed by then", () => {
  const cut = (text: string, summary: string) => ran("npm test", text, { isError: true, summary });
  expect(wordsAfter(cut("The hands are gone.", "outcome unknown"))).toBe("last test ? outcome unknown");
  expect(wordsAfter(cut("[interrupted and stopped with everything it started]", "interrupted"))).toBe("last test ? interrupted");
  expect(wordsAfter(cut(`${red.replace("\n[exit 1]", "")}\n[interrupted]`, "interrupted"))).toBe(
    "last test ✗ 1 of 12 failed: keeps the currency",
  );
  expect(wordsAfter(cut("There are no hands.", "not reached"))).toBe("no test was run");
});

it("counts neither words about tests nor calls that were refused", () => {
  const said: AgentEvent = { type: "text", text: "All tests pass." };
  expect(wordsAfter(said, ran("echo 'Tests: 12 passed'", "Tests: 12 passed"))).toBe("no test was run");
  expect(wordsAfter(ran("npm test", "Permission denied: no rule", { isError: true, summary: "denied" }))).toBe("no test was run");
});

it("reads the command as the model wrote it, whose lines the subject joins", () => {
  const reply = {
    type: "reply",
    message: { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "make check\necho done" } }] },
  } as unknown as AgentEvent;
  expect(wordsAfter(reply, ran("make check echo done", "done"))).toBe("last test ? exit 0 of the whole line");
});

it("takes a test in the background from its end", () => {
  const started = ran("npm test", "Started in the background as b1. BashOutput shows more.");
  const end = (state: string): AgentEvent => ({
    type: "input",
    inputs: [
      { source: { kind: "background", command: "b1" }, text: `<background_command id="b1">\nnpm test\nIt has ended: ${state}. More` },
    ],
    at,
  });
  expect(wordsAfter(started)).toBe("no test was run");
  expect(wordsAfter(started, end("exit 0"))).toBe("own test: exit 0");
  expect(wordsAfter(started, end("exit 3"))).toBe("last test ✗ exit 3");
  expect(wordsAfter(started, end("stopped: its hands are gone"))).toBe("last test ? stopped");
  expect(wordsAfter(started, end("failed: ended by SIGKILL"))).toBe("last test ✗ failed");
});

it("counts the test of a sub-agent as a test of the agent that started it", () => {
  const evidence = { kind: "test", command: "npm test", result: "failed", summary: "exit 1", at } as const;
  expect(wordsAfter({ type: "agent_ended", evidence } as unknown as AgentEvent)).toBe("last test ✗ exit 1");
});
