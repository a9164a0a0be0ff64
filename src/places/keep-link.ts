// Home's side of a link that may drop: tries for ten minutes to reach the same hands again, and says what becomes of it.
import { type HomeEvent, type HomeState, homeAfter, liveOnMs, retryMs } from "./link-life.ts";
import type { Place } from "./place.ts";
import type { PlacePorts } from "./ports.ts";
import { endText, refusalText } from "./refusals.ts";
import { attachHands, endLink, endMs, type Hands, type Linked } from "./start-hands.ts";

export type KeptLink = {
  /** Home needs the hands no more, or they are gone already; resolves when the link has ended. */
  leave(): Promise<void>;
};

export type LinkListeners = {
  onCut(why: string): void;
  onBack(): void;
  /** The hands are gone, or cannot be reached. */
  onGone(why: string): void;
};

type Kept = { place: Place; ports: PlacePorts; hands: Hands; name: string; goodbye: () => void; listeners: LinkListeners };

export function keepLink({ place, ports, hands, name, goodbye, listeners }: Kept): KeptLink {
  let state: HomeState = "linked";
  let now: Linked = hands;
  const { channel } = hands;
  const after = (event: HomeEvent) => (state = homeAfter(state, event));
  const over = followed();
  return {
    async leave() {
      if (state === "linked") goodbye();
      after("goodbye");
      await endLink(now.link, ports);
      await Promise.race([over, ports.sleep(endMs)]);
    },
  };

  async function followed(): Promise<void> {
    for (;;) {
      const fault = await now.closed.finally(stopWhenSilent(now, ports, { ping: channel.ping }));
      if (state === "left") return;
      now.link.kill();
      const why = fault ?? endText(await now.link.ended);
      if (after(fault === undefined ? "link ended" : "broken") !== "cut") return listeners.onGone(why);
      listeners.onCut(why);
      const reached = await reachedAgain(why);
      if ((state as HomeState) === "left") return;
      if (reached !== undefined) return listeners.onGone(reached);
      listeners.onBack();
    }
  }

  /** Undefined once there is a link again; otherwise why there is none. */
  async function reachedAgain(why: string): Promise<string | undefined> {
    const until = ports.monotonicMs() + liveOnMs;
    for (let attempt = 0; state === "cut"; attempt++) {
      await ports.pause(retryMs(attempt));
      if ((state as HomeState) === "left") return why;
      const tried = await attachHands(place, ports, { channel, words: ["hands", "--attach", name], limitMs: attachMs });
      if ((state as HomeState) === "left" && tried.ok) tried.linked.link.end();
      if (tried.ok) {
        now = tried.linked;
        after("linked");
      } else if (tried.refusal === "no hands") after("no hands");
      else if (after(ports.monotonicMs() > until ? "time over" : "not reached") === "gone") return refusalText(place, tried.refusal);
    }
    return state === "linked" ? undefined : why;
  }
}

/** A link that is silent for three such times, asked each time, is given up: a frozen one would never end by itself. */
const silentMs = 10_000;
const attachMs = 30_000;

function stopWhenSilent({ link, heard }: Linked, { sleep }: PlacePorts, { ping }: { ping: () => void }): () => void {
  let isOver = false;
  const watch = async () => {
    for (let silent = 0; silent < 3; ) {
      await sleep(silentMs);
      if (isOver) return;
      silent = heard() ? 0 : silent + 1;
      if (silent > 0) ping();
    }
    link.kill();
  };
  void watch();
  return () => {
    isOver = true;
  };
}
