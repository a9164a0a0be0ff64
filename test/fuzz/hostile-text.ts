// Text as a hostile model, file or tool may send it: random bytes, terminal escape sequences, and mutations of these, cut anywhere.

export type Chance = () => number;

const sequences = [
  "\x1b[2J",
  "\x1b[3J",
  "\x1b[H",
  "\x1b[1;1H",
  "\x1b[31m",
  "\x1b[?1049h",
  "\x1b[?1000h",
  "\x1b[?2004h",
  "\x1b[?25h",
  "\x1b[6n",
  "\x1b[c",
  "\x1b[>0q",
  "\x1b[5A",
  "\x1b[2K",
  "\x1b[1;2r",
  "\x1b[4h",
  "\x1b[20t",
  "\x1b]0;title\x07",
  "\x1b]2;title\x1b\\",
  "\x1b]52;c;aGVsbG8=\x07",
  "\x1b]8;;https://evil.example\x1b\\text\x1b]8;;\x1b\\",
  "\x1b]4;1;?\x07",
  "\x1b]1337;File=inline=1:AAAA\x07",
  "\x1bPq#0;2;0;0;0~~$-\x1b\\",
  "\x1bP$qm\x1b\\",
  "\x1b_Gf=24;AAAA\x1b\\",
  "\x1b^private\x1b\\",
  "\x1bXstring\x1b\\",
  "\x1bc",
  "\x1b7",
  "\x1b8",
  "\x1b(0",
  "\x1bM",
  "\x9b2J",
  "\x9d0;title\x9c",
  "\x90q\x9c",
  "\x9fAPC\x9c",
  "\x84\x85\x88\x8d",
  "\x07",
  "\b\b\b",
  "\r",
  "\x0e\x0f",
  "\x00",
  "\x7f",
  "\v\f",
];

const text = [
  "word",
  "two words",
  "日本語",
  "👩‍👩‍👧",
  "🏳️‍🌈",
  "é",
  "e\u0301\u0301\u0301",
  "\u202eabc\u202c",
  "\u2066x\u2069",
  "\u200b\u200d\ufeff",
  "\ufe0f\u{e0100}",
  "\u{e0041}\u{e007f}",
  "\u2028\u2029",
  "\ud800",
  "\udc00",
  "שלום",
  "\u115f\u3164",
  "\t",
  "\n",
  "\r\n",
  "  ",
];

const markdown = [
  "# ",
  "**",
  "*",
  "_",
  "`",
  "```ts\n",
  "```bash\n",
  "```html\n",
  "```\n",
  "~~~",
  "- ",
  "1. ",
  "> ",
  "| a | b |\n|---|---|\n",
  "|",
  "[text](https://x.example)",
  "![",
  "](",
  "<https://x.example>",
  "---\n",
  "    ",
  "\\",
  "<b>&amp;</b>",
  "const a = 1; // ",
  "\n\n",
];

/** One text of up to about two hundred characters. */
export function hostileText(chance: Chance): string {
  const parts = Array.from({ length: 1 + below(chance, 12) }, () => part(chance));
  return parts.join("");
}

function part(chance: Chance): string {
  const kind = chance();
  if (kind < 0.3) return of(chance, sequences);
  if (kind < 0.5) return mutated(of(chance, sequences), chance);
  if (kind < 0.65) return of(chance, text);
  if (kind < 0.85) return of(chance, markdown);
  const bytes = Uint8Array.from({ length: below(chance, 24) }, () => below(chance, 256));
  return chance() < 0.5 ? Buffer.from(bytes).toString("latin1") : new TextDecoder().decode(bytes);
}

function mutated(sequence: string, chance: Chance): string {
  const at = below(chance, sequence.length + 1);
  const kind = chance();
  if (kind < 0.3) return sequence.slice(0, at);
  if (kind < 0.6) return `${sequence.slice(0, at)}${String.fromCharCode(below(chance, 256))}${sequence.slice(at)}`;
  if (kind < 0.8) return `${sequence.slice(0, at)}${String.fromCharCode(below(chance, 256))}${sequence.slice(at + 1)}`;
  return sequence.slice(at);
}

/** The text in pieces, cut anywhere: inside sequences, and between the halves of a character. */
export function cutAnywhere(whole: string, chance: Chance): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const end = at + 1 + below(chance, 20);
    pieces.push(whole.slice(at, end));
    at = end;
  }
  return pieces;
}

function below(chance: Chance, limit: number): number {
  return Math.floor(chance() * limit);
}

export function of<T>(chance: Chance, list: readonly T[]): T {
  return list[below(chance, list.length)]!;
}
