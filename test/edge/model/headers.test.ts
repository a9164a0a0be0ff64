// The bundle's Headers behave like Node's, for everything that the provider's client does with them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Headers as Own } from "../../../src/edge/model/headers.ts";

const name = fc.constantFrom("Accept", "accept", "X-Api-Key", "anthropic-version", "a", "B");
const value = fc.stringMatching(/^[ \t]?[!-~]{0,3}[ ,]?[!-~]{0,3} ?$/);
const step = fc.oneof(
  fc.tuple(fc.constant("append" as const), name, value),
  fc.tuple(fc.constant("set" as const), name, value),
  fc.tuple(fc.constant("delete" as const), name, fc.constant("")),
);

test("any series of changes leaves the same names and values", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.array(step), (init, steps) => {
      const [own, node] = [new Own(init), new Headers(init)];
      for (const [change, key, to] of steps) {
        if (change === "delete") for (const headers of [own, node]) headers.delete(key);
        else for (const headers of [own, node]) headers[change](key, to);
      }
      expect([...own]).toEqual([...node]);
      expect([...new Own(own)]).toEqual([...new Headers(node)]);
      for (const key of ["ACCEPT", "b", "none"]) expect([own.get(key), own.has(key)]).toEqual([node.get(key), node.has(key)]);
    }),
  );
});

test("can be created from a record", () => {
  const record = { "X-B": "2", "x-a": " 1" };
  expect([...new Own(record)]).toEqual([...new Headers(record)]);
});
