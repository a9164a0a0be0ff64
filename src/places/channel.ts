// One side of the link, whichever: numbers what it sends and keeps it until the other side has it, so that a link that drops loses nothing
// and doubles nothing. A message is delivered once, in order, however many links it took.
import { type Frame, frameSchema } from "./messages.ts";

export type Channel = {
  send(message: unknown): void;
  /** A line from the other side; what is wrong with it, if something is. */
  take(line: string): string | undefined;
  /** A link is there: the other side is told what has arrived, and repeats the rest. */
  attach(write: (line: string) => void): void;
  detach(): void;
  /** Makes the other side say something, if it is there. */
  ping(): void;
};

/** So often an end without anything to say says what has arrived. */
const ackEvery = 16;

export function createChannel(deliver: (message: unknown) => void): Channel {
  let write: ((line: string) => void) | undefined;
  /** On a new link nothing is sent before the other side has said what it wants next: what it lacks comes first. */
  let isAsked = false;
  let kept: { n: number; message: unknown }[] = [];
  let sent = 0;
  let arrived = 0;
  let acked = 0;
  const put = (frame: Frame) => {
    if (!("from" in frame)) acked = arrived;
    write?.(`${JSON.stringify(frame)}\n`);
  };
  const dropTo = (n: number) => {
    kept = kept.filter((one) => one.n > n);
  };
  return {
    send(message) {
      const one = { n: ++sent, message };
      kept.push(one);
      if (isAsked) put({ ...one, ack: arrived });
    },
    take(line) {
      const frame = frameOf(line);
      if (!frame) return `it is no frame: ${JSON.stringify(line.slice(0, 80))}`;
      const acknowledged = "from" in frame ? frame.from - 1 : frame.ack;
      if (acknowledged > sent) return `it has message ${acknowledged}, and ${sent} were sent`;
      dropTo(acknowledged);
      if ("from" in frame) {
        isAsked = true;
        for (const one of kept) put({ ...one, ack: arrived });
      }
      if ("ping" in frame) put({ ack: arrived });
      if (!("n" in frame) || frame.n <= arrived) return undefined;
      if (frame.n > arrived + 1) return `message ${frame.n} came after ${arrived}`;
      arrived = frame.n;
      deliver(frame.message);
      if (arrived - acked >= ackEvery) put({ ack: arrived });
      return undefined;
    },
    attach(to) {
      write = to;
      isAsked = false;
      put({ from: arrived + 1 });
    },
    detach() {
      write = undefined;
      isAsked = false;
    },
    ping: () => put({ ack: arrived, ping: true }),
  };
}

function frameOf(line: string): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // no JSON
  }
}
