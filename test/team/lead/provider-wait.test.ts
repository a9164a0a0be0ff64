import { expect, it } from "vitest";
import { createProviderWait, type WaitView } from "../../../src/team/lead/provider-wait.ts";

const seen = (longestMs: number | undefined, views: Partial<WaitView>[]) => {
  const wait = createProviderWait(longestMs);
  return views.map((view, index) => wait({ waits: true, works: false, turns: 3, nowMs: index * 10, ...view }));
};

it("createProviderWait() tells the beginning once, and the end of a wait without a reply, but not while somebody asks again", () => {
  expect(seen(30, [{}, {}, { waits: false, works: true }, { works: true }, {}])).toEqual(["begins", "goes_on", "none", "none", "too_long"]);
});

it("createProviderWait() counts anew after a reply, and where nobody waits any more", () => {
  expect(seen(20, [{}, {}, { turns: 4 }, { turns: 4 }])).toEqual(["begins", "goes_on", "begins", "goes_on"]);
  expect(seen(20, [{}, { waits: false }, {}, {}])).toEqual(["begins", "none", "begins", "goes_on"]);
});

it("createProviderWait() has no end where the person decides", () => {
  expect(seen(undefined, [{}, { nowMs: 86_400_000 }])).toEqual(["begins", "goes_on"]);
});
