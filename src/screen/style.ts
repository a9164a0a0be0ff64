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

const symbols: Record<State, [utf8: string, ascii: string, colour: string]> = {
  working: ["▶", ">", "36"],
  done: ["✓", "+", "32"],
  needs_you: ["!", "!", "33"],
  failed: ["✗", "x", "31"],
  waiting: ["·", ".", "2"],
};

/** The accents: blue, magenta and their bright forms, which differ from the four state colours. */
const accents = ["34", "35", "94", "95", "96", "92"];

const syntaxes: Record<Syntax, string> = { keyword: "35", name: "34", value: "32", quiet: "2", added: "32", removed: "31" };

/** Forms that are not colours are kept under NO_COLOR. An address has no decoration, because it is copied. */
const emphases: Record<Emphasis, string | undefined> = {
  strong: "1",
  emphasis: "3",
  strike: "9",
  link: "4",
  code: undefined,
  address: undefined,
};
const codeColour = "36";

/** Reads NO_COLOR (https://no-color.org), TERM and the locale's character set from `env`. `members`: in order of joining. */
export function createStyle(env: Record<string, string | undefined>, members: () => string[] = () => []): Style {
  const forms = env["TERM"] !== "dumb";
  const colour = !env["NO_COLOR"] && forms;
  const utf8 = /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
  const paint = (code: string, text: string) => (colour && text ? `\x1b[${code}m${text}\x1b[0m` : text);
  const symbol = (state: State) => symbols[state][utf8 ? 0 : 1];
  return {
    colour,
    symbol,
    state: (state, text) => paint(symbols[state][2], text),
    member: (name, text) => {
      const index = members().indexOf(name);
      return index < 0 ? text : paint(accents[index % accents.length] ?? "34", text);
    },
    dim: (text) => paint("2", text),
    bold: (text) => paint("1", text),
    prose(text, as) {
      const codes = new Set(as.flatMap((each) => emphases[each] ?? (each === "code" && colour ? codeColour : [])));
      return forms && codes.size > 0 && text ? `\x1b[${[...codes].join(";")}m${text}\x1b[0m` : text;
    },
    syntax: (text, kind) => paint(syntaxes[kind], text),
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
