// Starts hands at a place: the loader, the marker, the second step, the program if it is not there yet; then lines of frames.
import { z } from "zod";
import { type Channel, createChannel } from "./channel.ts";
import { asFirstInput, loader, markerOf } from "./loader.ts";
import { attachedSchema, longestFrame } from "./messages.ts";
import { argvAt, type Place } from "./place.ts";
import type { LinkProcess, PlacePorts, ProgramPack } from "./ports.ts";
import { type Reading, readingOf } from "./reading.ts";
import { isTooOld, placeFaults, type Refusal } from "./refusals.ts";

/** A way to hands, while it lasts. */
export type Linked = {
  link: LinkProcess;
  /** Ends with the link; with what was wrong, if a message of the place was. */
  closed: Promise<string | undefined>;
  /** Whether anything has come since this was last asked. */
  heard(): boolean;
};

export type Hands = Linked & {
  channel: Channel;
  /** What a login shell printed before. */
  greeting: string;
  node: string;
  /** How many bytes of the program had to be sent. */
  sentBytes: number;
};

/** Until anything of ours runs: `signal` ends the command, and `onSaid` hears what it says. */
type Waiting = { limitMs: number; signal?: AbortSignal; onSaid?: (text: string) => void };
export type HandsOrder = Waiting & { words: readonly string[]; deliver: (message: unknown) => void };
export type Started = { ok: true; hands: Hands } | { ok: false; refusal: Refusal };

export async function startHands(place: Place, ports: PlacePorts, order: HandsOrder): Promise<Started> {
  const loading = startLoader(place, ports, order);
  const program = ports.program(); // read while the command starts
  const loaded = await loading;
  if (!loaded.ok) return loaded;
  const { link, reading } = loaded;
  const { words, limitMs, signal } = order;
  const stopEnding = endedBy(signal, link);
  const sent = await becomeProgram(place, ports.secondStep, { link, reading, program, words, limitMs }).finally(stopEnding);
  if ("kind" in sent) return failed(link, sent);
  const channel = createChannel(order.deliver);
  return { ok: true, hands: { channel, ...loaded.found, ...sent, ...linked(channel, link, reading) } };
}

/** A new link to hands that were there before. */
export async function attachHands(
  place: Place,
  ports: PlacePorts,
  { channel, ...order }: Omit<HandsOrder, "deliver"> & { channel: Channel },
): Promise<{ ok: true; linked: Linked } | { ok: false; refusal: Refusal | "no hands" }> {
  const loaded = await startLoader(place, ports, order);
  if (!loaded.ok) return loaded;
  const { link, reading } = loaded;
  const step = { link, reading, program: ports.program(), ...order };
  const sent = await becomeProgram(place, ports.secondStep, step);
  if ("kind" in sent) return failed(link, sent);
  const said = await answer(attachedSchema, step);
  if ("kind" in said) return failed(link, said);
  if (!said.attached) {
    link.end();
    return { ok: false, refusal: "no hands" };
  }
  return { ok: true, linked: linked(channel, link, reading) };
}

function linked(channel: Channel, link: LinkProcess, reading: Reading): Linked {
  let isHeard = true;
  channel.attach((line) => link.write(line));
  return {
    link,
    closed: follow(channel, link, { reading, onLine: () => (isHeard = true) }),
    heard() {
      const was = isHeard;
      isHeard = false;
      return was;
    },
  };
}

export type Loaded = { link: LinkProcess; reading: Reading; found: { greeting: string; node: string } };

const greetingBytes = 256 * 1024;

