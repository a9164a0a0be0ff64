// What the end of a teammate's process means: the supervisor's one decision, a pure function of the known facts.
import type { DisplayState } from "../display/display.ts";
import { asWished, closedPane } from "../end-reasons.ts";
import { nextTryMs } from "../failure-classes.ts";
import type { MemberExit } from "../report/status.ts";

export type EndOfProcess = {
  /** What it wrote itself; undefined after SIGKILL or a crash. */
  exit: MemberExit | undefined;
  display: DisplayState;
  /** The lead asked it to stop. */
  stopRequested: boolean;
  /** Times of former restarts of this teammate, in milliseconds. */
  restarts: number[];
  nowMs: number;
};

export type Verdict = { kind: "ended"; how: string } | { kind: "gone"; how: string } | { kind: "restart"; how: string; afterMs: number };

/** Restarts that were longer ago do not count. */
const restartWindowMs = 10 * 60_000;

/**
 * `ended`: as wished, its open work is released. `gone`: for good, its task becomes blocked and the lead is told.
 * `restart`: a crash or a lost display; it continues from its transcript with its claim, at most 3 times in 10 minutes, each time after a longer wait.
 */
export function verdict(end: EndOfProcess): Verdict {
  if (end.exit?.reason === "finished" || end.exit?.reason === "stopped") return { kind: "ended", how: asWished };
  if (end.stopRequested) return { kind: "ended", how: asWished };
  if (end.display === "gone" && (end.exit === undefined || end.exit.reason === "signal")) return { kind: "gone", how: closedPane };
  return restartOrGone({ how: describe(end.exit), cause: end.exit?.cause, restarts: end.restarts, nowMs: end.nowMs });
}

export type Crash = Pick<EndOfProcess, "restarts" | "nowMs"> & { how: string; cause: MemberExit["cause"] };

/** For an unwanted end, or a failed start. */
export function restartOrGone({ how, cause, restarts, nowMs }: Crash): Exclude<Verdict, { kind: "ended" }> {
  const recent = restarts.filter((at) => nowMs - at < restartWindowMs).length;
  const afterMs = nextTryMs(cause ?? "crash", recent);
  if (afterMs === undefined && cause === "configuration")
    return { kind: "gone", how: `${how}; it is not started again, since that would fail the same way` };
  if (afterMs === undefined) return { kind: "gone", how: `${how}, after ${recent} restarts in ${restartWindowMs / 60_000} minutes` };
  return { kind: "restart", how, afterMs };
}

function describe(exit: MemberExit | undefined): string {
  if (!exit) return "its process died";
  if (exit.reason === "signal") return `ended by ${exit.detail ?? "a signal"}`;
  return exit.detail ?? "it ended";
}
