// Whether a working member has been inactive for too long: decided from its status file, the process table and the monotonic clock, so that
// every process of this machine sees the same and no clock that is set changes it.
import { plural } from "../wording/figures.ts";
import type { MemberStatus } from "./report/status.ts";

/** `stopped`: suspended by a signal, so that it reports nothing whatever it is doing. */
export type Sign = { status: MemberStatus | undefined; stopped: boolean; nowMs: number };

/** How long it has worked without an event. Undefined while that is within the limit, and when it does not work. */
export function hungForMs({ status, stopped, nowMs }: Sign): number | undefined {
  if (status?.state !== "working" || status.sign_ms === undefined || status.hung_after_ms === undefined) return undefined;
  if (status.asks_model && !stopped) return undefined;
  const silentMs = nowMs - status.sign_ms;
  return silentMs >= status.hung_after_ms ? silentMs : undefined;
}

/** `no event for 12 minutes: Bash npm test`. */
export function hungWords(silentMs: number, doing: string): string {
  const minutes = Math.floor(silentMs / 60_000);
  return `no event for ${plural(minutes, "minute")}${doing && `: ${doing}`}`;
}
