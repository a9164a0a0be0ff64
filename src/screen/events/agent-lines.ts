// An agent's events as lines for its pane: its text, one line a tool call, and errors.
import type { AgentEvent, Ending, Input } from "../../agent/events.ts";
import { keptByChoice } from "../../agent/rewind/plan-files.ts";
import { hasEndedNote } from "../../subagents/ended-note.ts";
import { duration, plural, tokens } from "../../wording/figures.ts";
import { endedRow, rowLines } from "../agents/agent-row.ts";
import { widestText, wrap } from "../line-widths.ts";
import type { Highlight } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { beginning, hanging, visibleLine, visibleText } from "../visible-text.ts";
import { detailKey } from "./call-details.ts";
import { diffLines, isDiff } from "./diff-lines.ts";
import { goalLines } from "./goal-lines.ts";
import { outputLines } from "./output-lines.ts";
import { waitWords } from "./wait-words.ts";

/** `ofSuccess`: how many of the last lines of a successful command are shown. `highlight`: the colours of code, once they are loaded. */
type CallLook = { columns: number; ofSuccess: number; highlight: Highlight | undefined };

/** The finished text that an event adds to a pane with that many columns; undefined if it adds none. */
export function agentLines(event: AgentEvent, style: Style, look: Partial<CallLook> = {}): string | undefined {
  const { columns = widestText, ofSuccess = 0, highlight } = look;
  switch (event.type) {
    case "input":
      return event.inputs.flatMap((input) => inputLines(input, style, columns)).join("\n") || undefined;
    case "reply": {
      const text = event.message.content.flatMap((block) => (block.type === "text" ? block.text.trim() : [])).join("\n");
      return text ? `\n${visibleText(text)}\n` : undefined;
    }
    case "tool_ended":
      return toolLine(event, style, { columns, ofSuccess, highlight });
    case "retry":
      if (event.waitMs < shortWaitMs) return undefined;
      return style.state("needs_you", `  ${style.symbol("needs_you")} ${waitWords(event, event.waitMs)}`);
    case "notice":
      return event.level === "info" ? style.dim(`  ${visibleText(event.text)}`) : `  ${visibleText(event.text)}`;
    case "agent_ended":
      return agentEndLine(event, style, columns);
    case "ended":
      return endingLine(event.ending, style);
    case "compacted":
      return style.dim(
        `  The conversation was replaced by a summary: ${tokens(event.before)} ${style.arrow} ${tokens(event.after)} tokens  ${duration(event.ms)}`,
      );
    case "compaction_failed":
      return style.state("needs_you", `  ${style.symbol("needs_you")} The conversation was not compacted. ${visibleLine(event.reason)}`);
    case "media_dropped":
      return style.state("needs_you", `  ${style.symbol("needs_you")} ${visibleText(event.reason)}`);
    case "thoughts_dropped":
      return style.dim(`  ${visibleText(event.reason)}`);
    case "rewound":
      return rewoundLines(event, style);
    case "goal_set":
    case "goal_checked":
    case "goal_ended":
      return goalLines(event, style);
    case "mode_changed":
    case "session":
    case "request":
    case "text":
    case "thought":
    case "call_text":
    case "unfinished_reply":
    case "tool_started":
    case "tool_output":
    case "denied":
    case "compacting":
      return undefined;
  }
}

/** Paths are whole: where the session works is not in the event. */
function rewoundLines({ line, putBack, left }: Extract<AgentEvent, { type: "rewound" }>, style: Style): string {
  const message = line === undefined ? "an earlier message" : `"${shortened(visibleLine(line), { atMost: longestMessage, style })}"`;
  const put = putBack.map(({ path, to }) => style.dim(`    ${visibleLine(path)}${to === null ? "  removed" : ""}`));
  const chosen = left.filter(({ why }) => why === keptByChoice).map(({ path }) => style.dim(`    ${visibleLine(path)}`));
  const kept = left
    .filter(({ why }) => why !== keptByChoice)
    .map(({ path, why }) => style.state("needs_you", `    ${visibleLine(path)}: ${visibleLine(why)}`));
  return [
    style.dim(`  Back to before ${message}. Everything after that was taken out of the conversation.`),
    ...(put.length > 0 ? [style.dim("  Files restored:"), ...put] : []),
    ...(chosen.length > 0 ? [style.dim("  Files kept, as you chose:"), ...chosen] : []),
    ...(kept.length > 0 ? [style.dim("  Files left unchanged:"), ...kept] : []),
  ].join("\n");
}

const longestMessage = 70;

/** What is over before it is read stands in the live part alone. */
const shortWaitMs = 1_000;

function inputLines({ source, text, shown = text }: Input, style: Style, columns: number): string[] {
  if (shown === "") return [];
  const safe = visibleText(shown);
  if (source.kind === "user") return [`\n${typedLines(safe, style)}`];
  if (source.kind === "task") return [`\n${safe.replace(/^.*/, (title) => style.bold(title))}\n`];
  if (source.kind === "mail") {
    const mail = `  ${style.member(source.from, visibleLine(source.from))} ${style.arrow} ${hanging(safe, 2)}`;
    return [`\n${wrap(mail, Math.min(columns, widestText), 2)}`];
  }
  if (source.kind === "file" || source.kind === "skill") return [wrap(style.dim(safe), Math.min(columns, widestText), 4)];
  return [`\n${style.dim(safe)}`];
}

/** A person knows what they pasted; what they typed themselves is at the beginning or at the end. */
const mostTypedLines = 12;
const lastTypedLines = 3;

