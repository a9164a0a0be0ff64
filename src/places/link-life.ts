// What becomes of each side when the link between them drops: the tables that home and hands follow. Hands outlive their link for a while, so
// that a later link to the same hands finds what was carried out meanwhile; home tries for as long.

/** So long hands live without a link, and home tries to reach them. */
export const liveOnMs = 600_000;

/** `goodbye`: home needs the hands no more. `broken`: what came was no message of ours. */
export type HandsEvent = "link came" | "link ended" | "goodbye" | "time over" | "broken";
export type HandsState = "linked" | "waiting" | "over";

const handsTable: Record<Exclude<HandsState, "over">, Record<HandsEvent, HandsState>> = {
  // A second link while the first seems alive: home has given that one up, and frozen ones are not told.
  // Nothing was heard for so long: home is gone, and the command that led here left its input open, as srun does when it is killed.
  linked: { "link came": "linked", "link ended": "waiting", goodbye: "over", "time over": "over", broken: "over" },
  waiting: { "link came": "linked", "link ended": "waiting", goodbye: "over", "time over": "over", broken: "over" },
};

/** `canWait`: whether anybody could come back to these hands. */
export function handsAfter(state: HandsState, event: HandsEvent, { canWait }: { canWait: boolean }): HandsState {
  const next = state === "over" ? "over" : handsTable[state][event];
  return next === "waiting" && !canWait ? "over" : next;
}

/** `no hands`: the place was reached, and they are not there. `not reached`: neither is known. */
export type HomeEvent = "link ended" | "linked" | "not reached" | "no hands" | "time over" | "goodbye" | "broken";
export type HomeState = "linked" | "cut" | "gone" | "left";

const homeTable: Record<Exclude<HomeState, "gone" | "left">, Record<HomeEvent, HomeState>> = {
  linked: {
    "link ended": "cut",
    linked: "linked",
    "not reached": "cut",
    "no hands": "gone",
    "time over": "linked",
    goodbye: "left",
    broken: "gone",
  },
  cut: {
    "link ended": "cut",
    linked: "linked",
    "not reached": "cut",
    "no hands": "gone",
    "time over": "gone",
    goodbye: "left",
    broken: "gone",
  },
};

export function homeAfter(state: HomeState, event: HomeEvent): HomeState {
  return state === "gone" || state === "left" ? state : homeTable[state][event];
}

/** How long home waits before it tries again, the first time at once. */
export const retryMs = (attempt: number): number => [0, 500, 1_000, 2_000][attempt] ?? 5_000;
