// Decides whether the value of a secret's name is a secret. A password may be any text that is not a placeholder, label or expression; a
// token must look generated.

import type { SecretName } from "./names.ts";
import { isPlaceholder } from "./placeholders.ts";

/**
 * Where a value is written. `quoted`: as a string. `near name`: as a string, but only near the name. `value alone`: where only a value is
 * possible. `in configuration`: unquoted. `in program`: unquoted, so that it may be an expression.
 */
export type ValueContext = "quoted" | "near name" | "value alone" | "in configuration" | "in program";

export function isSecretValue(written: string, name: SecretName, context: ValueContext): boolean {
  const value = written.replace(/(?:\\[nrt])+$/, "");
  const short = name === "phrase" && /\d/.test(value) && /[A-Za-z]/.test(value) ? 6 : 8;
  if (value.length < (name === "password" ? 4 : short) || value.length > 4096) return false;
  if (isPlaceholder(value) || isSomethingElse(value)) return false;
  if (context === "in program")
    return (
      mixed(value) &&
      value.length >= 8 &&
      (!identifier.test(value) || /^(?=(?:\D*\d){6})[^.]{20}/.test(value)) &&
      !expression.test(value) &&
      !looksWordy(value)
    );
  if (context === "near name" && !unlikeWords(value)) return false;
  if (name === "token") return looksMade(value);
  if (name === "phrase" && !looksMade(value) && (value.length < 8 || /^[a-z]+(?:[-_.][a-z]+)+$/i.test(value)))
    return /\s/.test(value) && context === "quoted" && isPassphrase(value);
  if (/\s/.test(value)) return context === "quoted" && isPassphrase(value);
  if (/[^\x20-\x7e]/.test(value) && !/\d/.test(value)) return false; // the word for "password" in another language
  if (context === "in configuration" && /^[A-Za-z]+\d?$/.test(value) && looksWordy(value))
    return value.length >= 8 && !labels.test(value) && !types.has(value.toLowerCase());
  if (context === "value alone" && /pass|token|secret|auth|cred|login|user/i.test(value) && /^[A-Za-z]+\d?$/.test(value)) return false;
  return !types.has(value.toLowerCase());
}

const types = new Set(
  "requisite sufficient substack include files systemd compat prompt manual always never inherit generated interactive disable disabled enable enabled visible masked stdin env keyring keychain string text password varchar char bytes byte number boolean object array function symbol unknown never void any optional required true false none null undefined sensitive plain plaintext hidden credential secretstr securestring".split(
    " ",
  ),
);

