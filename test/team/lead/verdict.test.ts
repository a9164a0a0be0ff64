import { describe, expect, it } from "vitest";
import { type EndOfProcess, verdict } from "../../../src/team/lead/verdict.ts";

const exit = (reason: "finished" | "stopped" | "signal" | "lead_gone" | "fault", detail?: string) => ({
  reason,
  detail,
  nonce: "n",
  at: "",
  code: 0,
});
const base: EndOfProcess = { exit: undefined, display: "open", stopRequested: false, restarts: [], nowMs: 1_000_000 };

describe("verdict()", () => {
  it.each<[string, Partial<EndOfProcess>, ReturnType<typeof verdict>]>([
    ["a stop that was asked for is an end", { exit: exit("stopped") }, { kind: "ended", how: "stopped" }],
    ["a kill after a stop was asked for is an end", { stopRequested: true }, { kind: "ended", how: "stopped" }],
    [
      "a pane closed while its server lives was closed by a person",
      { display: "gone", exit: exit("signal", "SIGHUP") },
      { kind: "gone", how: "its pane was closed" },
    ],
    ["a pane that was closed before it could write is the same", { display: "gone" }, { kind: "gone", how: "its pane was closed" }],
    ["a SIGKILL is a crash", {}, { kind: "restart", how: "its process died", afterMs: 0 }],
    [
      "a hangup with the server gone is a lost display",
      { display: "server_gone", exit: exit("signal", "SIGHUP") },
      { kind: "restart", how: "ended by SIGHUP", afterMs: 0 },
    ],
    ["a SIGTERM is a crash", { exit: exit("signal", "SIGTERM") }, { kind: "restart", how: "ended by SIGTERM", afterMs: 0 }],
    ["a fault is a crash", { exit: exit("fault", "no disk") }, { kind: "restart", how: "no disk", afterMs: 0 }],
    [
      "three restarts in ten minutes are enough",
      { restarts: [500_000, 600_000, 900_000] },
      { kind: "gone", how: "its process died, after 3 restarts in 10 minutes" },
    ],
    [
      "old restarts do not count",
      { restarts: [1, 2, 900_000], nowMs: 1_000_000 },
      { kind: "restart", how: "its process died", afterMs: 1_000 },
    ],
    ["each restart waits longer", { restarts: [900_000, 910_000] }, { kind: "restart", how: "its process died", afterMs: 5_000 }],
    [
      "what is wrongly configured is not started again",
      { exit: { ...exit("fault", "Cannot use the settings"), cause: "configuration" } },
      { kind: "gone", how: "Cannot use the settings; it is not started again, since that would fail the same way" },
    ],
  ])("%s", (_sentence, end, expected) => {
    expect(verdict({ ...base, ...end })).toEqual(expected);
  });
});
