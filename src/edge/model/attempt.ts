// One attempt at one request, whoever the provider is: sends it, reads the stream, and makes every error an answer with a verdict. A partial
// reply never leaves this file.
import type { AttemptOptions, CallPiece, ModelFault, ModelOutcome, ModelReply, PartialReply } from "../../agent/ports/model.ts";
import type { Refusal } from "./api-faults.ts";
import { type IdleWatch, watchIdle } from "./idle-timeout.ts";
import { pacing } from "./pacing.ts";
import { BrokenReply, type ReplyAssembly, replyAssembly } from "./reply-assembly.ts";
import { eventReader } from "./server-sent-events.ts";

export type Answer = { kind: "stream"; response: Response } | NoStream;

export type NoStream =
  | ({ kind: "refused" } & Refusal)
  /** `code` is the system's, such as ECONNREFUSED, or the status with which a proxy refuses. `proxy`: through which it was tried. */
  | { kind: "unreachable"; code: string; proxy?: string }
  /** A page or document instead of a stream of events: probably not the Messages API. */
  | { kind: "no_stream"; contentType: string }
  | { kind: "unsent"; message: string }
  /** `reason`: whole sentences, with what to do. */
  | { kind: "no_credentials"; reason: string };

export type Sending = {
  /** Never throws. */
  send: (signal: AbortSignal) => Promise<Answer>;
  faultOf: (answer: NoStream) => ModelFault;
  /** An attempt fails after this long without a byte; 120 s by default. */
  idleMs?: number | undefined;
};

type Listeners = Omit<AttemptOptions, "retryCount">;

export async function attemptOnce(
  { send, faultOf, idleMs = 120_000 }: Sending,
  { signal, ...listeners }: Listeners,
): Promise<ModelOutcome> {
  const watch = watchIdle(signal, idleMs);
  const received = receiver(listeners);
  const interrupted = (): ModelOutcome => ({ kind: "aborted", ...received.partial() });
  const broken = (fault: ModelFault): ModelOutcome => ({ kind: "fault", fault, ...received.partial() });
  try {
    const answer = await unlessAborted(send(watch.signal), watch.signal);
    if (signal.aborted) return { kind: "aborted" };
    if (!answer || watch.silent()) return { kind: "fault", fault: silence(idleMs) };
    if (answer.kind !== "stream") return { kind: "fault", fault: faultOf(answer) };
    const reply = await replyIn(answer.response, received, watch);
    return signal.aborted ? interrupted() : reply;
  } catch (error) {
    if (signal.aborted) return interrupted();
    return broken(watch.silent() ? silence(idleMs) : lost(error));
  } finally {
    watch.end();
  }
}

/** For what may take long, such as a program that prints a key. Undefined if the signal aborts first; its listener is always removed. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/**
 * Reads to the end, so that the connection can be reused. Throws if the stream ends or breaks before the reply is complete. What comes outside of
 * a block, as the end of the reply does, is read at once.
 */
async function replyIn({ body }: Response, received: Receiver, watch: IdleWatch): Promise<ModelReply> {
  const eventsIn = eventReader();
  const nextRead = pacing();
  watch.heard();
  try {
    for await (const piece of body ?? []) {
      watch.heard();
      received.take(eventsIn(piece));
      const block = received.open();
      if (block) await nextRead(block);
      else if (received.reply()) watch.expectEnd(endAfterReplyMs);
    }
    watch.ended();
  } catch (error) {
    if (!received.reply()) throw error; // how a connection ends after a complete reply does not matter
  }
  const reply = received.reply();
  if (!reply) throw new BrokenReply("the connection closed before its end");
  return reply;
}

/** A server closes the answer after its last event. If it does not, we do after this long. */
const endAfterReplyMs = 500;

type Receiver = {
  /** Takes the events that came in one read. Throws BrokenReply if they do not fit the previous ones. */
  take(events: string[]): void;
} & Pick<ReplyAssembly, "reply" | "open"> & {
    /** Empty before the provider has begun to answer. */
    partial(): { partial?: PartialReply };
  };

/** Gathers what comes in one read, so that a listener is called once for it. */
function receiver({ onText, onThought, onCallText }: Omit<Listeners, "signal">): Receiver {
  let [said, thought] = ["", ""];
  let calls: CallPiece[] = [];
  const assembly = replyAssembly({
    onText(text) {
      said += text;
    },
    onThought(text) {
      thought += text;
    },
    onCallText(piece) {
      const last = calls.at(-1);
      if (last && !piece.begins) last.text += piece.text;
      else calls.push({ ...piece });
    },
  });
  const tell = () => {
    if (thought) onThought?.(thought);
    if (said) onText(said);
    for (const piece of calls) onCallText?.(piece);
    [said, thought, calls] = ["", "", []];
  };
  return {
    take(events) {
      try {
        for (const data of events) assembly.take(data);
      } finally {
        tell(); // text before an error was received
      }
    },
    reply: assembly.reply,
    open: assembly.open,
    partial() {
      const partial = assembly.partial();
      return partial ? { partial } : {};
    },
  };
}

function silence(idleMs: number): ModelFault {
  return { verdict: "retry", reason: `Nothing came from the provider for ${idleMs / 1000} s.` };
}

function lost(error: unknown): ModelFault {
  const broke = error instanceof Error ? `the connection broke (${error.message})` : "the connection broke";
  const { message, status } = error instanceof BrokenReply ? error : { message: broke };
  return { verdict: "retry", reason: `The reply was lost: ${message}.`, ...(status !== undefined && { status }) };
}
