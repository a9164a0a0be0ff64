// Replaces secrets by placeholders in everything that enters the context or leaves the machine, and restores them in the files they came
// from.

import { type Finding, type Scanner, scanText, scanWith } from "../secrets.ts";
import type { Found } from "../values/assignments.ts";
import { type KnownSecrets, knownSecrets, type NamedValue, secretVariables } from "./known-secrets.ts";
import { type Encoding, type PlaceholderBook, placeholderBook, placeholdersIn } from "./placeholder-book.ts";
import { recent } from "./recent.ts";

/** `redact`: replaces secrets. `warn`: leaves them and reports them. `off`: does not search. */
export type SecretsMode = "redact" | "warn" | "off";

export type Redacted = {
  text: string;
  /** The kinds of the secrets that were found, one per occurrence. */
  kinds: string[];
};

export interface Redactor {
  mode: SecretsMode;
  /** Redacts a text that enters the context. Placeholders of this session stay as they are. */
  text(text: string, options?: { path?: string }): Promise<Redacted>;
  /** The same synchronously, with our own rules only. */
  now(text: string): string;
  /** Counts the secrets in a text that is sent unchanged. */
  secretsIn(text: string): number;
  /**
   * Redacts a whole file and remembers its placeholders. Ordinary text of the file that looks like a placeholder gets a placeholder too.
   */
  file(file: string, bytes: Buffer): Promise<{ bytes: Buffer; kinds: string[]; placeholders: string[] }>;
  /** Each line of a file, redacted so that it can be shown alone; undefined if there is nothing to hide. */
  lines(file: string, bytes: Buffer): Promise<string[] | undefined>;
  /** The placeholders in a text that stand for secrets of this session. */
  placeholdersIn(text: string): string[];
  /** Restores the secrets in bytes that are about to be written to that file. `reason` continues a sentence. */
  restore(file: string, bytes: Buffer): { ok: true; bytes: Buffer } | { ok: false; reason: string };
}

export type RedactorSetup = {
  mode: SecretsMode;
  scanner: Scanner;
  /** Variables of the environment and of .env files; the redactor picks the secret ones. */
  variables: Iterable<NamedValue>;
  /** The highest placeholder number that the session has used already. */
  after?: number;
};

export function createRedactor({ mode, scanner, variables, after }: RedactorSetup): Redactor {
  const book = placeholderBook(after);
  const known = knownSecrets();
  if (mode !== "off") learnVariables(known, [...variables]);

  const scanned = recent<Finding[]>();
  async function scan(text: string, path: string | undefined): Promise<Finding[]> {
    if (path !== undefined) return scanWith(scanner, text, { path });
    const known = scanned.get(text) ?? (await scanWith(scanner, text));
    scanned.put(text, known);
    return known;
  }
  async function look(text: string, { path, isFile }: { path?: string; isFile: boolean }): Promise<Found[]> {
    return joined(text, await scan(text, path), isFile);
  }
  function joined(text: string, fresh: Found[], isFile: boolean): Found[] {
    for (const { kind, start, end } of fresh) known.learn(kind, text.slice(start, end));
    return merged([...fresh, ...known.find(text), ...literals(text, isFile, book)]);
  }
  return {
    mode,
    async text(text, { path } = {}) {
      if (mode === "off") return { text, kinds: [] };
      const found = await look(text, { path, isFile: false });
      return { text: mode === "warn" ? text : replaced(text, found, book), kinds: kindsOf(found) };
    },
    now: (text) => (mode === "redact" ? replaced(text, joined(text, scanText(text), false), book) : text),
    secretsIn: (text) => (scanned.get(text) ?? scanText(text)).length,
    async file(file, bytes) {
      if (mode === "off") return { bytes, kinds: [], placeholders: [] };
      const { text, encoding } = asText(bytes);
      const found = await look(text, { path: file, isFile: true });
      if (mode === "warn" || found.length === 0) return { bytes, kinds: kindsOf(found), placeholders: [] };
      const clean = replaced(text, found, book);
      book.cameFrom(file, clean, encoding);
      return { bytes: Buffer.from(clean, encoding), kinds: kindsOf(found), placeholders: placeholdersIn(clean) };
    },
    async lines(file, bytes) {
      if (mode !== "redact") return undefined;
      const { text, encoding } = asText(bytes);
      const found = await look(text, { path: file, isFile: true });
      if (found.length === 0) return undefined;
      const lines = linesReplaced(text, found, book);
      book.cameFrom(file, lines.join("\n"), encoding);
      return lines;
    },
    placeholdersIn: (text) => placeholdersIn(text).filter(book.isOwn),
    restore(file, bytes) {
      if (mode !== "redact") return { ok: true, bytes };
      const restored = book.restore(file, bytes);
      if (restored.ok) return restored;
      return { ok: false, reason: "broken" in restored ? brokenReason(restored.broken) : strangersReason(restored.strangers) };
    },
  };
}

