// A folder for testing a display: the programs that it starts write their observations there.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unless } from "../system-error.ts";

export function testFolder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tool-display-")));
  return {
    path,
    read: (name: string): string | undefined => unless("ENOENT", () => readFileSync(join(path, name), "utf8"), undefined),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
