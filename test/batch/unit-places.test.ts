// Which place a unit gets, and what `--places` may say.
import { expect, it } from "vitest";
import { batchPlaces } from "../../src/app/batch/batch-places.ts";
import { placeFor } from "../../src/batch/unit-places.ts";

const places = [
  { name: "slurm", at_once: 3 },
  { name: "gpu", at_once: 2 },
];

it.each<[string, string[], string[], string | undefined]>([
  ["the one with the most room", [], [], "slurm"],
  ["another one once that has less", ["slurm", "slurm"], [], "gpu"],
  ["no place at which it died", [], ["slurm"], "gpu"],
  ["this machine where all are taken", ["slurm", "slurm", "slurm", "gpu", "gpu"], [], undefined],
  ["this machine where it died at each", [], ["gpu", "slurm"], undefined],
])("placeFor() gives %s", (_what, busy, left, expected) => {
  expect(placeFor(places, busy, left)).toBe(expected);
});

const settings = { slurm: { command: ["srun"], folder: "/s", atOnce: 20 }, gpu: { command: ["ssh", "gpu"], folder: "/g" } };

it("batchPlaces() takes numbers up to what a place has, and what it has without one", () => {
  expect(batchPlaces("slurm:30, gpu:4", settings)).toEqual([
    { name: "slurm", at_once: 20 },
    { name: "gpu", at_once: 4 },
  ]);
  expect(batchPlaces("gpu,slurm", settings)).toEqual([
    { name: "gpu", at_once: 1 },
    { name: "slurm", at_once: 20 },
  ]);
});

it.each([
  ["", "it is a list such as slurm:30,gpu:4"],
  ["slurm:0", "it is a list such as slurm:30,gpu:4"],
  ["slurm:3:4", "it is a list such as slurm:30,gpu:4"],
  ["gpu:1,gpu:2", '--places names "gpu" twice'],
  ["slrum:2", 'your settings have no place "slrum". Did you mean "slurm"?'],
])("batchPlaces() refuses %j", (list, why) => {
  expect(() => batchPlaces(list, settings)).toThrow(why);
});
