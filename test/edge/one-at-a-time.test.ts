// Jobs that must not run at the same time.
import { expect, it } from "vitest";
import { oneAtATime } from "../../src/edge/one-at-a-time.ts";

it("oneAtATime() begins a job when the one before has ended, also after a failure", async () => {
  const inTurn = oneAtATime();
  const steps: string[] = [];
  const job = (name: string, work: () => string) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    return work();
  };
  const first = inTurn(job("first", () => "one"));
  const second = inTurn(
    job("second", () => {
      throw new Error("no");
    }),
  );
  const third = inTurn(job("third", () => "three"));
  await expect(second).rejects.toThrow("no");
  expect([await first, await third]).toEqual(["one", "three"]);
  expect(steps).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
