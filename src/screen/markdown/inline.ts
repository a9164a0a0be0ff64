// The inside of a paragraph: emphasis, code and links as spans of plain text.
// Emphasis after https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis.

export type Emphasis = "strong" | "emphasis" | "strike" | "code" | "link" | "address";

export type Span = { text: string; as: Emphasis[] };

/** A run of `*`, `_` or `~` that may open or close an emphasis; marks that remain are text. */
type Run = {
  kind: "run";
  mark: string;
  length: number;
  left: number;
  opens: boolean;
  closes: boolean;
  starts: Emphasis[];
  ends: Emphasis[];
};
type Token = { kind: "spans"; spans: Span[] } | Run;

/** The spans of a safe text, in order. An emphasis that is not closed stays as it was written. */
export function inlineSpans(text: string): Span[] {
  const tokens = tokensOf(text);
  pair(tokens.filter((token) => token.kind === "run"));
  const spans: Span[] = [];
  let on: Emphasis[] = [];
  for (const token of tokens) {
    if (token.kind === "spans") spans.push(...token.spans.map((span) => ({ ...span, as: [...on, ...span.as] })));
    else {
      for (const end of token.ends) on = on.toSpliced(on.lastIndexOf(end), 1);
      if (token.left > 0) spans.push({ text: token.mark.repeat(token.left), as: on });
      on = [...on, ...token.starts];
    }
  }
  return spans;
}

const special = /[\\`*_~[!<]|https?:\/\//g;
const address = /https?:\/\/[^\s<>"'`\])]*(?:\([^\s<>"'`)]*\)[^\s<>"'`\])]*)*/y;
const link =
  /!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,500})\]\(\s{0,3}<?([^\s<>()]{0,2000}(?:\([^\s()]{0,500}\)[^\s<>()]{0,500}){0,3})>?(?:\s{1,3}"[^"]{0,200}")?\s{0,3}\)/y;
const angled = /<(https?:\/\/[^\s<>]{1,2000})>/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let plain = "";
  const add = (token: Token) => {
    if (plain) tokens.push({ kind: "spans", spans: [{ text: plain, as: [] }] });
    plain = "";
    tokens.push(token);
  };
  while (at < text.length) {
    special.lastIndex = at;
    const next = special.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at === text.length) break;
    const found = codeAt(text, at) ?? linkAt(text, at) ?? runAt(text, at);
    if (found) {
      add(found.token);
      at = found.end;
    } else if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else {
      plain += text[at];
      at++;
    }
  }
  if (plain) tokens.push({ kind: "spans", spans: [{ text: plain, as: [] }] });
  return tokens;
}

type Found = { token: Token; end: number } | undefined;

function spansFound(spans: Span[], end: number): Found {
  return { token: { kind: "spans", spans }, end };
}

function codeAt(text: string, at: number): Found {
  if (text[at] !== "`") return undefined;
  const fence = /`+/y;
  fence.lastIndex = at;
  const ticks = fence.exec(text)?.[0] ?? "`";
  const from = at + ticks.length;
  for (let end = text.indexOf(ticks, from); end >= 0; ) {
    let after = end + ticks.length;
    if (text[after] !== "`") {
      const code = text.slice(from, end);
      return spansFound([{ text: /^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code, as: ["code"] }], after);
    }
    while (text[after] === "`") after++;
    end = text.indexOf(ticks, after);
  }
  return spansFound([{ text: ticks, as: [] }], from);
}

/** `[text](address)` becomes the text with the address in brackets, so that a link cannot hide where it leads. */
function linkAt(text: string, at: number): Found {
  const bare = matchAt(address, text, at);
  if (bare) {
    const shown = bare[0].replace(/[.,:;!?*_~]+$/, "");
    return /\w/.test(text[at - 1] ?? "") ? undefined : spansFound([{ text: shown, as: ["address"] }], at + shown.length);
  }
  const inAngles = matchAt(angled, text, at);
  if (inAngles) return spansFound([{ text: inAngles[1] ?? "", as: ["address"] }], at + inAngles[0].length);
  const linked = matchAt(link, text, at);
  if (!linked) return undefined;
  const [whole, label = "", target = ""] = linked;
  const end = at + whole.length;
  if (label === "" || label === target) return spansFound([{ text: target, as: ["address"] }], end);
  const inside = label.includes("](") ? [{ text: label, as: [] }] : inlineSpans(label);
  const named = inside.map((span) => ({ ...span, as: [...span.as, "link" as const] }));
  return spansFound(
    target === "" ? named : [...named, { text: " (", as: [] }, { text: target, as: ["address"] }, { text: ")", as: [] }],
    end,
  );
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function runAt(text: string, at: number): Found {
  const mark = text[at] ?? "";
  if (!"*_~".includes(mark)) return undefined;
  let end = at;
  while (text[end] === mark) end++;
  const [before, after] = [text[at - 1] ?? " ", text[end] ?? " "];
  const left = !/\s/.test(after) && (!/[\p{P}\p{S}]/u.test(after) || /[\s\p{P}\p{S}]/u.test(before));
  const right = !/\s/.test(before) && (!/[\p{P}\p{S}]/u.test(before) || /[\s\p{P}\p{S}]/u.test(after));
  const word = mark === "_";
  const opens = left && (!word || !right || /[\p{P}\p{S}]/u.test(before));
  const closes = right && (!word || !left || /[\p{P}\p{S}]/u.test(after));
  return { token: { kind: "run", mark, length: end - at, left: end - at, opens, closes, starts: [], ends: [] }, end };
}

/** The most open runs that are searched for the beginning of an emphasis; nobody nests deeper. */
const mostOpenRuns = 30;

function pair(runs: Run[]): void {
  const open: Run[] = [];
  for (const run of runs) {
    while (run.closes && run.left > 0) {
      const index = open.findLastIndex((candidate) => candidate.mark === run.mark && taken(candidate, run) > 0);
      const opener = open[index];
      if (!opener) break;
      const count = taken(opener, run);
      opener.left -= count;
      run.left -= count;
      const as = run.mark === "~" ? "strike" : count === 2 ? "strong" : "emphasis";
      opener.starts.unshift(as);
      run.ends.push(as);
      open.length = opener.left > 0 ? index + 1 : index;
    }
    if (run.opens && run.left > 0) open.push(run);
    if (open.length > mostOpenRuns) open.shift();
  }
}

/** The number of marks that a pair of runs uses. */
function taken(opener: Run, closer: Run): number {
  if (opener.mark === "~") return opener.left === 2 && closer.left === 2 ? 2 : 0;
  // In `**a*b*c` the first `*` closes nothing.
  const eitherWay = opener.closes || closer.opens;
  if (eitherWay && (opener.length + closer.length) % 3 === 0 && opener.length % 3 !== 0) return 0;
  return Math.min(opener.left, closer.left) >= 2 ? 2 : 1;
}
