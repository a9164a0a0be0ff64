// Work at a place whose process lives, is gone, was another machine's, or never said who it was.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { worksIn } from "../../../src/edge/places/works.ts";
import { isDead } from "../../../src/places/works.ts";
import { scratchFolder } from "../../scratch.ts";

it("worksIn() tells the work of living hands from that of dead ones", () => {
  const folder = scratchFolder();
  const works = worksIn(folder);
  const stop = works.begin("k-mine");
  const own = JSON.parse(readFileSync(join(folder, "work", "k-mine", "hands.json"), "utf8"));
  const put = (name: string, mark: unknown, ageMinutes = 0) => {
    const file = join(folder, "work", name, "hands.json");
    mkdirSync(join(folder, "work", name));
    writeFileSync(file, JSON.stringify(mark));
    const then = new Date(Date.now() - ageMinutes * 60_000);
    utimesSync(file, then, then);
  };
  put("k-gone", { ...own, pid: spawnSync("true").pid });
  put("k-same-number", { ...own, start: "1" });
  put("k-another-machine", { ...own, machine: "another" }, 5);
  put("k-another-machine-long-ago", { ...own, machine: "another" }, 60);
  mkdirSync(join(folder, "work", "k-just-begun"));
  const dead = works.look().flatMap((one) => (isDead(one) ? one.name : []));
  expect(dead.toSorted()).toEqual(["k-another-machine-long-ago", "k-gone", "k-same-number"]);
  stop();
});

it("worksIn() removes programs of other versions, and leaves its own", () => {
  const folder = scratchFolder();
  for (const name of ["a", "b", "own"]) mkdirSync(join(folder, "program", name), { recursive: true });
  expect(worksIn(folder).removeOtherPrograms(join(folder, "program", "own"))).toBe(2);
  expect(readdirSync(join(folder, "program"))).toEqual(["own"]);
});
