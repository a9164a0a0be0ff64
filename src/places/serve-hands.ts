// The hands' side of the link: reads frames, carries out each call once, and asks home what only a person can answer.
import { errorText } from "../wording/error-text.ts";
import { createChannel } from "./channel.ts";
import { longestFrame, type Order, orderSchema, type Reply } from "./messages.ts";
import type { LinkProcess } from "./ports.ts";
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
  input: Pick<LinkProcess, "next">;
  write(line: string): void;
  members(link: HandsLink): Members;
};

/** Resolves when the input is closed; with what was wrong, if a message of home was. */
export async function serveHands({ input, write, members }: HandsPorts): Promise<string | undefined> {
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
    else desk.answered(order.id, order.answer);
  });
  channel.attach(write);
  const fault = await follow(channel, input);
  for (const controller of running.values()) controller.abort();
  return fault;
}

async function follow(channel: ReturnType<typeof createChannel>, input: HandsPorts["input"]): Promise<string | undefined> {
  const reading = readingOf(input, { sleep: () => new Promise(() => {}) });
  for (;;) {
    const line = await reading.until("\n", { bytes: longestFrame });
    if (line.kind !== "got") return line.kind === "too long" ? "a message is too long" : undefined;
    const fault = channel.take(line.value);
    if (fault !== undefined) return fault;
  }
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
