// Which place each unit's hands get. A unit waits for room rather than going where it should not: to this machine it goes only once it has died
// everywhere else, and not with all the others at once.
import { freePlace, type PlaceRoom } from "../places/free-place.ts";
import type { HandsFacts } from "../places/hands-facts.ts";

export type TakenPlace = { place: string | undefined; free: () => void };

export type UnitPlaces = {
  /** `left`: where the unit's hands have died. Resolves with this machine at once when the signal aborts. */
  take(left: readonly string[]): Promise<TakenPlace>;
  /** How long hands took to start. */
  learn(hands: HandsFacts): void;
};

type Room = { places: readonly PlaceRoom[]; atOnceHere: number; signal: AbortSignal };

export function unitPlaces({ places, atOnceHere, signal }: Room): UnitPlaces {
  const taken = new Set<{ place: string | undefined }>();
  const waiting = new Set<() => void>();
  const startedMs = new Map<string, number>();
  const wake = () => {
    for (const one of waiting) one();
    waiting.clear();
  };
  signal.addEventListener("abort", wake, { once: true });
  const isRoomFor = (place: string | undefined, left: readonly string[]) => {
    if (place !== undefined || places.length === 0 || signal.aborted) return true;
    const isPlaceLeft = places.some(({ name }) => !left.includes(name));
    return !isPlaceLeft && [...taken].filter((one) => one.place === undefined).length < atOnceHere;
  };
  return {
    async take(left) {
      for (;;) {
        const busy = [...taken].flatMap(({ place }) => place ?? []);
        const place = freePlace(places, { busy, left, startedMs: (name) => startedMs.get(name) });
        const one = { place };
        if (isRoomFor(place, left)) {
          taken.add(one);
          return {
            place,
            free() {
              taken.delete(one);
              wake();
            },
          };
        }
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    learn({ place, started_ms: ms }) {
      if (ms !== undefined) startedMs.set(place, ms);
    },
  };
}
