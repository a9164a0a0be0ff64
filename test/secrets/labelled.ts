// Labelled lines made from public formats: `fixtures/secrets/*.txt`. The files contain no secrets: each ‹…› is replaced by random
// characters when a test runs.
import { readFileSync } from "node:fs";
import { seeded } from "../process/seeded.ts";

export const halves = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
] as const;
export type Half = (typeof halves)[number];

/** One more set was written together with the rules: a line for each family of them and for its look-alikes. */
export type LabelledSet = Half | "families";

/** `secrets`: the offsets in `text` that must be found; empty if nothing may be found. */
export type Labelled = { text: string; path: string | undefined; secrets: { start: number; end: number }[]; template: string };

/**
 * A line of such a file is `+` or `-`, optionally `@name` of the file that it would be in, and the text, in which each secret is between «
 * and », and ⏎ is a line break.
 */
export function labelled(half: LabelledSet, seed: number): Labelled[] {
  const random = seeded(seed);
  const lines = readFileSync(`fixtures/secrets/${half}.txt`, "utf8").split("\n");
  return lines.flatMap((line): Labelled[] => {
    const [, sign, path, template] = /^([+-])(?: @(\S+))? (.*)$/.exec(line) ?? [];
    if (!sign || template === undefined) return [];
    const drawn = template.replaceAll("⏎", "\n").replaceAll(/‹(\w+)(?::(\d+))?›/g, (_, name, size) => draw(name, Number(size), random));
    const secrets: Labelled["secrets"] = [];
    let text = "";
    for (const [at, part] of drawn.split(/[«»]/).entries()) {
      if (at % 2 === 1) secrets.push({ start: text.length, end: text.length + part.length });
      text += part;
    }
    return [{ text, path, secrets, template: line }];
  });
}

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const alphabets: Record<string, string> = {
  digits,
  lower,
  upper,
  lowernum: lower + digits,
  uppernum: upper + digits,
  base32: `${upper}234567`,
  hex: `${digits}abcdef`,
  HEX: `${digits}ABCDEF`,
  base62: upper + lower + digits,
  base64: `${upper}${lower}${digits}+/`,
  base64url: `${upper}${lower}${digits}-_`,
  chosen: `${upper}${lower}${digits}!#%+-_.@`,
  printable: `${upper}${lower}${digits}!@#%^*_+-=.?`,
};

export function draw(name: string, size: number, random: () => number): string {
  const pick = <T>(from: ArrayLike<T>) => from[Math.floor(random() * from.length)]!;
  const some = (alphabet: string, count: number) => Array.from({ length: count }, () => pick(alphabet)).join("");
  switch (name) {
    case "uuid":
      return [8, 4, 4, 4, 12].map((count) => some(alphabets["hex"]!, count)).join("-");
    case "word":
      return `${pick(syllables)}${pick(syllables)}`;
    case "password":
      if (size) return some(alphabets["chosen"]!, size);
      return `${pick(syllables)}${pick(syllables).toUpperCase()}${pick("!#%*+?")}${some(digits, 2)}${pick(syllables)}${some(alphabets["base62"]!, 3)}`;
    case "plainpassword":
      return `${pick(syllables)}${pick(syllables)}${pick(syllables)}${some(digits, 4)}`;
    case "jwt": {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const payload = { sub: some(digits, 10), name: some(lower, 8), iat: 1_700_000_000 + Math.floor(random() * 1e7) };
      return `${part({ alg: "HS256", typ: "JWT" })}.${part(payload)}.${some(alphabets["base64url"]!, 43)}`;
    }
    case "basic":
      return Buffer.from(`${some(lower, 6)}:${some(alphabets["base62"]!, 12)}`).toString("base64");
    case "pem":
      return Array.from({ length: size }, () => some(alphabets["base64"]!, 64)).join("\n");
    default: {
      const alphabet = alphabets[name];
      if (!alphabet) throw new Error(`There is no generator "${name}"`);
      return some(alphabet, size);
    }
  }
}

const syllables = ["ka", "rol", "min", "tev", "zul", "bra", "nok", "fis", "dow", "pel", "gur", "wix"];
