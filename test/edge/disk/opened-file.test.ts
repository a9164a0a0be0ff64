import { closeSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { holdFolder, holdingHere } from "../../../src/edge/disk/held-folder.ts";
import { openFile } from "../../../src/edge/disk/opened-file.ts";
import { rawPath } from "../../../src/edge/disk/raw-path.ts";
import { scratchFolder } from "../../scratch.ts";

it.skipIf(process.platform === "darwin")("opens a file whose own name is not UTF-8", () => {
  const top = realpathSync(scratchFolder());
  const path = join(top, "r\udcffw");
  writeFileSync(rawPath(path), "mine");
  const folder = holdFolder(top, holdingHere());
  const opened = openFile(folder, path);
  folder.close();
  if (opened.kind !== "open") throw new Error(opened.kind);
  expect(readFileSync(opened.fd, "utf8")).toBe("mine");
  closeSync(opened.fd);
});
