// Matches one pattern of an ignore file against one path, with git's meaning of every special character (gitignore(5); wildmatch in git's
// own terms). Both are byte strings, as in git: `?` is one byte of a UTF-8 name.

/** `across`: a star that matches slashes. `zero`: `**` before a slash, which may also match no folder at all. */
type Token = { kind: "byte"; byte: string } | { kind: "set"; set: Members } | { kind: "star"; across: boolean; zero: boolean };
type Members = { negated: boolean; has: (byte: string) => boolean };

/** `end`: the literal bytes after the last wildcard, which every match ends with; they rule out most texts quickly. */
export type Wildcards = { tokens: Token[]; slashes: boolean; end: string };

/** `slashes`: the pattern is about a path, in which only `**` matches slashes. Undefined if it can match nothing. */
export function wildcards(pattern: string, slashes: boolean): Wildcards | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern.charAt(at);
    if (sign === "*") {
      const end = /[^*]|$/g;
      end.lastIndex = at;
      const next = end.exec(pattern)!.index;
      tokens.push(star(pattern, { at, next, slashes }));
      at = next;
    } else if (sign === "[") {
      const read = readSet(pattern, at + 1);
      if (!read) return undefined;
      tokens.push({ kind: "set", set: read.set });
      at = read.next;
    } else if (sign === "?") {
      tokens.push({ kind: "set", set: { negated: false, has: () => true } });
      at++;
    } else if (sign === "\\") {
      if (at + 1 === pattern.length) return undefined;
      tokens.push({ kind: "byte", byte: pattern.charAt(at + 1) });
      at += 2;
    } else {
      tokens.push({ kind: "byte", byte: sign });
      at++;
    }
  }
  return { tokens, slashes, end: plainEnd(tokens) };
}

function plainEnd(tokens: Token[]): string {
  const plain = tokens.slice(tokens.findLastIndex(({ kind }) => kind !== "byte") + 1);
  // A `**` before a slash may match nothing, including that slash.
  const before = tokens[tokens.length - plain.length - 1];
  const bytes = plain.map((token) => (token.kind === "byte" ? token.byte : "")).join("");
  return before?.kind === "star" && before.zero ? bytes.slice(1) : bytes;
}

function star(pattern: string, { at, next, slashes }: { at: number; next: number; slashes: boolean }): Token {
  if (!slashes) return { kind: "star", across: true, zero: false };
  const rest = pattern.slice(next, next + 2);
  const alone = (at === 0 || pattern.charAt(at - 1) === "/") && (rest === "" || rest.startsWith("/") || rest === "\\/");
  const across = next - at > 1 && alone;
  return { kind: "star", across, zero: across && rest.startsWith("/") };
}

/** Reads from after the opening bracket. Undefined if git rejects it: unterminated, or with an unknown class. */
function readSet(pattern: string, from: number): { set: Members; next: number } | undefined {
  const members: ((byte: string) => boolean)[] = [];
  let at = from;
  const negated = "!^".includes(pattern.charAt(at) || " ");
  if (negated) at++;
  for (let before = "", first = true; first || pattern.charAt(at) !== "]"; first = false) {
    if (at >= pattern.length) return undefined;
    const named = pattern.startsWith("[:", at) ? /^\[:([^\]]*)\]/.exec(pattern.slice(at)) : undefined;
    if (named === null) return undefined;
    if (named?.[1]?.endsWith(":")) {
      const name = named[1].slice(0, -1);
      const named_ = Object.hasOwn(classes, name) ? classes[name] : undefined;
      if (!named_) return undefined;
      members.push((byte) => named_.test(byte));
      before = "";
      at += named[0].length;
    } else if (before !== "" && pattern.charAt(at) === "-" && at + 1 < pattern.length && pattern.charAt(at + 1) !== "]") {
      const escaped = pattern.charAt(at + 1) === "\\";
      const to = pattern.charAt(at + (escaped ? 2 : 1));
      if (to === "") return undefined;
      const low = before;
      members.push((byte) => low <= byte && byte <= to);
      before = "";
      at += escaped ? 3 : 2;
    } else {
      const escaped = pattern.charAt(at) === "\\";
      const member = pattern.charAt(escaped ? at + 1 : at);
      if (member === "") return undefined;
      members.push((byte) => byte === member);
      before = member;
      at += escaped ? 2 : 1;
    }
  }
  return { set: { negated, has: (byte) => members.some((fits) => fits(byte)) }, next: at + 1 };
}

/** git's own classes: ASCII in every locale, and without form feed and vertical tab as spaces. */
const classes: Record<string, RegExp> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}(?<![\x80-\x9f])/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Token by token, keeping every position in the text that is possible by then: the time is at most the product of both lengths. */
export function matches({ tokens, slashes, end }: Wildcards, text: string): boolean {
  if (!text.endsWith(end)) return false;
  let places = new Uint8Array(text.length + 1);
  places[0] = 1;
  let beforeSlash: Uint8Array<ArrayBuffer> | undefined;
  for (const token of tokens) {
    const next = token.kind === "star" ? spread(places, token, text) : step(places, token, { text, slashes });
    if (beforeSlash) for (const [place, there] of beforeSlash.entries()) next[place]! |= there;
    beforeSlash = token.kind === "star" && token.zero ? places : undefined;
    if (!beforeSlash && !next.includes(1)) return false;
    places = next;
  }
  return places[text.length] === 1;
}

function step(places: Uint8Array, token: Exclude<Token, { kind: "star" }>, { text, slashes }: { text: string; slashes: boolean }) {
  const next = new Uint8Array(places.length);
  for (let place = places.indexOf(1); place !== -1 && place < text.length; place = places.indexOf(1, place + 1)) {
    if (fits(token, text.charAt(place), slashes)) next[place + 1] = 1;
  }
  return next;
}

function fits(token: Exclude<Token, { kind: "star" }>, byte: string, slashes: boolean): boolean {
  if (token.kind === "byte") return token.byte === byte;
  return token.set.has(byte) !== token.set.negated && !(slashes && byte === "/");
}

function spread(places: Uint8Array, { across }: Extract<Token, { kind: "star" }>, text: string) {
  const next = new Uint8Array(places.length);
  for (let place = places.indexOf(1); place !== -1 && place < next.length; place++) {
    const passed = place > 0 && next[place - 1] === 1 && (across || text.charAt(place - 1) !== "/");
    next[place] = passed ? 1 : places[place]!;
  }
  return next;
}
