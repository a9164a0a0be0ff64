import { expect, it } from "vitest";
import { teamLayout } from "../../src/board/layout.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { readExit, readStatus, writeStatus } from "../../src/team/member-files.ts";
import { failing } from "../failing-calls.ts";
import { scratchFolder } from "../scratch.ts";

it("an unreadable status counts as absent and does not end the reader", () => {
  const layout = teamLayout(scratchFolder());
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
  disk.makeFolder(layout.member("ada"));
  writeStatus(disk, layout, status);
  expect(readStatus(disk, layout, "ada")).toEqual(status);
  const refusing = failing("readFileSync", { code: "EIO", when: (path) => path.includes("/ada/") });
  expect([readStatus(disk, layout, "ada"), readExit(disk, layout, "ada")]).toEqual([undefined, undefined]);
  refusing.mend();
  expect(readStatus(disk, layout, "ada")).toEqual(status);
});
