// Since when a team has only waited for its provider: told once, and ended where nobody watches and it takes too long.

/** `waits`: some member asks again later. `works`: some teammate does something else. `turns`: replies of all members so far. */
export type WaitView = { waits: boolean; works: boolean; turns: number; nowMs: number };

/** `begins`: from this look on. `too_long`: without a single reply in between. */
export type WaitState = "none" | "begins" | "goes_on" | "too_long";

/** To be asked again and again. `longestMs`: absent where the person ends it. */
export function createProviderWait(longestMs: number | undefined): (view: WaitView) => WaitState {
  let since: { ms: number; turns: number } | undefined;
  return ({ waits, works, turns, nowMs }) => {
    if (since?.turns !== turns || !(waits || works)) since = undefined;
    if (!waits || works) return "none"; // a member that is retrying counts as working, and may go on waiting afterwards
    if (!since) {
      since = { ms: nowMs, turns };
      return "begins";
    }
    return longestMs !== undefined && nowMs - since.ms >= longestMs ? "too_long" : "goes_on";
  };
}
