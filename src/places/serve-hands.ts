// The hands' side of the link: reads frames, carries out each call once, and asks home what only a person can answer. Hands that have a name
// outlive their link, and a later one goes on where it dropped.
import { errorText } from "../wording/error-text.ts";
import { type Channel, createChannel } from "./channel.ts";
import { type HandsEvent, type HandsState, handsAfter, liveOnMs } from "./link-life.ts";
import { longestFrame, type Order, orderSchema, type Reply } from "./messages.ts";
import type { HandsStream, LinkProcess, Meeting } from "./ports.ts";
import { readingOf } from "./reading.ts";

/** What one call may use besides its arguments. */
export type CallContext = { signal: AbortSignal; onOutput(text: string): void };
export type Members = Record<string, (args: unknown, context: CallContext) => Promise<unknown>>;

/** What members may say to home outside of their results. */
export type HandsLink = {
  say(reply: Extract<Reply, { kind: "notice" | "commands" }>): void;
  /** Undefined if nobody has answered by the end of the signal. */
  ask(question: unknown, signal: AbortSignal): Promise<unknown>;
};

export type HandsPorts = {
  first: HandsStream;
  /** For hands that others can come back to. */
  later?: Pick<Meeting, "next"> & { sleep(ms: number): Promise<undefined> };
  /** Ends them whatever their link does. */
  stopped?: Promise<void>;
  members(link: HandsLink): Members;
};

/** Resolves when the hands are over; with what was wrong, if a message of home was. */
export async function serveHands({ first, later, stopped, members }: HandsPorts): Promise<string | undefined> {
  let leave = () => {};
  const goodbye = new Promise<"goodbye">((resolve) => (leave = () => resolve("goodbye")));
  void stopped?.then(leave);
  const { channel, abortAll } = answering(members, leave);
  const life = lifeOf(channel, { goodbye, later });
  const fault = await life(first);
  abortAll();
  return fault;
}

function lifeOf(channel: Channel, { goodbye, later }: { goodbye: Promise<"goodbye">; later: HandsPorts["later"] }) {
  return async (first: HandsStream): Promise<string | undefined> => {
    let state: HandsState = "linked";
    let fault: string | undefined;
    let coming = later?.next();
    let stream: HandsStream = first;
    const linked = (to: HandsStream) => {
      stream = to;
      let heard = 0;
      const over = follow(channel, to, () => {
        heard++;
        return stream === to;
      });
      channel.attach(to.write);
      const silent = later ? [silence(() => (stream === to ? heard : undefined), later)] : [];
      return { over, ended: Promise.race([over.then(eventOf), ...silent]) };
    };
    let now = linked(first);
    while (state !== "over") {
      const waiting = state === "waiting";
      const event: HandsEvent | HandsStream = await Promise.race([
        ...(coming ? [coming] : []),
        goodbye,
        waiting ? later!.sleep(liveOnMs).then(() => "time over" as const) : now.ended,
      ]);
      state = handsAfter(state, typeof event === "string" ? event : "link came", { canWait: later !== undefined });
      if (event === "broken") fault = await now.over;
      if (typeof event !== "string") {
        stream.close();
        coming = later?.next();
        now = linked(event);
      } else if (state !== "linked") channel.detach();
    }
    stream.close();
    return fault;
  };
}

const eventOf = (fault: string | undefined): HandsEvent => (fault === undefined ? "link ended" : "broken");

/** Resolves when nothing more was heard for as long as hands live without a link; never once there is another link. */
async function silence(heard: () => number | undefined, { sleep }: { sleep(ms: number): Promise<undefined> }): Promise<"time over"> {
  for (let before: number | undefined = -1; before !== heard(); ) {
    before = heard();
    await (before === undefined ? new Promise(() => {}) : sleep(liveOnMs));
  }
  return "time over";
}

/** `isCurrent`: what a link that was given up still brings has come again on the one that took its place. */
async function follow(channel: Channel, input: Pick<LinkProcess, "next">, isCurrent: () => boolean): Promise<string | undefined> {
  const reading = readingOf(input, { sleep: () => new Promise(() => {}) });
  for (;;) {
    const line = await reading.until("\n", { bytes: longestFrame });
    if (!isCurrent()) return undefined;
    if (line.kind !== "got") return line.kind === "too long" ? "a message is too long" : undefined;
    const fault = channel.take(line.value);
    if (fault !== undefined) return fault;
  }
}

/** Carries out what home says. */
function answering(members: HandsPorts["members"], leave: () => void): { channel: Channel; abortAll(): void } {
  const say = (reply: Reply) => channel.send(reply);
  const desk = askingHome(say);
  const served = members({ say, ask: desk.ask });
  const running = new Map<string, AbortController>();
  const carryOut = async ({ id, member, args }: Extract<Order, { kind: "call" }>) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (!Object.hasOwn(served, member)) throw new Error(`hands have no member "${member}"`);
      const onOutput = (text: string) => say({ kind: "output", id, text });
      say({ kind: "result", id, value: (await served[member]!(args, { signal: controller.signal, onOutput })) ?? null });
    } catch (error) {
      say({ kind: "failed", id, reason: errorText(error).slice(0, 2_000) });
    } finally {
      running.delete(id);
    }
  };
  const channel = createChannel((message) => {
    const order = orderSchema.parse(message);
    if (order.kind === "call") void carryOut(order);
    else if (order.kind === "cancel") running.get(order.id)?.abort();
    else if (order.kind === "answer") desk.answered(order.id, order.answer);
    else leave();
  });
  const abortAll = () => {
    for (const controller of running.values()) controller.abort();
  };
  return { channel, abortAll };
}

function askingHome(say: (reply: Reply) => void) {
  const open = new Map<string, (answer: unknown) => void>();
  let last = 0;
  return {
    answered: (id: string, answer: unknown) => open.get(id)?.(answer ?? undefined),
    async ask(question: unknown, signal: AbortSignal): Promise<unknown> {
      const id = `q${++last}`;
      const answer = new Promise<unknown>((resolve) => {
        open.set(id, resolve);
        signal.addEventListener("abort", () => resolve(undefined), { once: true });
      });
      say({ kind: "ask", id, question });
      const said = await answer;
      open.delete(id);
      if (signal.aborted) say({ kind: "withdrawn", id });
      return said;
    },
  };
}
