// How many tokens a conversation has: the provider's own count of the last request, and an estimate of what came after it.
import { mediaTokens } from "../../tools/files/media.ts";
import type { TranscriptEvent } from "../events.ts";
import type { AssistantMessage, ToolSchema } from "../ports/model.ts";
import { promptTokens } from "../usage.ts";

export interface TokenCount {
  apply(event: TranscriptEvent): void;
  /** An estimate for the next request. Before the provider's first count it excludes system prompt and tools. */
  tokens(): number;
  /** The tokens of this text as the provider would count them, corrected by the error of earlier estimates. */
  estimate(text: string): number;
  /** How many tokens there were right after the last compaction, or when it failed; undefined when there was none. */
  afterCompaction(): number | undefined;
}

export function createTokenCount(): TokenCount {
  let counted = 0;
  let added = 0;
  let compactedTo: number | undefined;
  let exact = false;
  let [estimatedSum, realSum] = [0, 0];
  /** Real tokens for each estimated one; the first pairs weigh little, so that one odd message misleads nobody. */
  const factor = () => Math.min(2.5, Math.max(0.5, (realSum + priorTokens) / (estimatedSum + priorTokens)));

  const tokens = () => counted + Math.round(added * factor());

  const steps: { [Type in TranscriptEvent["type"]]?: (event: Extract<TranscriptEvent, { type: Type }>) => void } = {
    input(event) {
      for (const { text, media = [] } of event.inputs) added += estimateTokens(text) + mediaTokens(media);
    },
    tool_ended(event) {
      added += estimateTokens(event.text) + mediaTokens(event.media ?? []);
    },
    reply(event) {
      const prompt = promptTokens(event.usage);
      // only between two counts of the provider is it known what was added
      if (exact && prompt > counted) {
        estimatedSum += added;
        realSum += prompt - counted;
      }
      exact = prompt > 0;
      counted = exact ? prompt + event.usage.output_tokens : tokens() + estimateReply(event.message);
      added = 0;
    },
    compacted({ after }) {
      [counted, compactedTo, added] = [after, after, 0];
      exact = false;
    },
    // a failed compaction is not retried at once
    compaction_failed() {
      compactedTo = tokens();
    },
  };
  return {
    apply: (event) => (steps[event.type] as ((event: TranscriptEvent) => void) | undefined)?.(event),
    tokens,
    estimate: (text) => Math.round(estimateTokens(text) * factor()),
    afterCompaction: () => compactedTo,
  };
}

/** About as many as the provider's tokenizers make of prose and code: three and a half bytes each. */
export function estimateTokens(text: string): number {
  return estimateBytes(Buffer.byteLength(text));
}

export function estimateBytes(bytes: number): number {
  return Math.ceil(bytes / 3.5);
}

export function estimateReply({ content }: AssistantMessage): number {
  return content.reduce((sum, block) => sum + estimateTokens(replyText(block)), 0);
}

/** The part of a request before the messages. */
export function estimatePreamble({ system, schemas }: { system: string; schemas: ToolSchema[] }): number {
  return estimateTokens(system) + estimateTokens(JSON.stringify(schemas));
}

const priorTokens = 2000;

function replyText(block: AssistantMessage["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "redacted_thinking":
      return block.data;
    case "tool_use":
      return block.name + JSON.stringify(block.input);
  }
}
