// The tests that an agent ran, read from its events alone: what it says about them does not count.
import { notReached, unknownOutcome } from "../../tools/answer.ts";
import { testCounts } from "../../tools/test-counts.ts";
import type { Evidence, TestResult, TestRun } from "../../wording/evidence.ts";
import type { AgentEvent } from "../events.ts";
import { type TestCommand, testCommand } from "./test-commands.ts";

export interface EvidenceReader {
  apply(event: AgentEvent): void;
  /** The last test; `before` until there is one. */
  now(): Evidence;
}

type Ended = Extract<AgentEvent, { type: "tool_ended" }>;

/** A call that was refused, or never began, is no run. */
export function evidenceReader(before: Evidence = { kind: "none" }): EvidenceReader {
  const commands = new Map<string, string>();
  /** Tests in the background, by the id of their command. */
  const inBackground = new Map<string, string>();
  let last = before;
  return {
    apply(event) {
      if (event.type === "reply") {
        for (const block of event.message.content) if (block.type === "tool_use") remember(commands, block);
      }
      if (event.type === "input") {
        for (const { source, text } of event.inputs) {
          const command = source.kind === "background" ? inBackground.get(source.command) : undefined;
          if (command !== undefined) last = ofBackground(command, { text, at: event.at });
        }
      }
      if (event.type === "agent_ended" && event.evidence && event.evidence.kind !== "none") last = event.evidence;
      if (event.type !== "tool_ended" || event.name !== "Bash") return;
      const command = commands.get(event.id) ?? event.subject;
      commands.delete(event.id);
      const test = wasRun(event) ? testCommand(command) : undefined;
      if (!test) return;
      const background = /^(?:Started in the background|The person sent it to the background) as ([^\s.]+)\./.exec(event.text)?.[1];
      if (background !== undefined) inBackground.set(background, event.subject);
      else last = testRun("test", event.subject, { ...event, test, cutOff: cutOffs.has(event.summary) ? event.summary : undefined });
    },
    now: () => last,
  };
}

/** `cutOff`: in a word or two, why it did not come to its end. */
type Result = Pick<Ended, "text" | "isError" | "at"> & { test: TestCommand; cutOff?: string | undefined };

/** The result of a command that ended: its exit code, and the closing lines of the known test programs. */
export function testRun(kind: TestRun["kind"], command: string, { text, isError, at, test, cutOff }: Result): TestRun {
  const counts = testCounts(text);
  const said = counts?.slice(2);
  const how = howItEnded(text, isError);
  const stamp = { kind, command: shortened(command), at };
  const outcome = (result: TestResult, summary: string): TestRun => ({ ...stamp, result, summary: shortened(summary) });
  if (counts?.startsWith("✗")) return outcome("failed", said ?? how);
  if (cutOff !== undefined) return outcome("unclear", cutOff);
  if (isError && counts !== undefined) return outcome("failed", `${how}, ${said}`);
  if (counts !== undefined) return outcome("passed", said ?? how);
  if (test.exitCode === "no" || (isError && test.exitCode === "success")) return outcome("unclear", `${how} of the whole line`);
  return outcome(isError ? "failed" : "passed", how);
}

const longest = 200;
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);

function howItEnded(text: string, isError: boolean): string {
  if (!isError) return "exit 0";
  return [...text.matchAll(/^\[(exit \d+|ended by \S+|stopped|interrupted)\b.*\]$/gm)].at(-1)?.[1] ?? "failed";
}

function wasRun({ summary }: Ended): boolean {
  return !notRun.has(summary);
}

const notRun = new Set(["denied", "not run", "not started", "refused", "bad input", "unknown tool", "blocked by a hook", notReached]);

/** Of calls that did not come to their end, or whose end nobody has seen: neither passed nor failed. */
const cutOffs = new Set(["interrupted", unknownOutcome]);

/** Its output was read elsewhere: only how it ended is known. */
function ofBackground(command: string, { text, at }: { text: string; at: string }): TestRun {
  const code = /^It has ended: exit (\d+)\./m.exec(text)?.[1];
  const cutOff = /^It has ended: (stopped)\b/m.exec(text)?.[1];
  const test = testCommand(command) ?? { exitCode: "no" as const };
  return testRun("test", command, { text: code === undefined ? "" : `[exit ${code}]`, isError: code !== "0", at, test, cutOff });
}

function remember(commands: Map<string, string>, { id, name, input }: { id: string; name: string; input: unknown }): void {
  const { command } = (typeof input === "object" && input !== null ? input : {}) as { command?: unknown };
  if (name === "Bash" && typeof command === "string") commands.set(id, command);
}
