// Which part of a transcript is the conversation: a rewind removes everything from one of the person's lines on, but the transcript keeps it.
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

/** The person's typed input, with everything that came with it. */
export function isLine(event: AgentEvent): event is InputEvent {
  return event.type === "input" && event.inputs.some(isTyped);
}

/** The line as typed; the display of a skill only describes it. */
export function typedText({ source, shown, text }: Input): string {
  return source.kind === "skill" ? skillLine(source) : shown || text;
}

export const skillLine = ({ name, arguments: given }: Extract<InputSource, { kind: "skill" }>) => `/${name} ${given}`.trim();

export const isTyped = ({ source }: Input) => source.kind === "user" || source.kind === "skill";
