// How many tokens a conversation has: the provider's own count of the last request, and an estimate of what came after it.
import type { TranscriptEvent } from "./events.ts";
import type { AssistantMessage, ToolSchema, Usage } from "./model.ts";

export interface TokenCount {
  apply(event: TranscriptEvent): void;
  /** Of the next request. Until the provider has counted one, system prompt and tools are not among them. */
  tokens(): number;
  /** Tokens of this text as the provider would count them, judged by how far the estimates before it were off. */
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

  return {
    apply(event) {
      switch (event.type) {
        case "input":
          for (const { text } of event.inputs) added += estimateTokens(text);
          return;
        case "tool_ended":
          added += estimateTokens(event.text);
          return;
        case "reply": {
          const prompt = promptTokens(event.usage);
          // only between two counts of the provider is it known what was added
          if (exact && prompt > counted) {
            estimatedSum += added;
            realSum += prompt - counted;
          }
          const said = Math.max(event.usage.output_tokens, prompt > 0 ? 0 : estimateReply(event.message));
          counted = prompt > 0 ? prompt + said : counted + Math.round(added * factor()) + said;
          exact = prompt > 0;
          added = 0;
          return;
        }
        case "compacted":
          counted = event.after;
          compactedTo = event.after;
          exact = false;
          added = 0;
          return;
        // what could not be done now is not tried again at once
        case "compaction_failed":
          compactedTo = tokens();
      }
    },
    tokens,
    estimate: (text) => Math.round(estimateTokens(text) * factor()),
    afterCompaction: () => compactedTo,
  };
}

/** About as many as the provider's tokenizers make of prose and code: three and a half bytes each. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5);
}

export function estimateReply({ content }: AssistantMessage): number {
  return content.reduce((sum, block) => sum + estimateTokens(replyText(block)), 0);
}

/** What comes before the messages. */
export function estimatePreamble({ system, schemas }: { system: string; schemas: ToolSchema[] }): number {
  return estimateTokens(system) + estimateTokens(JSON.stringify(schemas));
}

export function promptTokens({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens }: Usage): number {
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
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
