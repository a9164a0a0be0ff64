// Where units go, and when they wait.
import { expect, it } from "vitest";
import { unitPlaces } from "../../src/batch/unit-places.ts";

const places = [
  { name: "slurm", at_once: 2 },
  { name: "gpu", at_once: 1 },
];

const settledOf = (one: Promise<unknown>) => Promise.race([one, new Promise((resolve) => setTimeout(() => resolve("waits"), 20))]);

it("unitPlaces() lets a unit wait for a place, and for this machine only where it died at every place", async () => {
  const { take } = unitPlaces({ places, atOnceHere: 1, signal: new AbortController().signal });
  const [first, second, third] = [await take([]), await take([]), await take([])];
  expect([first, second, third].map(({ place }) => place)).toEqual(["slurm", "slurm", "gpu"]);
  const fourth = take(["gpu"]);
  expect(await settledOf(fourth)).toBe("waits");
  third.free();
  expect(await settledOf(fourth)).toBe("waits");
  second.free();
  expect((await fourth).place).toBe("slurm");
  const here = await take(["gpu", "slurm"]);
  expect(here.place).toBeUndefined();
  const alsoHere = take(["gpu", "slurm"]);
  expect(await settledOf(alsoHere)).toBe("waits");
  here.free();
  expect((await alsoHere).place).toBeUndefined();
});

it("unitPlaces() lets nobody wait who is stopped, and nobody in a batch without places", async () => {
  const stopping = new AbortController();
  const { take } = unitPlaces({ places: [{ name: "gpu", at_once: 1 }], atOnceHere: 1, signal: stopping.signal });
  await take([]);
  const waiting = take([]);
  stopping.abort();
  expect((await waiting).place).toBeUndefined();
  const without = unitPlaces({ places: [], atOnceHere: 1, signal: new AbortController().signal });
  expect([(await without.take([])).place, (await without.take([])).place]).toEqual([undefined, undefined]);
});
