import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withTimeLimit } from "../../src/tools/time-limit.ts";

const ended = (signal: AbortSignal) => new Promise<unknown>((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));

it("withTimeLimit() aborts even if nothing else references the limit", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collecting = setInterval(collect, 10);
  const reason = await ended(withTimeLimit(new AbortController().signal, 100).signal);
  clearInterval(collecting);
  expect(reason).toMatchObject({ name: "TimeoutError" });
});

it("withTimeLimit() ends with the call, also with one that has ended", async () => {
  const call = new AbortController();
  const waiting = ended(withTimeLimit(call.signal, 60_000).signal);
  call.abort("stop");
  expect([await waiting, withTimeLimit(call.signal, 60_000).signal.reason]).toEqual(["stop", "stop"]);
});
