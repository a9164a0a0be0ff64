// State has a colour and a symbol, a person has a colour, nothing else has.

export type State = "working" | "done" | "needs_you" | "failed" | "waiting";

export type Style = {
  symbol(state: State): string;
  state(state: State, text: string): string;
  /** A member's accent: the same everywhere it is named. */
  member(name: string, text: string): string;
  dim(text: string): string;
  bold(text: string): string;
  arrow: string;
  separator: string;
  rule: string;
};

const symbols: Record<State, [utf8: string, ascii: string, colour: string]> = {
  working: ["▶", ">", "36"],
  done: ["✓", "+", "32"],
  needs_you: ["!", "!", "33"],
  failed: ["✗", "x", "31"],
  waiting: ["·", ".", "2"],
};

/** Accents apart from the four state colours: blue, magenta, and their bright forms. */
const accents = ["34", "35", "94", "95", "96", "92"];

/** Reads NO_COLOR (https://no-color.org), TERM and the locale's character set from `env`. `members`: in order of joining. */
export function createStyle(env: Record<string, string | undefined>, members: () => string[] = () => []): Style {
  const colour = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const utf8 = /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
  const paint = (code: string, text: string) => (colour && text ? `\x1b[${code}m${text}\x1b[0m` : text);
  const symbol = (state: State) => symbols[state][utf8 ? 0 : 1];
  return {
    symbol,
    state: (state, text) => paint(symbols[state][2], text),
    member: (name, text) => {
      const index = members().indexOf(name);
      return index < 0 ? text : paint(accents[index % accents.length] ?? "34", text);
    },
    dim: (text) => paint("2", text),
    bold: (text) => paint("1", text),
    arrow: utf8 ? "→" : "->",
    separator: utf8 ? "│" : "|",
    rule: utf8 ? "─" : "-",
  };
}