function typedLines(text: string, style: Style): string {
  const [first = "", ...rest] = text.split("\n");
  if (rest.length < mostTypedLines) return [`> ${first}`, ...rest].map(style.bold).join("\n");
  const begin = rest.slice(0, mostTypedLines - lastTypedLines - 2);
  const hidden = style.dim(`  ${style.ellipsis} ${rest.length - begin.length - lastTypedLines} more lines`);
  return [...[`> ${first}`, ...begin].map(style.bold), hidden, ...rest.slice(-lastTypedLines).map(style.bold)].join("\n");
}

/** The result has its own column if there is room, and its own line if the subject would be hard to recognize beside it. */
function toolLine(event: Extract<AgentEvent, { type: "tool_ended" }>, style: Style, look: CallLook): string | undefined {
  const { columns, ofSuccess } = look;
  if (event.name === "TodoWrite" && !event.isError) return undefined; // the list stands above the status line
  if (event.name === "Agent" && hasEndedNote(event.text)) return undefined; // its end has a line of its own
  if (event.name === "TaskUpdate" && !event.isError) return taskLine(visibleLine(event.subject), style);
  const summary = visibleLine(event.summary).replace(/^[✓✗] /, "");
  const state = event.isError ? "failed" : "done";
  const marked = event.isError || event.name === "Bash" ? style.state(state, `${style.symbol(state)} ${summary}`) : summary;
  const took = event.ms >= 1000 ? style.dim(`  ${duration(event.ms)}`) : "";
  const reason =
    event.isError && untold.has(event.summary) ? `\n${" ".repeat(9)}${hanging(visibleText(beginning(event.text, longestReason)), 9)}` : "";
  const name = beginning(visibleLine(event.name), 30).padEnd(6);
  const whole = visibleLine(event.subject);
  const room = columns - 6 - name.length - summary.length - (took === "" ? 0 : 8);
  const isApart = whole.length > room && room < leastSubject;
  const atMost = isApart ? columns - name.length - 4 : Math.max(leastSubject, room);
  const subject = shortened(whole, { atMost, style });
  const column = Math.min(48, columns - resultRoom, room) - (name.length - 6);
  const gap = isApart ? `\n${" ".repeat(name.length + 3)}` : " ".repeat(1 + Math.max(0, column - subject.length));
  return `  ${name} ${subject}${gap}${marked}${took}${reason}${shortDiff(event.detail, style, look)}${outputLines(event, { style, columns, ofSuccess })}`;
}

/** Columns beside the subjects: the name, and results such as `✗ not found`. The subjects of a pane of 50 columns are often 24 columns wide. */
const resultRoom = 26;

/** Less of a subject is a riddle. */
const leastSubject = 32;

/** Summaries that give no reason. */
const untold = new Set(["denied", "refused", "failed", "bad input"]);
const longestReason = 500;

/** Marks the cut, because the end of a command may be what matters. */
function shortened(text: string, { atMost, style }: { atMost: number; style: Style }): string {
  return text.length <= atMost ? text : `${beginning(text, atMost - style.ellipsis.length).trimEnd()}${style.ellipsis}`;
}

const mostDiffLines = 10;

/** The changed lines of an edit, or the first of them if there are many. For a new file, its size. */
function shortDiff(detail: string | undefined, style: Style, { columns, highlight }: CallLook): string {
  if (detail === undefined || !isDiff(detail) || /^@@ -0,0 /m.test(detail)) return "";
  const lines = diffLines(detail, { style, context: false, columns, highlight });
  const more = lines.length - mostDiffLines;
  const rest = more > 1 ? [style.dim(`      ${style.ellipsis} ${more} more lines: ${detailKey.name}`)] : [];
  return [...lines.slice(0, more > 1 ? mostDiffLines : lines.length), ...rest].map((line) => `\n${line}`).join("");
}

/** `task-4 completed` → `✓ completed task-4`. */
function taskLine(subject: string, style: Style): string {
  const [, id, status] = /^(task-\d+) (\w+)/.exec(subject) ?? [];
  const state = status === "completed" ? "done" : status === "blocked" ? "needs_you" : "working";
  return style.state(state, `  ${style.symbol(state)} ${id && status ? `${status} ${id}` : subject}`);
}

/** Its row, and why it did not complete. Its report is shown below, where there is a screen. */
function agentEndLine(event: Extract<AgentEvent, { type: "agent_ended" }>, style: Style, columns: number): string {
  const { state, reason = "", report } = event;
  const [line = ""] = rowLines([endedRow(event)], { style, width: columns });
  // What it asks stays in its row, with the key that answers.
  const why = state === "needs_permission" ? (/^.*?[.](?=\s|$)/s.exec(reason)?.[0] ?? reason) : report === undefined ? reason : "";
  return why === "" ? line : `${line}\n         ${hanging(visibleText(beginning(why, longestReason)), 9)}`;
}

function endingLine(ending: Ending, style: Style): string | undefined {
  const failed = (text: string) => style.state("failed", `  ${style.symbol("failed")} ${visibleLine(text)}`);
  switch (ending.kind) {
    case "done":
      return undefined;
    case "aborted":
      return style.dim("  interrupted");
    case "max_turns":
      return failed(`stopped after ${plural(ending.limit, "turn")} (the limit)`);
    case "budget":
      return failed(`stopped: $${ending.spentUsd.toFixed(2)} of the budget of $${ending.limitUsd.toFixed(2)} is spent`);
    case "fault":
    case "repeats_itself":
    case "stopped_by_hook":
      return failed(ending.reason);
  }
}
