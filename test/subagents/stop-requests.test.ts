import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diskHere } from "../../src/edge/disk/disk.ts";
import { moved } from "../../src/subagents/record.ts";
import { askToStop, obeyStops, stopInRecords } from "../../src/subagents/stop-requests.ts";
import { scratchFolder } from "../scratch.ts";
import { aRecord, recordsOf } from "./kit.ts";

it("a request stays until the agent has ended, and one for an agent that has ended is removed", () => {
  const disk = diskHere(() => {});
  const folder = scratchFolder();
  const records = recordsOf([aRecord({ id: "a-1", state: "running" }), aRecord({ id: "a-2", state: "completed" })]);
  for (const id of ["a-1", "a-2", "a-3"]) askToStop(disk, folder, id);
  writeFileSync(join(folder, "stop-a-1.123.0.tmp"), ""); // a file that is still being written is ignored
  const stopped: string[] = [];
  const obey = () => obeyStops(disk, folder, { find: records.find, stop: (id) => void stopped.push(id) });
  expect([obey(), stopped, readdirSync(folder)]).toEqual([true, ["a-1"], ["stop-a-1", "stop-a-1.123.0.tmp"]]);
  records.put(moved(records.find("a-1")!, "stopped"));
  expect([obey(), stopped, readdirSync(folder)]).toEqual([false, ["a-1"], ["stop-a-1.123.0.tmp"]]);
});

it("an agent of a session without a process is stopped in its record", () => {
  const records = recordsOf([
    aRecord({ id: "a-1", state: "needs_permission", report: "It waits." }),
    aRecord({ id: "a-2", state: "failed" }),
  ]);
  expect(stopInRecords(records, "a-1", "now")).toMatchObject({ state: "stopped", report: "It waits.", endedAt: "now" });
  expect(stopInRecords(records, "a-2", "now")).toBeUndefined();
  expect(records.all().map(({ state }) => state)).toEqual(["stopped", "failed"]);
});
