// The text of /cost: the cost of a session by model.
import type { TranscriptEvent } from "../../agent/events.ts";
import type { Totals } from "../../agent/session.ts";
import { allTokens, promptTokens } from "../../agent/usage.ts";
import { dollars, plural, tokens } from "../../wording/figures.ts";
import { visibleLine } from "../visible-text.ts";

type Line = {
  model: string;
  turns: number;
  input: number;
  read: number;
  written: number;
  output: number;
  thought: number;
  costUsd: number | null;
};

export function costText(events: TranscriptEvent[], totals: Totals): string {
  const lines = [...byModel(events).values()];
  if (lines.length === 0) return uncounted(events);
  const cached = totals.usage.cache_read_input_tokens;
  const prompt = promptTokens(totals.usage);
  const share = prompt > 0 ? Math.round((cached / prompt) * 100) : 0;
  const sum = `${dollars(totals.costUsd)} for ${plural(totals.turns, "turn")}, ${tokens(allTokens(totals.usage))} tokens, ${share} % of the input from the provider's cache`;
  return [sum, ...lines.map(lineText)].join("\n");
}

function uncounted(events: TranscriptEvent[]): string {
  if (events.at(-1)?.type === "ended") return "No reply has started, so there are no counts from the provider yet.";
  if (!events.some(({ type }) => type === "input")) return "Nothing has been sent yet.";
  return "The first reply is not complete yet: the provider counts its tokens when it ends.";
}

function byModel(events: TranscriptEvent[]): Map<string, Line> {
  const lines = new Map<string, Line>();
  for (const event of events) {
    if (!("usage" in event) || !event.usage || event.model === undefined) continue;
    const { model, usage, costUsd = 0 } = event;
    const line = lines.get(model) ?? { model, turns: 0, input: 0, read: 0, written: 0, output: 0, thought: 0, costUsd: 0 };
    lines.set(model, {
      model,
      turns: line.turns + (event.type === "reply" ? 1 : 0),
      input: line.input + usage.input_tokens,
      read: line.read + usage.cache_read_input_tokens,
      written: line.written + usage.cache_creation_input_tokens,
      output: line.output + usage.output_tokens,
      thought: line.thought + (event.type === "reply" ? (event.thoughtTokens ?? 0) : 0),
      costUsd: line.costUsd === null || costUsd === null ? null : line.costUsd + costUsd,
    });
  }
  return lines;
}

function lineText({ model, turns, input, read, written, output, thought, costUsd }: Line): string {
  const parts = [
    plural(turns, "turn"),
    `input ${tokens(input)}`,
    `cache read ${tokens(read)}`,
    `cache written ${tokens(written)}`,
    `output ${tokens(output)}${thought > 0 ? ` (thoughts ${tokens(thought)})` : ""}`,
  ];
  return `  ${visibleLine(model)}  ${parts.join("  ")}  ${dollars(costUsd)}`;
}