/** Until the loader waits for its first input. */
export async function startLoader(
  place: Place,
  ports: PlacePorts,
  { limitMs, signal, onSaid }: Waiting,
): Promise<({ ok: true } & Loaded) | { ok: false; refusal: Refusal }> {
  const word = ports.newWord();
  const link = ports.run(argvAt(place, [place.node ?? "node", "-e", loader, word]));
  let words = "";
  link.onSaid((text) => {
    words = (words + text).slice(-2_000);
    onSaid?.(text);
  });
  const stopEnding = endedBy(signal, link);
  const reading = readingOf(link, ports);
  const before = await reading.until(markerOf(word), { ms: limitMs, bytes: greetingBytes });
  stopEnding();
  link.onSaid(() => {});
  if (before.kind === "ended") return { ok: false, refusal: { kind: "not reached", end: await link.ended } };
  if (before.kind === "late") return failed(link, { kind: "silent", afterMs: limitMs, printed: reading.rest() + words });
  if (before.kind === "too long") return failed(link, { kind: "endless greeting", bytes: Buffer.byteLength(reading.rest()) });
  const said = await answer(markerSchema, { link, reading, limitMs });
  if ("kind" in said) return failed(link, said);
  if (isTooOld(said.node)) return failed(link, { kind: "old node", version: said.node });
  if (said.terminal) return failed(link, { kind: "terminal" });
  return { ok: true, link, reading, found: { greeting: before.value, node: said.node } };
}

function endedBy(signal: AbortSignal | undefined, link: LinkProcess): () => void {
  signal?.addEventListener("abort", link.end, { once: true });
  if (signal?.aborted) link.end();
  return () => signal?.removeEventListener("abort", link.end);
}

function failed(link: LinkProcess, refusal: Refusal): { ok: false; refusal: Refusal } {
  link.end();
  return { ok: false, refusal };
}

const markerSchema = z.object({ node: z.string().max(40), terminal: z.boolean() });
const stepSchema = z.union([
  z.object({ program: z.enum(["there", "missing"]) }),
  z.object({ refused: z.enum(placeFaults), detail: z.string().transform((text) => text.slice(0, 500)) }),
]);

type Step = { link: LinkProcess; reading: Reading; program: ProgramPack; words: readonly string[]; limitMs: number };

async function becomeProgram({ folder, env = {} }: Place, secondStep: string, step: Step): Promise<{ sentBytes: number } | Refusal> {
  const { link, words, program } = step;
  link.write(asFirstInput(secondStep));
  link.write(`${JSON.stringify({ folder, env, words, program: program.hash })}\n`);
  const first = await answer(stepSchema, step);
  if ("kind" in first) return first;
  if ("refused" in first) return { kind: "refused", ...first };
  if (first.program === "there") return { sentBytes: 0 };
  const bytes = program.bytes();
  link.write(`${JSON.stringify({ size: bytes.length })}\n`);
  link.write(bytes);
  const second = await answer(stepSchema, step);
  if ("kind" in second) return second;
  if ("refused" in second) return { kind: "refused", ...second };
  return { sentBytes: bytes.length };
}

/** One line of the steps before the program. */
async function answer<T>(
  schema: z.ZodType<T>,
  { link, reading, limitMs }: Pick<Step, "link" | "reading" | "limitMs">,
): Promise<T | Refusal> {
  const line = await reading.until("\n", { ms: limitMs, bytes: 64 * 1024 });
  if (line.kind === "ended") return { kind: "lost", end: await link.ended };
  if (line.kind === "late") return { kind: "silent later", afterMs: limitMs };
  if (line.kind === "too long") return { kind: "odd answer", text: reading.rest() };
  const parsed = schema.safeParse(jsonIn(line.value));
  return parsed.success ? parsed.data : { kind: "odd answer", text: line.value };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // no schema takes it
  }
}

/** Resolves when nothing more comes; a place that breaks the rules is let go. */
async function follow(
  channel: Channel,
  link: LinkProcess,
  { reading, onLine }: { reading: Reading; onLine: () => void },
): Promise<string | undefined> {
  for (;;) {
    const line = await reading.until("\n", { bytes: longestFrame });
    onLine();
    const fault = line.kind === "got" ? channel.take(line.value) : line.kind === "too long" ? "its message is too long" : undefined;
    if (line.kind === "got" && fault === undefined) continue;
    channel.detach();
    if (fault !== undefined) link.end();
    return fault;
  }
}

/** Lets the link end by itself once its input is closed, and kills it if it does not. */
export async function endLink(link: LinkProcess, { sleep }: Pick<PlacePorts, "sleep">): Promise<void> {
  link.closeInput();
  await Promise.race([link.ended, sleep(endMs)]);
  link.end();
}

/** A link that does not end by itself is ended. */
export const endMs = 10_000;
