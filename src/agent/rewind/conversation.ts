// What of a transcript is the conversation: a rewind takes away what was said from one line of the person's on, and the transcript keeps it.
import type { AgentEvent, Input, InputSource, TranscriptEvent } from "../events.ts";

type InputEvent = Extract<TranscriptEvent, { type: "input" }>;

/** The events that still count, in order, including each rewind. */
export function conversationOf(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const standing: TranscriptEvent[] = [];
  for (const event of events) {
    const to = event.type === "rewound" ? standing.findIndex((earlier) => isLine(earlier) && earlier.at === event.to) : -1;
    if (to >= 0) standing.length = to;
    standing.push(event);
  }
  return standing;
}

/** What the person typed, alone or with what came along with it. */
export function isLine(event: AgentEvent): event is InputEvent {
  return event.type === "input" && event.inputs.some(isTyped);
}

/** The line itself, which what is shown of a skill only describes. */
export function typedText({ source, shown, text }: Input): string {
  return source.kind === "skill" ? skillLine(source) : shown || text;
}

export const skillLine = ({ name, arguments: given }: Extract<InputSource, { kind: "skill" }>) => `/${name} ${given}`.trim();

export const isTyped = ({ source }: Input) => source.kind === "user" || source.kind === "skill";
