// String literals of many languages: what opens one, what closes it, and where its text is.

/** `start` and `end` delimit the text without its quotes; `after` is the position after the closing quote. */
export type Literal = { start: number; end: number; after: number; mark: string };

/** The literal that begins exactly there. */
export function literalAt(text: string, at: number): Literal | undefined {
  return quoted(text, at) ?? bracketed(text, at) ?? heredoc(text, at);
}

/** An opening quote, after any prefix that a language allows. */
const opening =
  /(?:String::from\(|Some\(|T\.pack |new String\(|SecureString\(|String\.raw|<<(?=")|[rbufL@$]{1,2})?(\\?"""|\\?'''|\\?&quot;|\\{0,3}["'`])/y;

function quoted(text: string, at: number): Literal | undefined {
  const open = readSticky(opening, text, at);
  if (!open) return undefined;
  const start = at + open[0].length;
  const mark = open[1]!;
  const end = closing(text, start, mark);
  return end === undefined ? undefined : { start, end, after: end + mark.length, mark };
}

function closing(text: string, start: number, mark: string): number | undefined {
  const longest = Math.min(text.length, start + 4096);
  for (let at = start; at < longest; at++) {
    if (text.startsWith(mark, at)) return at;
    const character = text[at];
    if (character === "\n" && mark.length < 3) return undefined;
    if (character === "\\" && !mark.startsWith("\\")) at++;
  }
  return undefined;
}

/** `%q(x)` and `q{x}`, `r#"x"#`, `R"(x)"`, `[[x]]`, `<![CDATA[x]]>`: the closing delimiter mirrors the opening one. */
const brackets = /%[qQ](?=[({[<|!/])|qq?(?=[({[<|])|(?:b?r)?(#{1,3})"|[LuU8]{0,2}R"(\w{0,16})\(|\[(={0,3})\[(?=[^\s"'[\]])|(<!\[CDATA\[)/y;
const pairs: Record<string, string> = { "(": ")", "{": "}", "[": "]", "<": ">" };

function bracketed(text: string, at: number): Literal | undefined {
  const open = readSticky(brackets, text, at);
  if (!open) return undefined;
  const [whole, hashes, delimiter, equals, cdata] = open;
  let start = at + whole.length;
  let close = cdata ? "]]>" : hashes !== undefined ? `"${hashes}` : delimiter !== undefined ? `)${delimiter}"` : `]${equals}]`;
  if (hashes === undefined && delimiter === undefined && equals === undefined && !cdata) {
    const sign = text[start]!;
    close = pairs[sign] ?? sign;
    start++;
  }
  const line = text.slice(start, start + longestLine);
  const length = line.indexOf(close);
  if (length === -1 || (!cdata && line.slice(0, length).includes("\n"))) return undefined;
  return { start, end: start + length, after: start + length + close.length, mark: whole };
}

const longestLine = 600;

/** A here-document with one line of text. */
const opensHere = /<<[<~-]?[ \t]?["']?([A-Z_]\w{0,20})["']?\r?\n([ \t]*)([^\n]{1,600})\r?\n[ \t]*\1\b/y;

function heredoc(text: string, at: number): Literal | undefined {
  const open = readSticky(opensHere, text, at);
  if (!open) return undefined;
  const start = at + open[0].indexOf(`\n${open[2]!}`) + 1 + open[2]!.length;
  const end = start + open[3]!.trimEnd().length;
  return { start, end, after: at + open[0].length, mark: "<<" };
}

export function readSticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
