import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claimOf, giveBack, readListing, reuse, snapshot, take } from "../../../src/edge/lock/claims.ts";
import { processes } from "../../../src/edge/processes/processes.ts";
import { failing } from "../../failing-calls.ts";
import { scratchFolder } from "../../scratch.ts";

const table = processes();
const own = claimOf(table.self());
const stateOf = (folder: string) => snapshot(folder, table).state;
/** A folder with these claims. */
function claimFolder(files: Record<string, string>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

it("reads the names: the highest claim counts, and waiting processes are in order of arrival", () => {
  expect(readListing(["g9", "g9.done", "g10", "w10.7.55.0", "w9.8.44.0", "w10.12.55.1", "notes", "g11x", "g.done", "w1"])).toEqual({
    top: 10,
    released: false,
    waiting: [
      { name: "w9.8.44.0", ticket: 9, pid: 8, start: "44" },
      { name: "w10.12.55.1", ticket: 10, pid: 12, start: "55" },
      { name: "w10.7.55.0", ticket: 10, pid: 7, start: "55" },
    ],
  });
  expect(readListing(["g9", "g10", "g10.done"])).toEqual({ top: 10, released: true, waiting: [] });
  expect(readListing([])).toEqual({ top: 0, released: false, waiting: [] });
});

it("is free if it is empty, given back, emptied, or its holder is gone", () => {
  const free = { kind: "free" };
  expect(stateOf(join(scratchFolder(), "none"))).toEqual(free);
  expect(stateOf(claimFolder({ g3: own, "g3.done": "" }))).toEqual(free);
  expect(stateOf(claimFolder({ g3: "" }))).toEqual(free);
  expect(stateOf(claimFolder({ g3: claimOf({ ...table.self(), start: "0" }) }))).toEqual(free);
  expect(stateOf(claimFolder({ g3: claimOf({ ...table.self(), boot: "before" }) }))).toEqual(free);
});

it("is held by a living process, whatever is below its claim", () => {
  const held = { kind: "held", pid: process.pid, stopped: false };
  expect(stateOf(claimFolder({ g3: own }))).toEqual(held);
  expect(stateOf(claimFolder({ g2: "junk", "g2.done": "", g3: own }))).toEqual(held);
});

it("is neither free nor held if the claim is from another machine, or invalid", () => {
  const foreign = claimFolder({ g3: claimOf({ ...table.self(), machine: "lab-7", pid: 12 }) });
  expect(stateOf(foreign)).toEqual({ kind: "elsewhere", where: "process 12 of machine lab-7", path: join(foreign, "g3") });
  for (const junk of ["junk", "{}", own.slice(0, 20), own.replace(String(process.pid), '"x"')]) {
    const folder = claimFolder({ g3: junk });
    expect(stateOf(folder)).toEqual({ kind: "unreadable", path: join(folder, "g3"), reason: "it is not a claim" });
  }
});

it("is taken by only one", () => {
  const folder = claimFolder({ g3: own, "g3.done": "", w3: own });
  expect([take(folder, 3, "w3"), take(folder, 3, "w3")]).toEqual([4, undefined]);
  expect(stateOf(folder)).toEqual({ kind: "held", pid: process.pid, stopped: false });
});

it("is not taken by a process that checked long ago, if the generation it wants was swept", () => {
  const folder = claimFolder({ g7: own, g8: own, g9: own, w3: own });
  expect(take(folder, 3, "w3")).toBe(undefined);
  expect(readdirSync(folder).sort()).toEqual(["g7", "g8", "g9", "w3"]);
});

it("is taken if the link is reported as failed and was made, so that no process waits for a claim that nobody gives back", () => {
  const folder = claimFolder({ g3: own, "g3.done": "", w3: own });
  failing("linkSync", { code: "EIO", when: (path) => path.startsWith(folder), after: true });
  expect(take(folder, 3, "w3")).toBe(4);
});

it("is not taken with a claim that another process has swept", () => {
  const folder = claimFolder({ g3: own, "g3.done": "" });
  expect(take(folder, 3, "w3")).toBe(undefined);
});

it("is taken again with one of the process's own claims, if it is among the three highest", () => {
  const self = table.self();
  const others = claimOf({ ...self, pid: 1 });
  const folder = claimFolder({ g2: own, g3: others, g4: others, g5: others });
  expect([reuse(folder, 5, { ready: "w5", self }), reuse(folder, 4, { ready: "w4", self })]).toEqual([false, true]);
  expect(readdirSync(folder).sort()).toEqual(["g2", "g3", "g4", "g5", "w4"]);
  expect(readFileSync(join(folder, "w4"), "utf8")).toBe(own);
  expect(() => reuse(folder, 4, { ready: "w4", self })).toThrow("EEXIST");
  expect(reuse(join(folder, "none"), 0, { ready: "w0", self })).toBe(false);
});

it("is given back beside the claim, and the three highest generations remain", () => {
  const folder = claimFolder({ g1: own, g2: own, "g2.done": "", "g1.done": "", g4: own, "g4.done": "", g5: own, "g5.done": "", g6: own });
  giveBack(folder, 6, table.self());
  expect(readdirSync(folder).sort()).toEqual(["g4", "g4.done", "g5", "g5.done", "g6", "g6.done"]);
  expect(readFileSync(join(folder, "g6"), "utf8")).toBe(own);
});

it("is not given back by a process whose folder others removed and created again", () => {
  const folder = claimFolder({ g1: claimOf({ ...table.self(), pid: 1 }) });
  giveBack(folder, 1, table.self());
  giveBack(join(folder, "none"), 1, table.self());
  expect(readdirSync(folder)).toEqual(["g1"]);
  expect(existsSync(join(folder, "none"))).toBe(false);
});
