import { describe, expect, it } from "vitest";
import { createStyle } from "../../../src/screen/style.ts";
import { askingBackground, canTell, themeFor } from "../../../src/screen/terminal/background.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

const reply = (colour: string, end = "\x07") => `\x1b]11;${colour}${end}`;

function asked() {
  const emulated = emulatedTerminal(40, 5);
  const told: string[] = [];
  const keys: string[] = [];
  const terminal = askingBackground(emulated.terminal, (theme) => told.push(theme));
  terminal.listen((typed) => keys.push(typed));
  return { ...emulated, terminal, told, keys };
}

describe("askingBackground()", () => {
  it("asks once, and leaves nothing on the screen of a terminal that does not answer", async () => {
    const { terminal, written, lines, type, keys, told } = asked();
    terminal.listen(() => {});
    expect([written(), await lines()]).toEqual(["\x1b]11;?\x07", []]);
    expect([terminal.columns, terminal.rows]).toEqual([40, 5]);
    type("a");
    expect([keys, told]).toEqual([[], []]); // the newest listener has the keys
  });

  it.each([
    ["alone", [reply("rgb:ffff/ffff/ffff")], ["light"], ""],
    ["between keys", [`a${reply("rgb:0000/0000/0000", "\x1b\\")}b`], ["dark"], "ab"],
    ["in two reads", ["\x1b]11;rgb:fd/f6", "/e3\x07x"], ["light"], "x"],
    ["in two reads, the end in both", ["\x1b]11;rgb:1/1/1\x1b", "\\"], ["dark"], ""],
    ["in words that are no colour", [reply("white")], [], ""],
    ["never", ["\x1b", "\x1b[A"], [], "\x1b\x1b[A"],
  ])("keeps an answer from the keys that comes %s", (_, reads, themes, typed) => {
    const { type, told, keys } = asked();
    for (const read of reads) type(read);
    expect([told, keys.join("")]).toEqual([themes, typed]);
  });
});

it.each([
  [{ TERM: "xterm-256color" }, true],
  [{ TERM: "xterm-kitty" }, true],
  [{ TERM: "xterm", COLORTERM: "truecolor" }, true],
  [{ TERM: "xterm-256color", COLORFGBG: "0;15" }, false],
  [{ TERM: "linux" }, false],
  [{ TERM: "dumb" }, false],
  [{}, false],
])("asks only a terminal that may answer: %o", (env, can) => {
  expect(canTell(env)).toBe(can);
});

it("takes a colour by its brightness, whatever its form", () => {
  expect(["rgb:ffff/ffff/ffff", "rgb:0/0/0", "rgba:2828/2c2c/3434/ffff", "rgb:fd/f6/e3", "red", ""].map(themeFor)).toEqual([
    "light",
    "dark",
    "dark",
    "light",
    undefined,
    undefined,
  ]);
});

it("draws in the other palette once the theme is known", () => {
  let theme: "auto" | "light" = "auto";
  const style = createStyle(
    { TERM: "xterm-256color" },
    () => [],
    () => theme,
  );
  const before = style.state("failed", "x");
  theme = "light";
  expect([before, style.state("failed", "x")]).toEqual(["\x1b[31mx\x1b[0m", "\x1b[38;5;124mx\x1b[0m"]);
});
