// A teammate's activity on the lead's screen: one dim line a tool call with the teammate's name, and the beginning of its text.
import type { TranscriptEvent } from "../../agent/events.ts";
import { duration } from "../../wording/figures.ts";
import { doneState, evidenceText } from "../evidence-text.ts";
import type { State, Style } from "../style.ts";
import { shortened, visibleLine } from "../visible-text.ts";
import { saidByTeamEvents } from "./team-lines.ts";
import { waitWords } from "./wait-words.ts";

const longestText = 240;
const longestSubject = 60;

/** The line for an event of that teammate's transcript, indented like the team's own lines; undefined if it is not worth one. */
export function teammateLine(name: string, event: TranscriptEvent, style: Style): string | undefined {
  const row = (state: State | undefined, text: string) =>
    `  ${style.member(name, name.padEnd(6))} ${state ? style.state(state, style.symbol(state)) : " "} ${text}`;
  switch (event.type) {
    case "tool_ended": {
      if (!event.isError && saidByTeamEvents.has(event.name)) return undefined;
      const said = [shortened(visibleLine(event.name), 30), shortened(visibleLine(event.subject), longestSubject)]
        .filter(Boolean)
        .join(" ");
      const took = event.ms >= 1000 ? duration(event.ms) : "";
      const text = [said, visibleLine(event.summary).replace(event.isError ? /^✗ / : "", ""), took].filter(Boolean).join("  ");
      return event.isError ? row("failed", text) : row(undefined, style.dim(text));
    }
    case "reply": {
      const text = event.message.content.flatMap((block) => (block.type === "text" ? block.text.trim() : [])).join(" ");
      return text ? row(undefined, style.dim(shortened(visibleLine(text), longestText))) : undefined;
    }
    case "input": {
      const typed = event.inputs.filter(({ source }) => source.kind === "user").map(({ text, shown = text }) => shown);
      return typed.length > 0 ? row(undefined, style.dim(`> ${shortened(visibleLine(typed.join(" ")), longestText)}`)) : undefined;
    }
    case "retry":
      return row("needs_you", waitWords(event, event.waitMs));
    case "notice":
      return event.level === "info" ? undefined : row("needs_you", visibleLine(event.text));
    case "ended":
      return event.ending.kind === "fault" ? row("failed", visibleLine(event.ending.reason)) : undefined;
    case "agent_ended":
      return row(
        event.state === "completed" ? doneState(event) : "failed",
        [
          shortened(visibleLine(`agent ${event.name}: ${event.description}`), longestText),
          event.evidence && evidenceText(event.evidence, style),
        ]
          .filter(Boolean)
          .join("  "),
      );
    case "mode_changed":
    case "goal_set":
    case "goal_checked":
    case "goal_ended":
    case "denied":
    case "media_dropped":
    case "thoughts_dropped":
    case "unfinished_reply":
    case "compacted":
    case "compaction_failed":
    case "rewound":
    case "session":
      return undefined;
  }
}
