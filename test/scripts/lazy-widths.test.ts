// What the build changes in pi-tui, beside pi-tui as it is.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as asItIs from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { lazily } from "../../scripts/lazy-widths.js";
import { scratchFolder } from "../scratch.ts";

test("all characters that may be emoji, alone and in sequences, are as wide as without the change", async () => {
  const { visibleWidth } = await changed();
  const characters = [...charactersIn(0x2300, 0x2bff), ...charactersIn(0x1f000, 0x1fbff)];
  const sequences = ["👩‍💻", "🇩🇪", "1️⃣", "✓︎", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧", "⌚︎", "a\u0300\u0301", "\r\n", "한", "กำ"];
  const texts = [...characters, ...characters.flatMap((one) => [`${one}\ufe0f`, `${one}\u{1f3fd}`]), ...sequences];
  expect(texts.filter((text) => visibleWidth(text) !== asItIs.visibleWidth(text))).toEqual([]);
});

const charactersIn = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));

test("lines are broken and cut as without the change", async () => {
  const { truncateToWidth, wrapTextWithAnsi } = await changed();
  const lines = [
    "· Read src/part-1.ts → 20 lines … ✓",
    "▶\ufe0f",
    "a\u0301 ✗",
    "↔ ▶ ↔\u200d▶",
    "│ ─ █ a long word thatIsBrokenSomewhere",
    "한 글 é ✓",
    "é © ­ − ×2 ünï",
    "\r\n",
  ];
  const shown = (widths: Widths) =>
    lines.flatMap((line) => [1, 3, 8, 12].map((width) => [widths.truncateToWidth(line, width, "…"), widths.wrapTextWithAnsi(line, width)]));
  expect(shown({ truncateToWidth, wrapTextWithAnsi })).toEqual(shown(asItIs));
});

test("a version of pi-tui without these expressions is refused", () => {
  expect(() => lazily("export const nothing = 1;")).toThrow("pi-tui has changed");
});

type Widths = Pick<typeof asItIs, "truncateToWidth" | "wrapTextWithAnsi">;

async function changed(): Promise<Widths & Pick<typeof asItIs, "visibleWidth">> {
  const source = fileURLToPath(new URL("utils.js", import.meta.resolve("@earendil-works/pi-tui")));
  const path = join(scratchFolder(), "utils.mjs");
  const beside = createRequire(source);
  const text = lazily(readFileSync(source, "utf8")).replace(
    /from "([\w-]+)"/g,
    (_, name) => `from "${pathToFileURL(beside.resolve(name)).href}"`,
  );
  writeFileSync(path, text.replace(/^\/\/# sourceMappingURL.*/m, ""));
  return import(pathToFileURL(path).href);
}
