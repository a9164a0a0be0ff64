// Colours and symbols: a state has both, a member has a colour, and code has quiet colours. Nothing else is coloured.
import type { Emphasis } from "./markdown/inline.ts";

export type State = "working" | "done" | "needs_you" | "failed" | "waiting";

/** The kind of a piece of code. */
export type Syntax = "keyword" | "name" | "value" | "quiet" | "added" | "removed";

export type Style = {
  /** False: only words and symbols may carry meaning. */
  colour: boolean;
  symbol(state: State): string;
  state(state: State, text: string): string;
  /** A member's accent colour, the same everywhere. */
  member(name: string, text: string): string;
  dim(text: string): string;
  bold(text: string): string;
  /** Text of a reply. */
  prose(text: string, as: readonly Emphasis[]): string;
  /** Marks a part of text that may have colours already. */
  underline(text: string): string;
  /** A piece of code, or of a diff. */
  syntax(text: string, kind: Syntax): string;
  arrow: string;
  separator: string;
  rule: string;
  bullet: string;
  ellipsis: string;
  pointer: string;
  /** Where typed text goes. */
  caret: string;
  /** Separates short notes on one line. */
  middleDot: string;
};

const symbols: Record<State, [utf8: string, ascii: string]> = {
  working: ["▶", ">"],
  done: ["✓", "+"],
  needs_you: ["!", "!"],
  failed: ["✗", "x"],
  waiting: ["·", "."],
};

export type Theme = "auto" | "light" | "dark" | "ansi" | "none";

/** Every colour of the screen, as the parameters of its SGR sequence. `accents`: of members, none of which is a state's colour. */
export type Palette = Record<Exclude<State, "waiting"> | Syntax | "dim" | "code", string> & { accents: readonly string[] };

/** Of the 256 colours those from 16 on, which are the same in every terminal. */
const fixed = (number: number) => `38;5;${number}`;

/** `ansi` has the terminal's own colours. The others are readable on a white and on a black background, and those near them. */
export const palettes: Record<"light" | "dark" | "ansi", Palette> = {
  ansi: {
    working: "36",
    done: "32",
    needs_you: "33",
    failed: "31",
    dim: "2",
    code: "36",
    keyword: "35",
    name: "34",
    value: "32",
    quiet: "2",
    added: "32",
    removed: "31",
    accents: ["34", "35", "94", "95", "96", "92"],
  },
  light: {
    working: fixed(24),
    done: fixed(22),
    needs_you: fixed(94),
    failed: fixed(124),
    dim: fixed(242),
    code: fixed(24),
    keyword: fixed(90),
    name: fixed(19),
    value: fixed(22),
    quiet: fixed(242),
    added: fixed(22),
    removed: fixed(124),
    accents: [fixed(19), fixed(90), fixed(55), fixed(125), fixed(23), fixed(58)],
  },
  dark: {
    working: fixed(80),
    done: fixed(114),
    needs_you: fixed(221),
    failed: fixed(210),
    dim: fixed(247),
    code: fixed(80),
    keyword: fixed(176),
    name: fixed(111),
    value: fixed(114),
    quiet: fixed(247),
    added: fixed(114),
    removed: fixed(210),
    accents: [fixed(111), fixed(176), fixed(147), fixed(218), fixed(123), fixed(156)],
  },
};

type Environment = Record<string, string | undefined>;

/** Undefined: no colours. The environment precedes the setting where it forbids them. */
export function paletteOf(env: Environment, theme: Theme): Palette | undefined {
  const forbids = env["NO_COLOR"] || env["TERM"] === "dumb" || /^(?:0|false)$/.test(env["FORCE_COLOR"] ?? "");
  if (forbids || theme === "none") return undefined;
  return palettes[theme === "auto" ? toldBy(env) : theme];
}

/** What the terminal says of its background in COLORFGBG: `foreground;background`, numbers of the 16 colours. */
function toldBy({ COLORFGBG: told = "", TERM: term = "", COLORTERM: more }: Environment): "light" | "dark" | "ansi" {
  const background = /;(\d+)$/.exec(told)?.[1];
  if (background === undefined || (!more && !term.includes("256color"))) return "ansi";
  return ["7", "15"].includes(background) ? "light" : "dark";
}

/** Forms that are not colours are kept under NO_COLOR. An address has no decoration, because it is copied. */
const emphases: Record<Emphasis, string | undefined> = {
  strong: "1",
  emphasis: "3",
  strike: "9",
  link: "4",
  code: undefined,
  address: undefined,
};
function paletteNow(env: Environment, theme: () => Theme): () => Palette | undefined {
  let known = theme();
  let palette = paletteOf(env, known);
  return () => {
    const now = theme();
    if (now !== known) palette = paletteOf(env, now);
    known = now;
    return palette;
  };
}

/**
 * Reads NO_COLOR (https://no-color.org), FORCE_COLOR, COLORFGBG, TERM and the locale's character set from `env`. `members`: in order of
 * joining. `theme`: a function where it may become known later; colours never come or go by it.
 */
export function createStyle(env: Environment, members: () => string[] = () => [], theme: Theme | (() => Theme) = "auto"): Style {
  const forms = env["TERM"] !== "dumb";
  const palette = paletteNow(env, typeof theme === "function" ? theme : () => theme);
  const utf8 = /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
  const paint = (code: string | undefined, text: string) => (code !== undefined && text ? `\x1b[${code}m${text}\x1b[0m` : text);
  const symbol = (state: State) => symbols[state][utf8 ? 0 : 1];
  return {
    colour: palette() !== undefined,
    symbol,
    state: (state, text) => paint(palette()?.[state === "waiting" ? "dim" : state], text),
    member: (name, text) => {
      const index = members().indexOf(name);
      const accents = palette()?.accents ?? [];
      return index < 0 ? text : paint(accents[index % accents.length], text);
    },
    dim: (text) => paint(palette()?.dim, text),
    bold: (text) => paint(palette() && "1", text),
    prose(text, as) {
      const codes = new Set(as.flatMap((each) => (each === "code" ? palette()?.code : emphases[each]) ?? []));
      return forms && codes.size > 0 && text ? `\x1b[${[...codes].join(";")}m${text}\x1b[0m` : text;
    },
    underline: (text) => paint(palette() && "4", text),
    syntax: (text, kind) => paint(palette()?.[kind], text),
    arrow: utf8 ? "→" : "->",
    separator: utf8 ? "│" : "|",
    rule: utf8 ? "─" : "-",
    bullet: utf8 ? "•" : "-",
    ellipsis: utf8 ? "…" : "...",
    pointer: utf8 ? "❯" : ">",
    caret: utf8 ? "▏" : "_",
    middleDot: utf8 ? " · " : " - ",
  };
}
