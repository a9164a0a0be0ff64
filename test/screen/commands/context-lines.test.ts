import { expect, it } from "vitest";
import type { WindowAccount } from "../../../src/agent/context.ts";
import { contextText } from "../../../src/screen/commands/context-lines.ts";
import { createStyle } from "../../../src/screen/style.ts";

const account: WindowAccount = {
  tokens: 48_200,
  windowTokens: 200_000,
  counted: true,
  sources: [
    { source: "files", tokens: 21_300, entries: 9 },
    { source: "commands", tokens: 14_000, entries: 12 },
    { source: "system and tools", tokens: 2900, entries: 1 },
  ],
  largest: [
    { source: "files", what: "src/report/index.js", tokens: 6100, times: 1 },
    { source: "commands", what: "npm \u001b[31mtest", tokens: 4400, times: 3 },
    { source: "messages", what: "read package.json", tokens: 50, times: 1 },
  ],
};

it("shows the window by source with a bar, and the largest parts", () => {
  expect(contextText(account, createStyle({ LANG: "C.UTF-8", NO_COLOR: "1" }), 100)).toBe(
    `48.2k of 200k tokens
${"█".repeat(10)}${"░".repeat(30)}
files 21.3k (9)   commands 14.0k (12)   system and tools 2.9k
largest: file src/report/index.js (6.1k), command npm \\x1b[31mtest (4.4k, 3 times)
         message "read package.json" (50)`,
  );
});

it("stays within a narrow screen, and without UTF-8 within ASCII", () => {
  const lines = contextText(account, createStyle({ NO_COLOR: "1" }), 30).split("\n");
  expect(lines.filter((line) => line.length > 30)).toEqual([]);
  expect(lines[1]).toBe(`${"#".repeat(7)}${".".repeat(22)}`);
});

it("advises /compact or phases once agents' reports fill a tenth of the window", () => {
  const style = createStyle({ LANG: "C.UTF-8", NO_COLOR: "1" });
  const withReports = (tokens: number) => contextText({ ...account, sources: [{ source: "agents", tokens, entries: 4 }] }, style, 100);
  expect(withReports(19_000)).not.toContain("/compact");
  expect(withReports(24_000)).toContain("\nagents' reports fill 12 % of the window: use /compact, or work in phases\n");
});
