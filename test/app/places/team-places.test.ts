// Which places a team may have, and which of them a new teammate gets.
import { expect, it } from "vitest";
import { teamPlaces } from "../../../src/app/places/team-places.ts";
import type { TeamRecord } from "../../../src/board/team-record.ts";
import { placeForTeammate } from "../../../src/team/lead/teammate-place.ts";

const settings = { slurm: { command: ["srun"], folder: "/s", atOnce: 20 }, gpu: { command: ["ssh", "gpu"], folder: "/g", atOnce: 1 } };
const trees = { hasTrees: true };

it("teamPlaces() has the places of the list, and none for a teammate that the person has placed", () => {
  expect(teamPlaces({ places: "slurm:4" }, settings, trees)).toEqual([{ name: "slurm", at_once: 4 }]);
  expect(teamPlaces({ teammate: [{ name: "rita", place: "gpu" }] }, settings, trees)).toBeUndefined();
  expect(teamPlaces({}, settings, { hasTrees: false })).toBeUndefined();
});

it("teamPlaces() drops what is gone from a list that the team had", () => {
  expect(teamPlaces({ places: "gone:3,slurm:4" }, settings, { ...trees, isKept: true })).toEqual([{ name: "slurm", at_once: 4 }]);
  expect(teamPlaces({ places: "gone:3" }, settings, { ...trees, isKept: true })).toBeUndefined();
});

it.each([
  ["a place that is none", { teammate: [{ name: "rita", place: "gqu" }] }, trees, 'your settings have no place "gqu". Did you mean "gpu"?'],
  [
    "more than a place takes",
    { teammate: ["rita", "bo"].map((name) => ({ name, place: "gpu" })) },
    trees,
    "takes 1 at the same time, and rita, bo",
  ],
  ["a list in one tree", { places: "gpu" }, { hasTrees: false }, "--places needs --worktrees: hands on another machine"],
  ["a teammate in one tree", { teammate: [{ name: "rita", place: "gpu" }] }, { hasTrees: false }, "--teammate rita@gpu needs --worktrees"],
] as const)("teamPlaces() refuses %s", (_what, wanted, options, why) => {
  expect(() => teamPlaces(wanted, settings, options)).toThrow(why);
});

const places = [
  { name: "slurm", at_once: 2 },
  { name: "gpu", at_once: 1 },
];
const hands = { state: "working", restarts: 0, sent_bytes: 0, received_bytes: 0 } as const;
const recordOf = (members: { name: string; place?: string; ended?: { how: string; at: string } }[]) =>
  ({ members: members.map((one) => ({ role: "teammate", ...one })) }) as TeamRecord;

it.each([
  ["one with room, where its hands may move", undefined, [], { ok: true, place: "slurm", moves: true }],
  ["the one that somebody chose, where they stay", "gpu", [{ name: "bo", place: "slurm" }], { ok: true, place: "gpu" }],
  [
    "one that an ended teammate has left",
    "gpu",
    [{ name: "bo", place: "gpu", ended: { how: "stopped", at: "" } }],
    { ok: true, place: "gpu" },
  ],
  ["one that hands have moved away from", "gpu", [{ name: "moved", place: "gpu" }], { ok: true, place: "gpu" }],
])("placeForTeammate() gives %s", (_what, wanted, members, expected) => {
  const statusOf = (name: string) => (name === "moved" ? ({ hands: { ...hands, place: "slurm" } } as never) : undefined);
  expect(placeForTeammate(recordOf(members), { wanted, places, statusOf })).toEqual(expected);
});

it("placeForTeammate() refuses a place that is full", () => {
  const order = { wanted: "gpu", places, statusOf: () => undefined };
  expect(placeForTeammate(recordOf([{ name: "bo", place: "gpu" }]), order)).toEqual({
    ok: false,
    reason: expect.stringContaining("no place has room for its hands: gpu takes 1 at once."),
  });
});
