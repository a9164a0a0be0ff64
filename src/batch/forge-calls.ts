// Retries a call to the forge if that can help: after a rate limit, a server error or a network error.
import type { Clock } from "../agent/ports/clock.ts";
import type { ForgeAnswer, ForgeError } from "./forge.ts";

const attempts = 4;
const firstWaitMs = 1_000;
const longestWaitMs = 15 * 60_000;

/** How long to wait before the next attempt; undefined if a retry would get the same answer. */
export function waitBefore(error: ForgeError, attempt: number): number | undefined {
  if (attempt >= attempts) return undefined;
  switch (error.kind) {
    case "rate_limit":
      return error.waitMs <= longestWaitMs ? error.waitMs : undefined;
    case "server":
    case "network":
      return firstWaitMs * 2 ** (attempt - 1);
    case "auth":
    case "invalid":
    case "not_found":
      return undefined;
  }
}

export async function patiently<T>(
  call: (signal: AbortSignal) => Promise<ForgeAnswer<T>>,
  { clock, signal }: { clock: Pick<Clock, "sleep">; signal: AbortSignal },
): Promise<ForgeAnswer<T>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call(signal);
    if (answer.ok || signal.aborted) return answer;
    const ms = waitBefore(answer.error, attempt);
    if (ms === undefined) return answer;
    await clock.sleep(ms, signal);
  }
}
