// The conversation as the model sees it, folded from transcript events: the same fold live and after a restart,
// so that a resumed agent sends the very messages it sent before.
import type { TranscriptEvent } from "./events.ts";
import type { AssistantMessage, Message, TextBlock, ToolResultBlock, ToolUseBlock } from "./model.ts";

export interface History {
  apply(event: TranscriptEvent): void;
  /** All messages, the one being collected last. Every request built from it extends the one before. */
  messages(): Message[];
  /** Tool calls of the last reply that have no result yet, in the order of the reply. */
  pendingCalls(): ToolUseBlock[];
}

/** Folds the events so far; `apply` goes on from there. */
export function createHistory(events: Iterable<TranscriptEvent> = []): History {
  const closed: Message[] = [];
  let calls: ToolUseBlock[] = [];
  let results = new Map<string, ToolResultBlock>();
  let texts: TextBlock[] = [];

  const collecting = (): (ToolResultBlock | TextBlock)[] => [...calls.flatMap((call) => results.get(call.id) ?? []), ...texts];
  const history: History = {
    apply(event) {
      if (event.type === "input") {
        texts.push(...event.inputs.map((input): TextBlock => ({ type: "text", text: input.text })));
      } else if (event.type === "tool_ended") {
        results.set(event.id, resultBlock(event));
      } else if (event.type === "reply") {
        const content = collecting();
        if (content.length > 0) closed.push({ role: "user", content });
        closed.push(withContent(event.message));
        calls = event.message.content.filter((block) => block.type === "tool_use");
        results = new Map();
        texts = [];
      }
    },
    messages() {
      const content = collecting();
      return content.length > 0 ? [...closed, { role: "user", content }] : [...closed];
    },
    pendingCalls: () => calls.filter((call) => !results.has(call.id)),
  };
  for (const event of events) history.apply(event);
  return history;
}

function resultBlock(event: Extract<TranscriptEvent, { type: "tool_ended" }>): ToolResultBlock {
  const block: ToolResultBlock = { type: "tool_result", tool_use_id: event.id, content: event.text || "(no output)" };
  return event.isError ? { ...block, is_error: true } : block;
}

/** The provider refuses an assistant message without content, and one reply in a thousand has none. */
function withContent(message: AssistantMessage): AssistantMessage {
  return message.content.length > 0 ? message : { role: "assistant", content: [{ type: "text", text: "(no reply)" }] };
}
