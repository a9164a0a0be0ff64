// Finds secrets in a text: our own formats, assignments, context rules and private keys, combined with the results of a maintained scanner.

import { findSoleSecret } from "./formats/files.ts";
import type { FormatRule } from "./formats/format.ts";
import { ruleSearch } from "./formats/keyword-search.ts";
import { findPrivateKeys } from "./formats/private-keys.ts";
import { platformFormats } from "./formats/rules.ts";
import { serviceFormats } from "./formats/rules-services.ts";
import { findInTables } from "./formats/tables.ts";
import { findByContext } from "./rules/context-rules.ts";
import { typedCommands } from "./rules/listed-commands.ts";
import { type Found, findAssignments } from "./values/assignments.ts";
import { isPlaceholder, isStandIn } from "./values/placeholders.ts";

/** `line` counts from 1; `start` and `end` are offsets of the secret itself; `masked` may be shown. */
export type Finding = { kind: string; line: number; start: number; end: number; masked: string };

/** The port for the maintained scanner. */
export type Scanner = (text: string, path?: string) => Promise<Found[]>;

/** With our own rules only. Sorted, and none within another. */
export function scanText(text: string, { path }: { path?: string } = {}): Finding[] {
  return findings(text, ownFound(text, path));
}

/** With our own rules and the maintained scanner. */
export async function scanWith(scanner: Scanner, text: string, { path }: { path?: string } = {}): Promise<Finding[]> {
  const own = ownFound(text, path);
  const others = (await scanner(text, path)).filter(({ start, end }) => {
    const value = text.slice(start, end);
    // only the password of an address is secret, and our own rules have found it
    const wider = value.includes("://") && own.some((found) => found.start >= start && found.end <= end);
    const [, user, password] = /:\/\/([^:@/]*):([^@]*)@/.exec(value) ?? [];
    const harmless = password !== undefined && (password === user || isPlaceholder(password));
    return value.length >= 6 && !wider && !harmless && !isPlaceholder(value);
  });
  return findings(text, [...own, ...others]);
}

function ownFound(original: string, path: string | undefined): Found[] {
  const text = withoutPlaceholders(original);
  return pieces(text)
    .flatMap(({ piece, offset }) => {
      const listed = typedCommands(piece);
      return [
        ...findFormats(piece),
        ...findAssignments(piece, path),
        ...findByContext(piece),
        ...findInTables(piece, path),
        ...(listed === undefined ? [] : foundWhenTyped(listed, path)),
      ].map((found) => ({
        ...found,
        start: found.start + offset,
        end: found.end + offset,
      }));
    })
    .concat(findPrivateKeys(text), findSoleSecret(text, path));
}

/** What stands for a secret, or shows an agent how that looks, announces none: the same text with another word of six letters in each. */
const withoutPlaceholders = (text: string) => text.replaceAll(/\[secret(?=:[\w-]{1,40}:\w{1,9}\])/g, "[hidden");

function foundWhenTyped(commands: string, path: string | undefined): Found[] {
  return [...findAssignments(commands, path), ...findByContext(commands)];
}

const formatRules = [...platformFormats, ...serviceFormats];
const searchedAlways = formatRules.flatMap(({ keywords }, number) => (keywords === undefined ? number : []));
const search = ruleSearch(formatRules, Number.POSITIVE_INFINITY);

function findFormats(text: string): Found[] {
  const numbers = [...searchedAlways, ...search(text).map(([number]) => number)];
  return numbers.toSorted((one, other) => one - other).flatMap((number) => findFormat(text, formatRules[number]!));
}

function findFormat(text: string, { kind, pattern, near }: FormatRule): Found[] {
  if (near && !near.test(text)) return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const secret = match.groups?.["secret"] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    if (isStandIn(secret) || (near && !near.test(around(text, start, start + secret.length)))) return [];
    return { kind, start, end: start + secret.length };
  });
}

function around(text: string, start: number, end: number): string {
  const lineEnd = text.indexOf("\n", end);
  return `${text.slice(Math.max(0, start - 200), start)}\n${text.slice(end, Math.min(end + 200, lineEnd === -1 ? text.length : lineEnd))}`;
}

const pieceSize = 32 * 1024;
const overlap = 4 * 1024;

/** Cuts the text at line ends, so that no pattern sees more than this at once; a longer line is cut with an overlap. */
function pieces(text: string): { piece: string; offset: number }[] {
  const result: { piece: string; offset: number }[] = [];
  for (let offset = 0; offset < text.length; ) {
    const full = offset + pieceSize;
    if (full >= text.length) {
      result.push({ piece: text.slice(offset), offset });
      break;
    }
    result.push({ piece: text.slice(offset, full), offset });
    const lineEnd = text.lastIndexOf("\n", full - overlap / 8);
    offset = lineEnd > offset ? lineEnd + 1 : full - overlap;
  }
  return result;
}

function findings(text: string, found: Found[]): Finding[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: Found[] = [];
  for (const next of sorted) {
    const last = kept.at(-1);
    if (!last || next.start >= last.end) kept.push({ ...next });
    else if (next.end > last.end)
      last.end = next.end; // two rules see different ends: both are covered
    else if (next.start === last.start && next.end === last.end && vague.has(last.kind)) last.kind = next.kind;
  }
  let line = 1;
  let counted = 0;
  return kept.map(({ kind, start, end }) => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < start; at = text.indexOf("\n", at + 1)) {
      line++;
      counted = at + 1;
    }
    return { kind, line, start, end, masked: mask(text.slice(start, end)) };
  });
}

/** Kinds derived only from a name. */
const vague = new Set(["password", "token", "key", "secret", "secret-key", "authorization", "address-password"]);

/** The first characters of a long secret, to tell it from others; nothing of a short one. */
function mask(secret: string): string {
  const shown = secret.length >= 20 ? secret.slice(0, 4) : secret.length >= 12 ? secret.slice(0, 2) : "";
  return `${shown}… (${secret.length} characters)`;
}
