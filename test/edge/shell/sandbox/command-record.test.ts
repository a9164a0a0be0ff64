import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandRecord } from "../../../../src/edge/shell/sandbox/interrupted-command.ts";
import type { Found } from "../../../../src/edge/shell/sandbox/tree.ts";
import { scratchFolder } from "../../../scratch.ts";

it("belongs to the first of several running commands, and is gone when none runs", () => {
  const folder = scratchFolder();
  const file = join(folder, "running.json");
  const known = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).known : "no record");
  const record = commandRecord(folder);
  const begin = (...paths: string[]) =>
    record.begin(
      ["/repo"],
      paths.map((path) => ({ path }) as Found),
    );
  const seen: unknown[] = [];
  const endFirst = begin("/repo/a");
  const endSecond = begin("/repo/a", "/repo/b");
  seen.push(known());
  endSecond();
  seen.push(known());
  const endThird = begin("/repo/a", "/repo/c");
  endFirst();
  seen.push(known());
  endThird();
  seen.push(known());
  expect(seen).toEqual([["/repo/a"], ["/repo/a"], ["/repo/a", "/repo/c"], "no record"]);
});