/** Whether these are chosen words: lower case or numbers, without the words of ordinary sentences. */
function isPassphrase(value: string): boolean {
  if (!/^(?=.{8,80}$)(?:[a-z\d]|[A-Z].*\d)/.test(value) || /[.?:…]$|["'<>{}()=|]|, /.test(value) || sentence.test(value)) return false;
  return value.split(/\s+/).length >= 4 ? !/^(?:for|of|with|to|from|in|at|by|as)\b/.test(value) : !connecting.test(value);
}

const sentence =
  /pass|token|secret|\bkey|cred|login|\buser|kennwort|contrase|senha|code|\b(?:enter|your|must|should|least|most|char|characters?|letters?|digits?|min|max|is|are|was|required|invalid|wrong|please|not|no|none|too|optional|default|value|string|text|generate|random|use|set|change|see|current|confirm|keyboard|same|again|database|server|account|service|field|file|name|email|data)\b/i;

/** Words that occur in descriptions of a password, and also in passphrases. */
const connecting = /\b(?:for|of|with|the|new|old|here|long|short)\b/i;

const expression = /[=<>?+*&|]{2}|^function\*|^[A-Za-z_$][\w$]*\.[\w$.]+[+*&|-]|\/\*|\?.*:/;

const labels = /pass|token|secret|auth|cred|login|user|key/i;

const identifier = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*$/;

/** A path, an address, a date, a version, a selector, a pattern, a media type, a call, a dotted name. */
function isSomethingElse(value: string): boolean {
  return shapes.some((shape) => shape.test(value)) || (!scrambled(value) && wordShapes.some((shape) => shape.test(value)));
}

/** Whether upper case, lower case, digits and punctuation alternate so often that it must be generated, whatever it begins with. */
function scrambled(value: string): boolean {
  const changes = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])|[!#%^&*+=~?@](?=\w)/g)?.length ?? 0;
  return changes >= 3 && changes >= value.length / 6 && /\d/.test(value) && !/\s|[()[\]{}|\\]/.test(value);
}

const shapes = [
  /^(?:https?|ftp|wss?|file|data|blob|urn|mailto|s3|gs|ldaps?|ssh|git|javascript):/i,
  /^[\w./-]+\.(?:pem|key|crt|cer|json|ya?ml|txt|env|js|ts|py|go|rb|php|html?|css|md|xml|ini|conf|cfg|toml|sh|jks|p12|pfx|asc|gpg|pub|png|svg)$/i,
  /^\d{4}-\d\d-\d\d(?:[T ]|$)/,
  /^v?\d+\.\d+(?:\.\d+)*$/,
  /^\w*\[[\w-]+(?:[~|^$*]?=|\])/,
  /^(?:application|text|image|audio|video|multipart)\/[\w.+-]+$/,
  /^[A-Za-z_$][\w$.]*\((?:.*\))?$/,
  /^[a-z]+(?:[A-Z][a-z]+)*(?:\.[a-z]+(?:[A-Z][a-z]+)*)+$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^(?:HS|RS|ES|PS)\d{3}$|^(?:aes|sha|md|rsa|hmac|utf|base|x)-?\d+(?:-\w{3})?$/i,
  /^ssh-(?:rsa|ed25519|dss)\b/,
  /\[A-Za-z|\[a-z0-9|\[0-9|\]\{\d/,
  /^@[\w./-]+\.\w{2,5}$/, // a file that the value is read from
  /^[a-z][a-z+.-]{1,20}:\/\/[\w./#?=-]*$/,
  /^0x[0-9a-f]{40}$/i, // a public wallet address
  /^SCW[A-Z0-9]{17}$/, // the public id of an access key
  /^(?:SM|MM|CA|PN|RE)[0-9a-f]{32}$/, // ids of messages and calls
  /^[a-z_]+=\w+$/,
  /^pk(?:\.eyJ|_live_|_test_)/, // published by intent
  /^(?:required|nullable|sometimes|string)[|:]/,
];

/** What paths, selectors, addresses, patterns or options look like; generated values do too, now and then. */
const wordShapes = [
  /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|\\\\)[\w.@~ /\\-]*$/,
  /^\^|\\[wdsSWDb]|\[a-z|\[\^|\(\?:|\.\*/,
  /^[#.][a-z][\w-]*$/,
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/,
  /^=|^\+\s|=> |&& |\|\| |^![\w.]+[.(]/,
  /^--?[a-z][\w-]*=?$/i,
  /^[?@#:][A-Z][A-Za-z]+$/,
];

/** Letters with digits or punctuation among them. */
function mixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d|[!@#%^&*+=~]/.test(value);
}

/** Letters among digits or punctuation that do not form a name. */
function unlikeWords(value: string): boolean {
  return (
    value.length >= 8 &&
    /[A-Za-z]/.test(value) &&
    (/\d.*\d|[!@#%^*+=~]/.test(value) || (value.length >= 16 && (scrambled(value) || jumbled(value)))) &&
    (scrambled(value) ||
      jumbled(value) ||
      !/[\s.:/]|^[a-z]+(?:[-_][a-z0-9]+)+$/i.test(value) ||
      /^[A-Za-z]{3,}[-_][A-Z][a-z]{2,}\d{2,4}$/.test(value))
  );
}

/** Two or more of its pieces between changes of case are unpronounceable. */
function jumbled(value: string): boolean {
  if (!/^[\w+/=-]{16,}$/.test(value)) return false;
  const pieces = value.replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2").split(/[^A-Za-z]+/);
  return pieces.filter((piece) => piece.length >= 3 && !readable(piece)).length >= 2;
}

/** Looks generated rather than named by a person. */
function looksMade(value: string): boolean {
  if (/\s/.test(value)) return false;
  if (looksWordy(value)) return false;
  if (/^\d+$/.test(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  if (/[!@#$%^&*+~]/.test(value) && /[A-Za-z]/.test(value)) return true;
  return value.length >= 16 && entropy(value) >= 3.3;
}

/** Pieces that are words, joined by punctuation or capitals; one long run of letters is judged by its readability. */
function looksWordy(value: string): boolean {
  if (/[^\w.:/ @-]/.test(value)) return false;
  const digits = value.replace(/\D/g, "").length;
  if ((value.match(/(?<=[a-z])\d+(?=[a-z])/gi)?.length ?? 0) > 1) return false;
  const pieces = value
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/\d+/g, " ")
    .split(/[^A-Za-z]+/)
    .filter(Boolean);
  if (digits > 4 || pieces.length === 0) return false;
  return pieces.every(readable) && pieces.join("").length / pieces.length >= 3 && digits <= pieces.length + 2;
}

/** Vowels among consonants, in one case, without long runs of consonants. */
function readable(piece: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(piece)) return false;
  const lower = piece.toLowerCase();
  if (piece.length <= 3) return true;
  const vowels = lower.replace(/[^aeiouy]/g, "").length;
  return (
    vowels / lower.length >= 0.2 && vowels / lower.length <= 0.7 && !/[^aeiouy]{5}|[jqxz]{2}|q[^u]|[vj][bcdfghjklmnpqrstvwxz]/.test(lower)
  );
}

/** Bits per character, by how often each occurs (Shannon). */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return -[...counts.values()].reduce((sum, count) => sum + (count / value.length) * Math.log2(count / value.length), 0);
}
