// Brace expansion as in bash: the first expansion, on the text as written, before variables and globs.
import { expand } from "brace-expansion";

/** The words that a word without quotes and other expansions expands to; undefined for too many words, or in doubt. */
export function expandBraces(text: string): string[] | undefined {
  return /^[\w./,{}:@%+=^*?~-]*$/.test(text) ? alternativesOf(text) : undefined;
}

/** The patterns that a glob with braces expands to; undefined for too many, and for braces that are none or have a step. */
export function alternativesOf(text: string): string[] | undefined {
  if (unusual.test(text) || (text.match(/\{/g)?.length ?? 0) > deepest) return undefined;
  const all = expand(`x${text}`, { max: most + 1 }); // it leaves out empty words, which would hide that others are cut off
  return all.length > most || all.some((each) => each.includes("{")) ? undefined : all.map((each) => each.slice(1));
}

const most = 64;
const deepest = 20;

/** Sequences that shells expand differently, a brace with a dollar sign, and one that is escaped. */
const unusual = /\.\.(?!(?:[1-9]\d{0,5}|[a-z])\})[^,{}]*\}|\{(?:0\d|[A-Z-])[^,{}]*\.\.|[\\$]\{/;
