import { describe, expect, it } from "vitest";
import { createStyle, type Palette, paletteOf, palettes } from "../../src/screen/style.ts";

/** The red, green and blue of a colour from 16 to 255: a cube of six levels, then greys. */
function rgb(number: number): number[] {
  if (number >= 232) return Array(3).fill(8 + 10 * (number - 232));
  const levels = [0, 95, 135, 175, 215, 255];
  return [36, 6, 1].map((step) => levels[Math.floor((number - 16) / step) % 6]!);
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(colour: number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number[], other: number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = { light: [[255, 255, 255], [238, 238, 238]], dark: [[0, 0, 0], [40, 44, 52]] }; // biome-ignore format: pairs

describe.each(["light", "dark"] as const)("the %s palette", (name) => {
  const { accents, ...named } = palettes[name];
  const colours = [...Object.entries(named), ...accents.map((code, index) => [`accent ${index}`, code] as const)];

  it.each(colours)("can be read on its background: %s", (use, code) => {
    const number = Number(/^38;5;(\d+)$/.exec(code)?.[1]);
    const least = Math.min(...backgrounds[name].map((background) => contrast(rgb(number), background)));
    expect(least).toBeGreaterThanOrEqual(use === "dim" || use === "quiet" ? 3 : 4.5);
  });

  it("gives no member the colour of a state", () => {
    const states = (["working", "done", "needs_you", "failed"] as const).map((state) => palettes[name][state]);
    expect(accents.filter((code) => states.includes(code))).toEqual([]);
  });
});

describe("paletteOf()", () => {
  const term = { TERM: "xterm-256color" };
  it.each<[Record<string, string>, Parameters<typeof paletteOf>[1], Palette | undefined]>([
    [term, "auto", palettes.ansi],
    [{ ...term, COLORFGBG: "0;15" }, "auto", palettes.light],
    [{ ...term, COLORFGBG: "15;default;0" }, "auto", palettes.dark],
    [{ ...term, COLORFGBG: "nonsense" }, "auto", palettes.ansi],
    [{ TERM: "xterm", COLORFGBG: "0;15" }, "auto", palettes.ansi],
    [{ ...term, COLORFGBG: "0;15" }, "dark", palettes.dark],
    [term, "none", undefined],
    [{ ...term, NO_COLOR: "1" }, "light", undefined],
    [{ ...term, FORCE_COLOR: "0" }, "light", undefined],
    [{ ...term, FORCE_COLOR: "1" }, "ansi", palettes.ansi],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "dark", undefined],
  ])("%j with the theme %s", (env, theme, palette) => {
    expect(paletteOf(env, theme)).toBe(palette);
  });

  it("is what every colour of a style comes from", () => {
    const { state, dim, member, prose } = createStyle(term, () => ["ada"], "light");
    expect([state("failed", "x"), dim("x"), member("ada", "x"), prose("x", ["code"])]).toEqual([
      "\x1b[38;5;124mx\x1b[0m",
      "\x1b[38;5;242mx\x1b[0m",
      "\x1b[38;5;19mx\x1b[0m",
      "\x1b[38;5;24mx\x1b[0m",
    ]);
  });
});
