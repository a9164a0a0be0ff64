import { describe, expect, it } from "vitest";
import { createPlaces } from "../../src/subagents/places.ts";

describe("createPlaces()", () => {
  it("gives out free places, then in the order of the queue; an aborted request gets none", async () => {
    const places = createPlaces(1);
    const quiet = new AbortController();
    const leaving = new AbortController();
    const got: string[] = [];
    const wait = (name: string, { signal }: AbortController) => places.take(signal).then((has) => void got.push(`${name} ${has}`));
    await wait("a", quiet);
    const queue = [wait("b", quiet), wait("c", leaving), wait("d", quiet)];
    expect(places.takeNow()).toBe(false);
    leaving.abort();
    await queue[1];
    places.leave();
    await queue[0];
    places.leave();
    await queue[2];
    places.leave();
    expect(got).toEqual(["a true", "c false", "b true", "d true"]);
    expect(places.takeNow()).toBe(true);
  });
});
