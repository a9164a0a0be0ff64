// Which place hands get, and what `--places` may say.
import { expect, it } from "vitest";
import { placesList } from "../../src/app/places/places-list.ts";
import { freePlace } from "../../src/places/free-place.ts";

const places = [
  { name: "gpu", at_once: 2 },
  { name: "slurm", at_once: 3 },
  { name: "pods", at_once: 2 },
];

it.each<[string, string[], string[], Record<string, number>, string | undefined]>([
  ["the one that takes most at once", ["slurm", "slurm"], [], {}, "slurm"],
  ["of those that take as many, the one that starts fastest", ["slurm", "slurm", "slurm"], [], { gpu: 900, pods: 300 }, "pods"],
  ["one that has started before one that never has", ["slurm", "slurm", "slurm"], [], { gpu: 900 }, "gpu"],
  ["no place that is left out", [], ["slurm", "gpu"], {}, "pods"],
  ["none where all are taken", ["slurm", "slurm", "slurm", "gpu", "gpu", "pods", "pods"], [], {}, undefined],
  ["none where all are left out", [], ["gpu", "slurm", "pods"], {}, undefined],
])("freePlace() gives %s", (_what, busy, left, started, expected) => {
  expect(freePlace(places, { busy, left, startedMs: (name) => started[name] })).toBe(expected);
});

const settings = { slurm: { command: ["srun"], folder: "/s", atOnce: 20 }, gpu: { command: ["ssh", "gpu"], folder: "/g" } };

it("placesList() takes numbers up to what a place has, and what it has without one", () => {
  expect(placesList("slurm:30, gpu:4", settings)).toEqual([
    { name: "slurm", at_once: 20 },
    { name: "gpu", at_once: 4 },
  ]);
  expect(placesList("gpu,slurm", settings)).toEqual([
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
])("placesList() refuses %j", (list, why) => {
  expect(() => placesList(list, settings)).toThrow(why);
});
