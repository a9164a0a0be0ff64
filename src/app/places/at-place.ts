// Starts hands at a place and keeps the link to them, until they are left or gone.
import { callHands, type HandsCalls } from "../../places/call-hands.ts";
import { keepLink } from "../../places/keep-link.ts";
import type { Place } from "../../places/place.ts";
import type { LinkProcess, PlacePorts } from "../../places/ports.ts";
import { refusalText } from "../../places/refusals.ts";
import { startHands } from "../../places/start-hands.ts";
import { UsageError, type World } from "../world.ts";
import type { PlaceDesk } from "./place-desk.ts";

export type HandsAtPlace = {
  place: Place;
  call: HandsCalls["call"];
  /** `isHome`: nothing there is needed any more. */
  leave(isHome: boolean): Promise<void>;
  /** They are alive and of no use: as if they were gone. */
  giveUp(why: string): void;
};

export type Bytes = { sent: number; received: number };

/**
 * `signal`: ends the start. `onSaid`: each line that the command of the place, such as a queue, prints beside its output before anything of ours runs.
 * `onGone`: the hands are gone, and calls that were open have failed.
 */
type Order = {
  desk: PlaceDesk;
  bytes: Bytes;
  signal: AbortSignal;
  onSaid: (line: string) => void;
  onCommand: (() => void) | undefined;
  onGone: (why: string) => void;
};

const leaveMs = 10_000;

/** A queue may take its time; Ctrl-C leaves it. */
const startMs = 600_000;

/** Throws UsageError if they cannot be started. */
export async function handsAtPlace(
  world: World,
  place: Place,
  { desk, bytes, signal, onSaid, onCommand, onGone }: Order,
): Promise<HandsAtPlace> {
  const calls = callHands(desk);
  const ports = counted(await world.edges.placePorts(world.env), bytes);
  const start = { limitMs: startMs, deliver: calls.deliver, signal, onSaid: byLine(onSaid) };
  const begin = async () => {
    const name = world.uniqueId();
    const starting = startHands(place, ports, { words: ["hands", "--link", name], ...start });
    onCommand?.();
    return { name, started: await starting };
  };
  const first = await begin();
  // Hands that die while they start are not yet a place where none can be.
  const isLost = !first.started.ok && first.started.refusal.kind === "lost" && !signal.aborted;
  const { name, started } = isLost ? await begin() : first;
  if (!started.ok) throw new UsageError(refusalText(place, started.refusal).replace(/^C/, "c"));
  const { hands } = started;
  calls.connect(hands.channel);
  const tell = (text: string) => desk.state.onNotice(text);
  const gone = (why: string) => {
    calls.lose(lostTexts(place, why));
    onGone(why);
  };
  const listeners = {
    onCut(why: string) {
      calls.cut(true);
      tell(`The link to the place "${place.name}" is cut: ${why}. Trying to reach the same hands again; what runs there goes on.`);
    },
    onBack() {
      calls.cut(false);
      tell(`The link to the place "${place.name}" is there again; nothing is lost.`);
    },
    onGone: gone,
  };
  const kept = keepLink({ place, ports, hands, name, goodbye: calls.goodbye, listeners });
  return {
    place,
    call: calls.call,
    async leave(isHome) {
      if (isHome) await Promise.race([calls.call("leave", null).catch(() => {}), ports.sleep(leaveMs)]); // gone is gone
      await kept.leave();
    },
    giveUp(why) {
      void kept.leave();
      gone(why);
    },
  };
}

function byLine(tell: (line: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) tell(line);
  };
}

function lostTexts({ name }: Place, why: string): { open: string; later: string } {
  const gone = `The hands at the place "${name}" are gone: ${why}`;
  const rest = "What had changed by the end of the last turn is at home, and new hands go on from that; what changed later is lost";
  return {
    open: `${gone}. Whether this call was carried out is not known: its outcome is unknown. ${rest}`,
    later: `${gone}. This call was not carried out. ${rest}`,
  };
}

function counted(ports: PlacePorts, bytes: Bytes): PlacePorts {
  const run = (argv: string[]): LinkProcess => {
    const link = ports.run(argv);
    return {
      ...link,
      write(data) {
        bytes.sent += Buffer.byteLength(data);
        link.write(data);
      },
      async next() {
        const part = await link.next();
        bytes.received += part?.length ?? 0;
        return part;
      },
    };
  };
  return { ...ports, run };
}
