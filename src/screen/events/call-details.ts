// The full text of tool calls and thoughts on demand, the newest first and then earlier ones.
import type { AgentEvent } from "../../agent/events.ts";
import { hasEndedNote } from "../../subagents/ended-note.ts";
import type { Highlight } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine, visibleText } from "../visible-text.ts";
import { diffLines, isDiff } from "./diff-lines.ts";
import { thoughtsOf } from "./thoughts.ts";

export const detailKey = { name: "Ctrl-R", id: "ctrl+r" } as const;

export interface CallDetails {
  apply(event: AgentEvent): void;
  /** The newest one that was not shown since another one was added; undefined if none is left. */
  next(look: { columns: number; highlight?: Highlight | undefined }): string[] | undefined;
}

const keptCalls = 50;
const mostLines = 400;
const mostCharacters = 100_000;

export function createCallDetails(style: Style): CallDetails {
  const calls: { title: string; text: string }[] = [];
  let shown = 0;
  return {
    apply(event) {
      const one = detailOf(event);
      if (!one) return;
      calls.push({ ...one, text: beginning(one.text, mostCharacters) });
      if (calls.length > keptCalls) calls.shift();
      shown = 0;
    },
    next({ columns, highlight }) {
      const call = calls[calls.length - 1 - shown];
      if (!call) return undefined;
      shown++;
      const lines = isDiff(call.text) ? diffLines(call.text, { style, context: true, columns, highlight }) : indented(call.text);
      const more = lines.length > mostLines ? [style.dim(`      ${style.ellipsis} ${lines.length - mostLines} more lines`)] : [];
      return ["", style.bold(`  ${call.title}`), ...lines.slice(0, mostLines), ...more, ""];
    },
  };
}

function detailOf(event: AgentEvent): { title: string; text: string } | undefined {
  if (event.type === "agent_ended" && event.report) return { title: visibleLine(`Agent ${event.name}`), text: event.report };
  if (event.type === "tool_ended" && event.name === "Agent" && hasEndedNote(event.text)) return undefined;
  if (event.type === "tool_ended") {
    const title = `${beginning(visibleLine(event.name), 30)} ${visibleLine(event.subject)}`.trim();
    return { title, text: event.detail ?? event.text };
  }
  const thoughts = event.type === "reply" ? thoughtsOf(event) : "";
  return thoughts === "" ? undefined : { title: "Thought", text: thoughts };
}

function indented(text: string): string[] {
  const lines = visibleText(text).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? "" : `    ${line}`));
}
