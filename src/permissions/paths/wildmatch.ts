// Matches one pattern of an ignore file against one path, with git's meaning of every special character (gitignore(5); wildmatch in git's
// own terms). Both are byte strings, as in git: `?` is one byte of a UTF-8 name.

type Fits = (byte: string) => boolean;
/** One byte, or a star: for any bytes, for those of one name, or for whole folders, each with its slash. */
type Token = Fits | "any" | "name" | "folders";

/** `end`: every match ends with it, which rules out most texts quickly. */
export type Wildcards = { tokens: Token[]; end: string };

/** `slashes`: the pattern is about a path, in which only `**` matches slashes. Undefined if it can match nothing. */
export function wildcards(pattern: string, slashes: boolean): Wildcards | undefined {
  const tokens: Token[] = [];
  const oneOf = (has: Fits): Fits => (slashes ? (byte) => byte !== "/" && has(byte) : has);
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern.charAt(at);
    if (sign === "*") {
      const [stars] = /^\*+/.exec(pattern.slice(at))!;
      const rest = pattern.slice(at + stars.length);
      const isAlone = stars.length > 1 && (at === 0 || pattern.charAt(at - 1) === "/") && /^(?:\/|$|\\\/)/.test(rest);
      const token = !slashes ? "any" : !isAlone ? "name" : rest.startsWith("/") ? "folders" : "any";
      tokens.push(token);
      at += stars.length + (token === "folders" ? 1 : 0);
    } else if (sign === "[") {
      const set = readSet(pattern, at + 1);
      if (!set) return undefined;
      tokens.push(oneOf(set.has));
      at = set.next;
    } else if (sign === "?") {
      tokens.push(oneOf(() => true));
      at++;
    } else {
      const byte = pattern.charAt(sign === "\\" ? at + 1 : at);
      if (byte === "") return undefined;
      tokens.push((other) => other === byte);
      at += sign === "\\" ? 2 : 1;
    }
  }
  return { tokens, end: /[^*?[\]\\/]*$/.exec(pattern)![0] };
}

/** Reads from after the opening bracket. Undefined if git rejects it: unterminated, or with an unknown class. */
function readSet(pattern: string, from: number): { has: Fits; next: number } | undefined {
  const members: Fits[] = [];
  const isNegated = /^[!^]/.test(pattern.slice(from));
  let at = isNegated ? from + 1 : from;
  const byteHere = () => pattern.charAt(pattern.charAt(at) === "\\" ? ++at : at);
  let before = "";
  do {
    const rest = pattern.slice(at);
    const [named, name] = /^\[:([^\]]*):\]/.exec(rest) ?? [];
    const isRange = before !== "" && /^-[^\]]/s.test(rest);
    if (isRange) at++;
    const low = isRange ? before : byteHere();
    const high = isRange ? byteHere() : low;
    const fits = name === undefined ? undefined : classes.get(name);
    if (named === undefined ? high === "" : !fits) return undefined;
    members.push(fits ? (byte) => fits.test(byte) : (byte) => low <= byte && byte <= high);
    before = isRange || named !== undefined ? "" : low;
    at += named?.length ?? 1;
  } while (pattern.charAt(at) !== "]");
  return { has: (byte) => members.some((fits) => fits(byte)) !== isNegated, next: at + 1 };
}

/** git's own classes: ASCII in every locale, and without form feed and vertical tab as spaces. */
const classes = new Map(
  Object.entries({
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
  }),
);

/** Token by token, keeping every place in the text that is possible by then: the time is at most the product of both lengths. */
export function matches({ tokens, end }: Wildcards, text: string): boolean {
  if (!text.endsWith(end)) return false;
  let places = new Uint8Array(text.length + 1);
  places[0] = 1;
  for (const token of tokens) {
    const next = new Uint8Array(places.length);
    let isReached = false;
    for (let at = 0; at < places.length; at++) {
      const byte = text.charAt(at - 1);
      isReached ||= at > 0 && places[at - 1] === 1;
      if (typeof token === "function") next[at] = at > 0 && places[at - 1] === 1 && token(byte) ? 1 : 0;
      else if (token === "name") next[at] = places[at] === 1 || (at > 0 && next[at - 1] === 1 && byte !== "/") ? 1 : 0;
      else next[at] = places[at] === 1 || (isReached && (token === "any" || byte === "/")) ? 1 : 0;
    }
    if (!next.includes(1)) return false;
    places = next;
  }
  return places[text.length] === 1;
}
