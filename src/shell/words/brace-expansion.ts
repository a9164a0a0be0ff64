// Brace expansion as in bash: the first expansion, on the text as written, before variables and globs.

/** The words that a word without quotes and other expansions expands to; undefined for more than `limit` words, or in doubt. */
export function expandBraces(text: string, limit = 64): string[] | undefined {
  return /^[\w./,{}:@%+=^*?~-]*$/.test(text) ? alternativesOf(text, limit) : undefined;
}

/** The patterns that a glob with braces expands to; undefined for more than `limit`. */
export function alternativesOf(text: string, limit = 64): string[] | undefined {
  const all = alternatives(text, 8);
  return all && all.length <= limit ? all : undefined;
}

function alternatives(text: string, depth: number): string[] | undefined {
  const open = text.indexOf("{");
  if (open === -1) return [text];
  if (depth === 0) return undefined;
  const close = closing(text, open);
  if (close === -1) return undefined;
  const inner = parts(text, open, close) ?? sequence(text.slice(open + 1, close));
  if (!inner) return undefined;
  const heads = inner.flatMap((part) => alternatives(part, depth - 1) ?? [undefined]);
  const tails = alternatives(text.slice(close + 1), depth - 1);
  if (!tails || heads.length * tails.length > 1000) return undefined;
  const before = text.slice(0, open);
  const all: string[] = [];
  for (const head of heads) {
    if (head === undefined) return undefined;
    for (const tail of tails) all.push(before + head + tail);
  }
  return all;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

function parts(text: string, open: number, close: number): string[] | undefined {
  const found: string[] = [];
  let depth = 0;
  let begin = open + 1;
  for (let at = open + 1; at <= close; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && at < close) depth--;
    if (at === close || (text[at] === "," && depth === 0)) {
      found.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return found.length > 1 ? found : undefined;
}

function sequence(text: string): string[] | undefined {
  const numbers = /^(\d{1,6})\.\.(\d{1,6})$/.exec(text);
  if (numbers) {
    const [from = "", to = ""] = numbers.slice(1);
    if (from.startsWith("0") || to.startsWith("0"))
      return from === "0" && !to.startsWith("0") ? steps(0, Number(to)).map(String) : undefined;
    return steps(Number(from), Number(to)).map(String);
  }
  const letters = /^([a-z])\.\.([a-z])$/.exec(text);
  return letters ? steps(letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0)).map((code) => String.fromCharCode(code)) : undefined;
}

function steps(from: number, to: number): number[] {
  const length = Math.min(Math.abs(to - from) + 1, 1000);
  return Array.from({ length }, (_, index) => from + (to < from ? -index : index));
}
