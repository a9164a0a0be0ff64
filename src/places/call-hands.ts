// Home's side of the messages: calls with ids, their output and results, and questions, which a person answers here.
import type { Channel } from "./channel.ts";
import { type Reply, replySchema } from "./messages.ts";

export type CallOptions = { signal?: AbortSignal; onOutput?: (text: string) => void };

export type HandsCalls = {
  /** For the channel; what is no message of ours, or answers nothing, is dropped. */
  deliver(message: unknown): void;
  connect(channel: Pick<Channel, "send">): void;
  /** Rejects with the place's reason, or when the hands are gone. A call waits while the link is cut, until its signal ends that. */
  call(member: string, args: unknown, options?: CallOptions): Promise<unknown>;
  cut(isCut: boolean): void;
  goodbye(): void;
  /** The hands are gone. `open`: why the outcome of a call that ran is not known; `later`: why nothing more can be done. */
  lose(reasons: { open: string; later: string }): void;
};

export type Listeners = {
  /** The question is whatever the place says. The answer goes to the place. */
  ask?(question: unknown, signal: AbortSignal): Promise<unknown>;
  notice?(text: string): void;
  commands?(commands: unknown[]): void;
};

/** A call that got no answer, and whether the place may have carried it out. */
export class LostCall extends Error {
  readonly carriedOut: "no" | "unknown";

  constructor(carriedOut: "no" | "unknown", reason: string) {
    super(reason);
    this.name = "LostCall";
    this.carriedOut = carriedOut;
  }
}

type OpenCall = { resolve(value: unknown): void; reject(error: Error): void; onOutput: ((text: string) => void) | undefined };

export function callHands(listeners: Listeners): HandsCalls {
  const open = new Map<string, OpenCall>();
  const questions = new Map<string, AbortController>();
  let channel: Pick<Channel, "send"> | undefined;
  const stopped = new Set<string>();
  let isCut = false;
  let lost: string | undefined;
  let last = 0;
  const answer = async (id: string, question: unknown) => {
    const withdrawn = new AbortController();
    questions.set(id, withdrawn);
    const said = await listeners.ask?.(question, withdrawn.signal).catch(() => undefined); // who was asked has seen the error
    questions.delete(id);
    channel?.send({ kind: "answer", id, answer: said ?? null });
  };
  const ended = (id: string): OpenCall | undefined => {
    const call = open.get(id);
    open.delete(id);
    return call;
  };
  /** Nobody waits for a place that may not answer for minutes. */
  const giveUp = () => {
    const reason = "It was stopped while the link to the place was cut. Its outcome is not known";
    for (const id of stopped) ended(id)?.reject(new LostCall("unknown", reason));
  };
  return {
    deliver(message) {
      const reply: Reply | undefined = replySchema.safeParse(message).data;
      switch (reply?.kind) {
        case "result":
          return ended(reply.id)?.resolve(reply.value);
        case "failed":
          return ended(reply.id)?.reject(new Error(reply.reason));
        case "output":
          return open.get(reply.id)?.onOutput?.(reply.text);
        case "ask":
          return void answer(reply.id, reply.question);
        case "withdrawn":
          return questions.get(reply.id)?.abort();
        case "notice":
          return listeners.notice?.(reply.text);
        case "commands":
          return listeners.commands?.(reply.commands);
        case undefined:
          return undefined;
      }
    },
    connect(to) {
      channel = to;
    },
    call(member, args, { signal, onOutput } = {}) {
      if (lost !== undefined || !channel) return Promise.reject(new LostCall("no", lost ?? "There is no link to the place yet"));
      const id = `${++last}`;
      const result = new Promise<unknown>((resolve, reject) => open.set(id, { resolve, reject, onOutput }));
      channel.send({ kind: "call", id, member, args });
      const cancel = () => {
        channel?.send({ kind: "cancel", id });
        stopped.add(id);
        if (isCut) giveUp();
      };
      signal?.addEventListener("abort", cancel, { once: true });
      return result.finally(() => {
        stopped.delete(id);
        signal?.removeEventListener("abort", cancel);
      });
    },
    cut(now) {
      isCut = now;
      if (isCut) giveUp();
    },
    goodbye: () => channel?.send({ kind: "goodbye" }),
    lose(reasons) {
      lost = reasons.later;
      for (const call of open.values()) call.reject(new LostCall("unknown", reasons.open));
      open.clear();
      for (const one of questions.values()) one.abort();
    },
  };
}
