// Finds secrets that are already known when they appear again: whole, in part, repeated, broken over lines, with escapes in them.

import type { Found } from "../values/assignments.ts";
import { secretName } from "../values/names.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { placeholderShape } from "./placeholder-book.ts";

export interface KnownSecrets {
  learn(kind: string, value: string): void;
  /**
   * Every run of nine or more characters that also occurs in a known secret, ignoring whitespace and backslashes; shorter secrets only
   * whole.
   */
  find(text: string): Found[];
}

const stretch = 9;

/**
 * Words that occur in some secrets, and prefixes shared by all keys of a provider: hiding them would protect nothing and damage the text.
 */
const common = [
  "localhost",
  "production",
  "development",
  "administrator",
  "application",
  "postgresql",
  "environment",
  "github_pat_",
  "sk-ant-api03-",
  "sk-ant-admin01-",
];

export function knownSecrets(): KnownSecrets {
  const pieces = new Map<string, string>();
  const wholes = new Map<string, string>();
  return {
    learn(kind, whole) {
      // A placeholder inside it reveals nothing, and would match every other placeholder.
      for (const part of whole.split(placeholderShape)) if (part !== "") learnPart(kind, part);
    },
    find(text) {
      return [...findPieces(text, pieces), ...findWhole(text, wholes)];
    },
  };

  function learnPart(kind: string, value: string): void {
    const own = withoutPublicPart(value);
    for (const form of new Set([own, urlForm(own)])) {
      const { bare } = squeezed(form);
      if (bare.length < stretch) {
        if (bare.length >= 6 && /\d/.test(bare) && /[A-Za-z]/.test(bare)) wholes.set(bare, kind);
        continue;
      }
      wholes.set(form, kind);
      for (let at = 0; at + stretch <= bare.length; at++) {
        const piece = bare.slice(at, at + stretch);
        if (!common.some((word) => word.includes(piece))) pieces.set(piece, kind);
      }
    }
    if (own !== value && squeezed(value).bare.length >= stretch) wholes.set(value, kind);
    for (const form of encodedForms(own))
      for (let at = 0; at + stretch <= form.length; at++) pieces.set(form.slice(at, at + stretch), kind);
  }
}

function findPieces(text: string, pieces: ReadonlyMap<string, string>): Found[] {
  if (pieces.size === 0) return [];
  const { bare, places } = squeezed(text);
  const found: Found[] = [];
  for (let at = 0; at + stretch <= bare.length; at++) {
    const kind = pieces.get(bare.slice(at, at + stretch));
    if (kind === undefined) continue;
    const [start, end] = [places[at]!, places[at + stretch - 1]! + 1];
    const last = found.at(-1);
    if (last && start <= last.end) last.end = end;
    else found.push({ kind, start, end });
  }
  return found;
}

function findWhole(text: string, values: ReadonlyMap<string, string>): Found[] {
  const found: Found[] = [];
  for (const [value, kind] of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      const inWord = /\w/.test(text[at - 1] ?? "") && /\w/.test(text[at + value.length] ?? "");
      if (!inWord) found.push({ kind, start: at, end: at + value.length });
    }
  }
  return found;
}

/** Invisible characters too: zero bytes as in UTF-16, zero-width characters, and terminal colours. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const gaps = /(?:\s|\\[nrt]|\\|[\0\u00ad\u200b-\u200f\u2060\ufeff]|\x1b\[[0-9;]{0,20}[A-Za-z])+/g;

/** The text without whitespace, backslashes, and the letters of escapes for whitespace, with the original position of each character. */
function squeezed(text: string): { bare: string; places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const kept: string[] = [];
  let count = 0;
  let from = 0;
  for (const gap of text.matchAll(gaps)) {
    kept.push(text.slice(from, gap.index));
    for (let at = from; at < gap.index; at++) places[count++] = at;
    from = gap.index + gap[0].length;
  }
  kept.push(text.slice(from));
  for (let at = from; at < text.length; at++) places[count++] = at;
  return { bare: kept.join(""), places };
}

/**
 * The part that only this secret has: of an address its password or its path, of a key its body, of a JSON web token everything after the
 * header.
 */
function withoutPublicPart(value: string): string {
  const path = webhook.exec(value);
  if (path) return value.slice(path[0].length);
  return value
    .replace(/-{4,5} ?(?:BEGIN|END) [^\n-]{1,60}-{4,5}/g, "")
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^:@]*:?/i, "")
    .replace(/^eyJ[\w-]+\.(?=eyJ)/, "");
}

/** The public part of a webhook, whose path allows anyone who knows it to post. */
const webhook = /^https?:\/\/[^/?#]{1,200}\/(?:(?:services|workflows|triggers|api|webhooks?b?2?|hooks?|catch)\/)*/;

function urlForm(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half of a surrogate pair
  }
}

/** The secret as `base64`, `xxd`, `od -x`, `rev` and similar programs print it, at any offset in their input. */
function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value.trim());
  if (bytes.length < stretch || bytes.length > 8192) return [];
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((shift * 8) / 6), whole); // only the letters that depend on nothing but the secret
  });
  const hex = bytes.toString("hex");
  const percent = hex.replaceAll(/../g, "%$&");
  return [
    ...shifted,
    ...shifted.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    hex,
    hex.toUpperCase(),
    percent,
    percent.toUpperCase(),
    base32(bytes),
    ...entities(value.trim()),
    Array.from(value.trim()).toReversed().join(""),
  ];
}

/** Its forms with HTML or JSON escapes for the characters that need them; backslashes are never compared. */
function entities(value: string): string[] {
  const each = (form: (code: number) => string) => Array.from(value, (character) => form(character.codePointAt(0)!)).join("");
  return [
    each((code) => `&#${code};`),
    each((code) => `&#x${code.toString(16)};`),
    each((code) => `u${code.toString(16).padStart(4, "0")}`),
    each((code) => `x${code.toString(16).padStart(2, "0")}`),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  ];
}

/** RFC 4648, without the last letter, which also depends on the following bytes. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]).join("");
}

export type NamedValue = { name: string; value: string };

/** The variables whose name says that they are secret and whose value could be one. */
export function secretVariables(variables: Iterable<NamedValue>): NamedValue[] {
  return [...variables].filter(({ name, value }) => {
    if (value.length < 8 || !secretName(name) || isPlaceholder(value) || isShellFolder(name, value)) return false;
    return !/^(?:https?:\/\/[^@]*|[~./][\w./ -]*|true|false|\d+)$/i.test(value) && !/^[a-z]+$/.test(value);
  });
}

/** The shell's own variables: a folder with any characters in its path. */
const isShellFolder = (name: string, value: string) => /^(?:OLD)?PWD$/.test(name) && value.startsWith("/");

/** `NAME=value` lines as in a .env file. */
export function envLines(text: string): NamedValue[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, quoted, bare] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(?:(["'].*["'])\s*|([^#\s]\S*).*)$/.exec(line) ?? [];
    const value = quoted?.slice(1, -1) ?? bare;
    return name && value ? [{ name, value }] : [];
  });
}
