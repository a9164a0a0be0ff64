// Limits how many agents run at once. The others queue.

export type Places = {
  /** Resolves true with a place, which the caller must leave, or false if the signal aborts first. */
  take(signal: AbortSignal): Promise<boolean>;
  /** Takes a place if one is free. */
  takeNow(): boolean;
  leave(): void;
};

export function createPlaces(count: number): Places {
  let free = count;
  const queue: (() => void)[] = [];
  const takeNow = () => {
    if (free === 0) return false;
    free--;
    return true;
  };
  return {
    takeNow,
    take(signal) {
      if (signal.aborted) return Promise.resolve(false);
      if (takeNow()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const turn = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(true);
        };
        const giveUp = () => {
          queue.splice(queue.indexOf(turn), 1);
          resolve(false);
        };
        queue.push(turn);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    leave() {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}
