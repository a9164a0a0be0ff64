// The events of a session as updates for an editor: those that happen now, and those of a transcript that is shown again.
import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent, Input } from "../../agent/events.ts";
import { isTyped, typedText } from "../../agent/rewind/conversation.ts";
import { goalLines } from "../../screen/events/goal-lines.ts";
import { waitWords } from "../../screen/events/wait-words.ts";
import type { Style } from "../../screen/style.ts";
import { createCalls, type OpenCalls } from "./open-calls.ts";

export type UpdatesSetup = {
  cwd: string;
  /** The editor shows notices apart from the conversation. */
  notices: boolean;
  style: Style;
  uniqueId(): string;
};

export interface Updates extends Pick<OpenCalls, "isOpen" | "openCallOf" | "abandoned"> {
  /** What an event means for the editor while the session works. */
  live(event: AgentEvent): SessionUpdate[];
  /** What the same event means when it is read from a transcript. */
  again(event: AgentEvent): SessionUpdate[];
  /** Words a piece of the current thought, from which secrets have been taken by then. */
  thought(): (text: string) => SessionUpdate;
  notice(level: "info" | "warning" | "error", text: string): SessionUpdate;
  /** A whole message of ours. */
  message(text: string): SessionUpdate;
}

type Chunk = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

export function createUpdates({ cwd, notices, style, uniqueId }: UpdatesSetup): Updates {
  const calls = createCalls(cwd);
  /** Of the message and the thought of now; ids of a session that is loaded again are other ones. */
  let ids = new Map<Chunk, string>();
  const begin = () => {
    ids = new Map();
  };
  const chunk = (sessionUpdate: Chunk, content: ContentBlock) => {
    const messageId = ids.get(sessionUpdate) ?? uniqueId();
    ids.set(sessionUpdate, messageId);
    return { sessionUpdate, content, messageId };
  };
  const said = (text: string) => {
    begin();
    const whole = chunk("agent_message_chunk", { type: "text", text: `${text}\n` });
    begin();
    return whole;
  };
  const saidAgain = (input: Input) => {
    begin();
    return saidBlocks(input).map((one) => chunk("user_message_chunk", one));
  };
  const notice: Updates["notice"] = (severity, text) => (notices ? { sessionUpdate: "notice", severity, title: text } : said(text));
  const live: Updates["live"] = (event) => {
    const { type } = event;
    if (type === "request") begin();
    if (type === "text") return [chunk("agent_message_chunk", { type: "text", text: event.text })];
    if (type === "reply") calls.asked(event);
    if (type === "tool_started") return calls.started(event);
    if (type === "tool_ended") return calls.ended(event);
    if (type === "notice") return [notice(event.level, event.text)];
    if (type === "retry" && event.waitMs >= shownWaitMs) return [notice("info", waitWords(event, event.waitMs))];
    if (type === "compacting") return [notice("info", "The conversation is being summarized.")];
    if (type === "compaction_failed") return [notice("warning", `The conversation was not summarized: ${event.reason}`)];
    if (type === "goal_checked" || type === "goal_ended") return [notice("info", goalLines(event, style))];
    return [];
  };
  return {
    live,
    again(event) {
      if (event.type === "input") return event.inputs.filter(isTyped).flatMap(saidAgain);
      if (event.type === "tool_ended") return calls.ended(event);
      if (event.type !== "reply") return [];
      begin();
      calls.asked(event);
      return event.message.content.flatMap((block): SessionUpdate[] => {
        if (block.type === "text" && block.text !== "") return [chunk("agent_message_chunk", { type: "text", text: block.text })];
        if (block.type === "thinking" && block.thinking !== "")
          return [chunk("agent_thought_chunk", { type: "text", text: block.thinking })];
        return [];
      });
    },
    thought() {
      const update = chunk("agent_thought_chunk", { type: "text", text: "" });
      return (text) => ({ ...update, content: { type: "text", text } });
    },
    notice,
    message: said,
    isOpen: calls.isOpen,
    openCallOf: calls.openCallOf,
    abandoned: calls.abandoned,
  };
}

/** Shorter ones are over before they are read. */
const shownWaitMs = 1_000;

function saidBlocks(input: Input): ContentBlock[] {
  const images = (input.media ?? []).flatMap(({ type, source: { data, media_type: mimeType } }): ContentBlock[] =>
    type === "image" ? [{ type: "image", data, mimeType }] : [],
  );
  return [{ type: "text", text: typedText(input) }, ...images];
}
