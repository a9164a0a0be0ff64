// Sends a session's events to the editor, in their order, and without secrets: what streams as the model or a command writes it is looked through first.
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../agent/events.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import { fenced, textContent } from "./calls.ts";
import type { Updates } from "./updates.ts";

export type FeedPorts = {
  updates: Updates;
  send(update: SessionUpdate): Promise<void>;
  redacted(text: string): Promise<string>;
  clock: Pick<Clock, "sleep">;
};

export interface Feed {
  follow(event: AgentEvent): void;
  push(...updates: SessionUpdate[]): void;
  /** What a running call has just written. */
  output(call: string, text: string): void;
  /** Resolves when everything so far has been sent, or the editor is gone. */
  sent(): Promise<void>;
}

export function createFeed({ updates, send, redacted, clock }: FeedPorts): Feed {
  let sending: Promise<void> = Promise.resolve();
  const queue = (make: () => SessionUpdate[] | Promise<SessionUpdate[]>) => {
    sending = sending
      .then(async () => {
        for (const update of await make()) await send(update);
      })
      .catch(() => {}); // the editor is gone, which ends the session
  };
  const push = (...all: SessionUpdate[]) => all.length > 0 && queue(() => all);
  let thought = "";
  /** Whole lines, since a secret may arrive in pieces. */
  const think = (text: string) => {
    const update = updates.thought();
    queue(async () => [update(await redacted(text))]);
  };
  const endThought = () => {
    if (thought !== "") think(thought);
    thought = "";
  };
  const tails = new Map<string, string>();
  let isDue = false;
  const showTails = () => {
    isDue = false;
    for (const [call, tail] of tails)
      queue(async () => {
        const text = await redacted(tail);
        if (!updates.isOpen(call)) return [];
        return [{ sessionUpdate: "tool_call_update", toolCallId: call, status: "in_progress", content: [textContent(fenced(text))] }];
      });
    tails.clear();
  };
  const kept = new Map<string, string>();
  const feed: Feed = {
    push,
    follow(event) {
      if (event.type === "thought") {
        thought += event.text;
        const end = thought.lastIndexOf("\n") + 1;
        if (end > 0) think(thought.slice(0, end));
        thought = thought.slice(end);
        return;
      }
      if (event.type === "tool_output") return feed.output(event.id, event.text);
      if (event.type === "tool_ended") {
        kept.delete(event.id);
        tails.delete(event.id);
      }
      if (event.type !== "call_text") endThought();
      push(...updates.live(event));
    },
    output(call, text) {
      if (!updates.isOpen(call)) return;
      const tail = lastLines(`${kept.get(call) ?? ""}${text}`);
      kept.set(call, tail);
      tails.set(call, tail);
      if (isDue) return;
      isDue = true;
      void clock.sleep(shownEveryMs).then(showTails);
    },
    sent: async () => {
      endThought();
      await sending;
    },
  };
  return feed;
}

/** Each update has all of it again. */
const shownEveryMs = 250;
const longestTail = 8_000;

/** From a whole line on: half of a secret would not be recognized. */
function lastLines(text: string): string {
  if (text.length <= longestTail) return text;
  const end = text.slice(-longestTail);
  return end.slice(end.indexOf("\n") + 1);
}
