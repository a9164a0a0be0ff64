// A place in memory whose command drops the link where a test says so: real hands behind the real loader's conversation, bytes between.
import { asFirstInput, markerOf } from "../../src/places/loader.ts";
import type { HandsStream, LinkProcess, PlacePorts } from "../../src/places/ports.ts";
import { type HandsLink, type Members, serveHands } from "../../src/places/serve-hands.ts";

/** Bytes from one side to the other; closed when the link drops. */
function pipe() {
  const parts: Buffer[] = [];
  let isOver = false;
  let wake = () => {};
  return {
    put(bytes: Buffer | string) {
      if (!isOver) parts.push(Buffer.from(bytes));
      wake();
    },
    close() {
      isOver = true;
      wake();
    },
    async next(): Promise<Buffer | undefined> {
      while (parts.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      return parts.shift();
    },
  };
}

export type Direction = "home" | "place";
/** How many bytes of this line pass before the link drops; undefined if it stays. */
export type Cutter = (to: Direction, line: string) => number | undefined;

export type CutPlace = {
  ports: PlacePorts;
  cuts(): number;
  /** The hands are gone, as after SIGKILL. */
  kill(): void;
  /** From now on nothing passes on the present link, and nobody is told. */
  freeze(): void;
  /** Resolves when the first hands have ended. */
  over: Promise<unknown>;
};

/** `holdsInput`: a link that drops leaves the hands their input open, as srun does when it is killed. */
type Options = { members: (link: HandsLink) => Members; cutter?: Cutter; mayReach?: () => boolean; holdsInput?: boolean };

export function cutPlace({ members, cutter = () => undefined, mayReach = () => true, holdsInput = false }: Options): CutPlace {
  let [cuts, clock, isDead] = [0, 0, false];
  let current: { drop(): void; freeze(): void } | undefined;
  let meet: (stream: HandsStream) => void = () => {};
  const timers: { at: number; done: () => void }[] = [];
  let over: (value: unknown) => void = () => {};
  const ended = new Promise((resolve) => (over = resolve));

  /** Time passes when nothing else happens. */
  const sleep = (ms: number) =>
    new Promise<undefined>((resolve) => {
      timers.push({ at: clock + ms, done: () => resolve(undefined) });
      setTimeout(() => {
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (!next) return;
        timers.splice(timers.indexOf(next), 1);
        clock = Math.max(clock, next.at);
        next.done();
      }, 1);
    });

  function hands(first: HandsStream) {
    const served = serveHands({
      first,
      members,
      later: { next: () => new Promise((resolve) => (meet = resolve)), sleep },
    });
    void served.then((fault) => {
      isDead = true;
      over(fault);
    });
  }

  function run(argv: string[]): LinkProcess {
    const [toHome, toPlace] = [pipe(), pipe()];
    let end: (value: { kind: "exited"; code: number; stderr: string }) => void = () => {};
    const link = { ended: new Promise<{ kind: "exited"; code: number; stderr: string }>((resolve) => (end = resolve)) };
    const drop = () => {
      toHome.close();
      if (!holdsInput) toPlace.close();
      end({ kind: "exited", code: 255, stderr: "Connection reset" });
    };
    let isFrozen = false;
    current = { drop, freeze: () => (isFrozen = true) };
    const pass = (to: Direction, line: string) => {
      if (isFrozen) return;
      const most = cutter(to, line);
      (to === "home" ? toHome : toPlace).put(most === undefined ? line : line.slice(0, most));
      if (most === undefined) return;
      cuts++;
      drop();
    };
    const stream: HandsStream = { next: toPlace.next, write: (line) => pass("home", line), close: drop };
    let isFramed = false;
    void converse();
    return {
      ...link,
      write: (bytes) => (isFramed ? pass("place", bytes.toString()) : toPlace.put(bytes)),
      next: toHome.next,
      closeInput: () => toPlace.close(),
      onSaid: () => {},
      end: drop,
      kill: drop,
    };

    async function converse() {
      if (!mayReach()) return drop();
      toHome.put(`${markerOf(argv.at(-1)!)}${JSON.stringify({ node: "20.19.0", terminal: false })}\n`);
      const step = asFirstInput("STEP").length;
      let said = Buffer.alloc(0);
      while (said.indexOf("\n", step) < 0) {
        const part = await toPlace.next();
        if (!part) return;
        said = Buffer.concat([said, part]);
      }
      const { words } = JSON.parse(said.subarray(step).toString()) as { words: string[] };
      isFramed = true;
      toHome.put(`${JSON.stringify({ program: "there" })}\n`);
      if (words[1] === "--link") return hands(stream);
      toHome.put(`${JSON.stringify({ attached: !isDead })}\n`);
      if (isDead) return drop();
      meet(stream);
    }
  }

  let words = 0;
  return {
    cuts: () => cuts,
    kill() {
      isDead = true;
      current?.drop();
    },
    freeze: () => current?.freeze(),
    over: ended,
    ports: {
      run,
      program: () => ({ hash: "h1", bytes: () => Buffer.from("PROGRAM") }),
      secondStep: "STEP",
      newWord: () => `word-${++words}`,
      monotonicMs: () => clock,
      sleep,
      pause: sleep,
    },
  };
}
