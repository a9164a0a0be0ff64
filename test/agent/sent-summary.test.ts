import { expect, it } from "vitest";
import { sentText } from "../../src/agent/sent-summary.ts";
import type { SentEntry } from "../../src/agent/session/ledger.ts";

const read = (path: string): SentEntry => ({
  at: "2026-01-02T10:20:30.000Z",
  request: 1,
  kind: "tool",
  sha256: "0",
  bytes: 1,
  redacted: 0,
  files: [{ path, sha256: "0", bytes: 1 }],
});
const text = (paths: string[]) => sentText(paths.map(read), { cwd: "/repo", command: "tool" }).split("\n");

it("sentText() names each file once, those of this folder by their relative path, and how to learn more", () => {
  expect(text(["/repo/src/a.ts", "/repo/src/a.ts", "/repository/b.ts"])).toEqual([
    "Left this machine in this session: 2 files, 0 command outputs, 0 secrets (0 replaced).",
    "  src/a.ts",
    "  /repository/b.ts",
    "All sessions of this folder: tool privacy; one file: tool privacy <path>",
  ]);
});

it("sentText() names the newest of many files, and counts the others", () => {
  const many = text(Array.from({ length: 20 }, (_, index) => `/repo/${index}`));
  expect(many.slice(1, -1)).toEqual([...Array.from({ length: 15 }, (_, index) => `  ${index + 5}`), "  and 5 files before them"]);
});