/** Learns whole values of variables with secret names, and secrets inside the others, such as the password of an address. */
function learnVariables(known: KnownSecrets, variables: NamedValue[]): void {
  const named = new Set(secretVariables(variables));
  for (const variable of variables) {
    if (named.has(variable)) known.learn("environment", variable.value);
    else for (const { kind, start, end } of scanText(variable.value)) known.learn(kind, variable.value.slice(start, end));
  }
}

/** Why a text with these placeholders cannot be used, as the continuation of a sentence. */
export function strangersReason(placeholders: string[]): string {
  const which = placeholders.slice(0, 3).join(", ");
  return `${which} replaces a secret that this session does not show, and can be restored only in the file it was read from. Leave it out, or refer to the secret by the name of its variable`;
}

function brokenReason(placeholder: string): string {
  return `the text would contain only a part of ${placeholder}, and the secret behind it would be lost. Keep the placeholder whole, or replace all of it`;
}

const literalKind = "literal";

const kindsOf = (found: Found[]) => found.flatMap(({ kind }) => (kind === literalKind ? [] : kind));

/** Ordinary text of a file that looks like a placeholder of this session. Other texts of that shape are left as they are. */
function literals(text: string, isFile: boolean, book: PlaceholderBook): Found[] {
  const found: Found[] = [];
  let at = 0;
  for (const placeholder of placeholdersIn(text)) {
    const start = text.indexOf(placeholder, at);
    at = start + placeholder.length;
    if (!book.isOwn(placeholder)) book.leave(placeholder);
    else if (isFile) found.push({ kind: literalKind, start, end: at });
  }
  return found;
}

/** Sorted, with overlaps merged: if two rules see different ends, both are covered. */
function merged(found: Found[]): Found[] {
  const result: Found[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && next.start < last.end) last.end = Math.max(last.end, next.end);
    else result.push({ ...next });
  }
  return result;
}

function replaced(text: string, found: Found[], book: PlaceholderBook): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { kind, start, end } of found) {
    pieces.push(text.slice(from, start), book.issue(kind, text.slice(start, end)));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** A secret that spans several lines gets its placeholder in each of them. */
function linesReplaced(text: string, found: Found[], book: PlaceholderBook): string[] {
  let [start, next] = [0, 0];
  return text.split("\n").map((line) => {
    const end = start + line.length;
    while (next < found.length && found[next]!.end <= start) next++;
    const here: Found[] = [];
    for (let at = next; at < found.length && found[at]!.start < end; at++) here.push(found[at]!);
    const pieces: string[] = [];
    let from = start;
    for (const { kind, start: first, end: last } of here) {
      pieces.push(text.slice(from, Math.max(from, first)), book.issue(kind, text.slice(first, last)));
      from = Math.min(last, end);
    }
    start = end + 1;
    return (pieces.join("") + text.slice(from, end)).replace(/\r$/, "");
  });
}

/** Decoded as UTF-8 if it is valid, else byte by byte: both can be encoded again without loss. */
function asText(bytes: Buffer): { text: string; encoding: Encoding } {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? { text, encoding: "utf8" } : { text: bytes.toString("latin1"), encoding: "latin1" };
}
