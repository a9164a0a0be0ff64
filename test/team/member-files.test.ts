import { expect, it } from "vitest";
import { teamLayout } from "../../src/board/layout.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { readExit, readStatus, statusReader, writeStatus } from "../../src/team/member-files.ts";
import { failing } from "../failing-calls.ts";
import { scratchFolder } from "../scratch.ts";

const tally = { turns: 1, tokens: 2, cached_tokens: 0, cost_usd: 0 };
const status = {
  name: "ada",
  pid: 1,
  start: "1",
  nonce: "n",
  session: "s",
  state: "idle" as const,
  task: null,
  doing: "",
  since: "",
  ...tally,
};

it("a reader of statuses reads each change, and gives the same object while there is none", () => {
  const layout = teamLayout(scratchFolder());
  disk.makeFolder(layout.member("ada"));
  const statusOf = statusReader(disk, layout);
  expect(statusOf("ada")).toBeUndefined();
  writeStatus(disk, layout, status);
  const read = statusOf("ada");
  expect(read).toEqual(status);
  expect(statusOf("ada")).toBe(read);
  writeStatus(disk, layout, { ...status, doing: "reads" });
  expect(statusOf("ada")).toEqual({ ...status, doing: "reads" });
  disk.remove(`${layout.member("ada")}/status.json`);
  expect(statusOf("ada")).toBeUndefined();
});

it("an unreadable status counts as absent and does not end the reader", () => {
  const layout = teamLayout(scratchFolder());
  disk.makeFolder(layout.member("ada"));
  writeStatus(disk, layout, status);
  expect(readStatus(disk, layout, "ada")).toEqual(status);
  const refusing = failing("readFileSync", { code: "EIO", when: (path) => path.includes("/ada/") });
  expect([readStatus(disk, layout, "ada"), readExit(disk, layout, "ada")]).toEqual([undefined, undefined]);
  refusing.mend();
  expect(readStatus(disk, layout, "ada")).toEqual(status);
});
