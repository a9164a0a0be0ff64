// A conversation as Markdown, for a person to keep or to show: what the transcript has of it, and so without the secrets that were taken out.
import type { Input, TranscriptEvent } from "../events.ts";
import { conditionText } from "../goal/goal.ts";
import { conversationOf } from "../rewind/conversation.ts";

export type ExportedSession = { id: string; cwd: string; at: string };

export function exportText(events: readonly TranscriptEvent[], { id, cwd, at }: ExportedSession): string {
  const parts = conversationOf(events).flatMap(sectionsOf);
  return `${[`# Session ${id}`, `${cwd}, exported ${at}`, ...parts].join("\n\n")}\n`;
}

function sectionsOf(event: TranscriptEvent): string[] {
  switch (event.type) {
    case "input":
      return event.inputs.flatMap(inputSections);
    case "reply": {
      const text = event.message.content.flatMap((block) => (block.type === "text" ? block.text.trim() : [])).join("\n\n");
      return text === "" ? [] : ["## The agent", text];
    }
    case "tool_ended":
      return [
        `**${event.name}** ${inline(event.subject)}: ${event.isError ? "failed, " : ""}${oneLine(event.summary)}`,
        fenced(event.text),
      ];
    case "compacted":
      return ["## Summary of the conversation before this point", event.summary];
    case "rewound":
      return event.text === "" ? [] : [`*${oneLine(event.text)}*`];
    case "ended":
      return event.ending.kind === "fault" ? [`*Ended: ${oneLine(event.ending.reason)}*`] : [];
    case "goal_ended":
      return [
        `*The goal "${oneLine(conditionText(event.condition))}" ${event.ending.kind === "done" ? "was reached" : "was not reached"}.*`,
      ];
    case "mode_changed":
    case "goal_set":
    case "goal_checked":
    case "notice":
    case "denied":
    case "retry":
    case "agent_ended":
    case "compaction_failed":
    case "media_dropped":
    case "thoughts_dropped":
    case "unfinished_reply":
    case "session":
      return [];
  }
}

const titles: Record<Input["source"]["kind"], string> = {
  user: "You",
  skill: "You",
  command: "Your command",
  file: "Attached",
  mail: "Mail",
  task: "Task",
  agent: "Report of an agent",
  background: "End of a background command",
  hook: "A hook",
  environment: "Environment",
  harness: "tool",
};

/** Text that the person did not write is in a separate block, because it may contain anything. */
function inputSections({ source, text, media = [] }: Input): string[] {
  const pictures = media.map(({ type }) => `*(${type === "image" ? "an image" : "a document"})*`);
  return [`## ${titles[source.kind]}`, source.kind === "user" ? text : fenced(text), ...pictures];
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

function inline(text: string): string {
  const line = oneLine(text);
  if (line === "") return "";
  const marks = "`".repeat(longestRun(line) + 1);
  return `${marks} ${line} ${marks}`;
}

/** Uses a longer fence than any in the text. */
function fenced(text: string): string {
  const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}\n${text}\n${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
