// Starts an agent's hands, the first ones and those that take over from ones that are gone, and says what is known of them.
import type { HandsFacts } from "../../places/hands-facts.ts";
import type { Place } from "../../places/place.ts";
import { errorText } from "../../wording/error-text.ts";
import { UsageError, type World } from "../world.ts";
import { type HandsAtPlace, handsAtPlace } from "./at-place.ts";
import type { PlaceDesk } from "./place-desk.ts";
import { whenNeeded } from "./when-needed.ts";

/** `failed`: where none could be started just now. `died`: the places where hands have died since the last turn with living ones, once for each time. */
export type ChoosePlace = (before: { failed: readonly string[]; died: readonly string[] }) => Place | undefined;

export type StarterOrder = {
  /** Where the next ones are to be; undefined if there is no place left. */
  choose: ChoosePlace;
  onFacts?: (facts: HandsFacts) => void;
  /** The command of a place has been started. */
  onCommand?: () => void;
  /** What the command of a place says before the first hands are there, line by line. */
  onSaid?: (line: string) => void;
  onGone?: (why: string, place: string) => void;
  /** No new ones could be started. */
  onStranded?: (why: string) => void;
};

export type HandsStarter = {
  /** Those of now, or new ones. Throws UsageError if there are none to be had; the next time tries again. */
  start(): Promise<HandsAtPlace>;
  /** Undefined where there are none yet, or no more. */
  now(): HandsAtPlace | undefined;
  onGone(listener: (why: string) => void): void;
  /** Called with the facts of now, and whenever they change. */
  onFacts(listener: (facts: HandsFacts) => void): void;
  /** The hands of now have lived for a turn. */
  lived(): void;
  /** Asks for an answer without work. */
  measure(hands: HandsAtPlace): Promise<void>;
  facts(): HandsFacts | undefined;
  leave(isHome: boolean): Promise<void>;
};

export function handsStarter(world: World, desk: PlaceDesk, order: StarterOrder): HandsStarter {
  let died: string[] = [];
  const { bytes, facts, show, countRestart, onFacts } = followedFacts(order.onFacts);
  const listeners: ((why: string) => void)[] = [];
  let now: HandsAtPlace | undefined;
  let left: Promise<void> | undefined;
  const gone = (place: Place, why: string) => {
    started.forget();
    now = undefined;
    died.push(place.name);
    countRestart();
    show({ place: place.name, state: "gone" });
    const text = `The hands at the place "${place.name}" are gone: ${why}`;
    for (const listener of listeners) listener(text);
    order.onGone?.(why, place.name);
    if (!left) desk.state.onNotice(`${text}. What is home stays; new hands start with the next call.`);
  };
  const ending = new AbortController();
  const said = (line: string) => {
    if (facts()?.started_ms === undefined && order.onSaid) order.onSaid(line);
    else desk.state.onNotice(`The place "${facts()?.place}" says: ${line}`);
  };
  const startAt = async (place: Place): Promise<HandsAtPlace> => {
    const clock = await world.edges.clock();
    const from = clock.monotonicMs();
    show({ place: place.name, state: "starting" });
    const listening = { onSaid: said, onCommand: order.onCommand, onGone: (why: string) => gone(place, why) };
    const hands = await handsAtPlace(world, place, { desk, bytes, signal: ending.signal, ...listening });
    if (left) {
      await hands.leave(false);
      throw new UsageError("It was stopped.");
    }
    now = hands;
    show({ place: place.name, state: "working", started_ms: Math.round(clock.monotonicMs() - from) });
    return hands;
  };
  const startSomewhere = async (): Promise<HandsAtPlace> => {
    const failed: string[] = [];
    let why = "";
    for (let place = order.choose({ failed, died }); place && !left; place = order.choose({ failed, died })) {
      try {
        return await startAt(place);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        failed.push(place.name);
        why = `${why} ${errorText(error)}`.trim();
      }
    }
    const reason = why || `there is no place left for new hands; they died at ${died.join(", ")}.`;
    if (!left) order.onStranded?.(reason);
    throw new UsageError(reason);
  };
  const started = whenNeeded(startSomewhere);
  return {
    start: started.get,
    now: () => now,
    onGone: (listener) => void listeners.push(listener),
    onFacts,
    lived() {
      died = [];
    },
    async measure(hands) {
      const clock = await world.edges.clock();
      const from = clock.monotonicMs();
      await hands.call("echo", "").then(
        () => show({ place: hands.place.name, round_trip_ms: clock.monotonicMs() - from }),
        () => {}, // gone, which is said
      );
    },
    facts,
    async leave(isHome) {
      ending.abort();
      left ??= now?.leave(isHome) ?? started.settled();
      await left;
      const last = facts();
      if (last) show({ place: last.place }); // with what went at the end
    },
  };
}

/** What is known of an agent's hands, told to each follower at every change. Undefined before the first are being started. */
function followedFacts(first: ((facts: HandsFacts) => void) | undefined) {
  const followers = first ? [first] : [];
  const bytes = { sent: 0, received: 0 };
  let restarts = 0;
  let known: Omit<HandsFacts, "restarts" | "sent_bytes" | "received_bytes"> | undefined;
  const facts = (): HandsFacts | undefined => known && { ...known, restarts, sent_bytes: bytes.sent, received_bytes: bytes.received };
  return {
    bytes,
    facts,
    show(next: Partial<HandsFacts> & { place: string }): void {
      known = { state: "starting", ...known, ...next };
      for (const follower of followers) follower(facts()!);
    },
    countRestart(): void {
      restarts++;
    },
    onFacts(follower: (facts: HandsFacts) => void): void {
      followers.push(follower);
      const now = facts();
      if (now) follower(now);
    },
  };
}
