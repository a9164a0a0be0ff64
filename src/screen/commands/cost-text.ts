// The text of /cost: the cost of a session by model.
import type { TranscriptEvent } from "../../agent/events.ts";
import { allUsage, allUsd, type ModelSpending, type Spending } from "../../agent/spending.ts";
import { allTokens, promptTokens } from "../../agent/usage.ts";
import { dollars, plural, tokens } from "../../wording/figures.ts";
import { visibleLine } from "../visible-text.ts";

/** `events`: those of its transcript. */
export function costText(events: TranscriptEvent[], spending: Spending): string {
  if (spending.size === 0) return uncounted(events);
  const usage = allUsage(spending);
  const prompt = promptTokens(usage);
  const share = prompt > 0 ? Math.round((usage.cache_read_input_tokens / prompt) * 100) : 0;
  const turns = [...spending.values()].reduce((sum, one) => sum + one.turns, 0);
  const sum = `${dollars(allUsd(spending))} for ${plural(turns, "turn")}, ${tokens(allTokens(usage))} tokens, ${share} % of the input from the provider's cache`;
  return [sum, ...[...spending].map(lineText)].join("\n");
}

function uncounted(events: TranscriptEvent[]): string {
  if (events.at(-1)?.type === "ended") return "No reply has started, so there are no counts from the provider yet.";
  if (!events.some(({ type }) => type === "input")) return "Nothing has been sent yet.";
  return "The first reply is not complete yet: the provider counts its tokens when it ends.";
}

function lineText([model, { turns, usage, thoughtTokens, costUsd }]: [string, ModelSpending]): string {
  const parts = [
    plural(turns, "turn"),
    `input ${tokens(usage.input_tokens)}`,
    `cache read ${tokens(usage.cache_read_input_tokens)}`,
    `cache written ${tokens(usage.cache_creation_input_tokens)}`,
    `output ${tokens(usage.output_tokens)}${thoughtTokens > 0 ? ` (thoughts ${tokens(thoughtTokens)})` : ""}`,
  ];
  return `  ${visibleLine(model)}  ${parts.join("  ")}  ${dollars(costUsd)}`;
}
