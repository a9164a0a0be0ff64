import { describe, expect, it } from "vitest";
import { waker } from "../../src/app/waker.ts";

const never = () => new AbortController().signal;

describe("waker()", () => {
  it("does not miss a signal that came just before, and counts it once", async () => {
    const wake = waker();
    wake.notify();
    await wake.next(never());
    const order: string[] = [];
    const second = wake.next(never()).then(() => order.push("woken"));
    await Promise.resolve();
    order.push("told");
    wake.notify();
    await second;
    expect(order).toEqual(["told", "woken"]);
  });

  it("wakes everything that waits", async () => {
    const wake = waker();
    const both = Promise.all([wake.next(never()), wake.next(never())]);
    wake.notify();
    expect(await both).toEqual([undefined, undefined]);
  });

  it("keeps a signal for others when one waiter aborts", async () => {
    const wake = waker();
    const givingUp = new AbortController();
    const first = wake.next(givingUp.signal);
    givingUp.abort();
    wake.notify();
    await first;
    expect(await wake.next(never())).toBeUndefined();
  });
});
