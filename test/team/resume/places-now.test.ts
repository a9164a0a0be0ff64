// What becomes of the places of a team that is resumed with other settings.
import { expect, it } from "vitest";
import type { TeamRecord } from "../../../src/board/team-record.ts";
import { placesNow } from "../../../src/team/resume/places-now.ts";

it("placesNow() moves teammates whose place is gone to one with room, then to this machine, and says so", () => {
  const members = [
    { name: "lead", role: "lead" },
    { name: "ada", role: "teammate", place: "slurm" },
    { name: "bo", role: "teammate", place: "gpu" },
    { name: "cy", role: "teammate", place: "gpu" },
    { name: "di", role: "teammate", place: "gpu", ended: { how: "stopped", at: "" } },
  ];
  const before = { members } as TeamRecord;
  const places = [{ name: "slurm", at_once: 2 }];
  const now = placesNow(before, { isThere: (place) => place === "slurm", places, statusOf: () => undefined });
  expect(now.record.members.map(({ name, place, moves }) => [name, place, moves])).toEqual([
    ["lead", undefined, undefined],
    ["ada", "slurm", undefined],
    ["bo", "slurm", true],
    ["cy", undefined, undefined],
    ["di", "gpu", undefined],
  ]);
  expect(now.lines).toEqual([
    'bo: your settings no longer have the place "gpu"; its hands are at slurm now',
    'cy: your settings no longer have the place "gpu"; its hands are on this machine now',
  ]);
});
