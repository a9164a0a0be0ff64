// What a later process of the session reads of the commands that an earlier one had begun.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFileVersions } from "../../../src/agent/rewind/file-versions.ts";
import { openKeptCopies } from "../../../src/agent/rewind/kept-copies.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { scratchFolder } from "../../scratch.ts";

it("knows which commands had begun, in this tree and beside it, also after the ones before were settled", () => {
  const folder = join(scratchFolder(), "files");
  mkdirSync(folder);
  const opened = () => openKeptCopies(openFileVersions(disk, folder));
  const [early, late] = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"];
  const first = opened();
  first.begins(early, "here");
  expect(opened().interrupted()).toEqual({ since: early });
  first.settled();
  expect(opened().interrupted()).toBeUndefined();
  first.begins(late, "beside");
  expect(opened().interrupted()).toEqual({ since: undefined });
  first.begins(early, "here");
  first.ends("beside");
  expect(opened().interrupted()).toEqual({ since: early });
});
