// A rule that finds a secret by its context: what to search for, and how to judge a match.

import { secretName } from "../values/names.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { isSecretValue } from "../values/values.ts";

/** Judges a match: by its secret, and by the group `name`, which is empty if the pattern has none. */
export type Accepts = (secret: string, name: string) => boolean;

/**
 * Every match contains one of the lower-case `keywords`. The secret is the group `secret`, `other` or `bare`; without `accepts`, anything
 * but a placeholder is one. With `each`, that pattern finds the secrets within the group `list`.
 */
export type ContextRule = {
  kind: string;
  keywords: string[];
  pattern: RegExp;
  each?: RegExp;
  accepts?: Accepts;
};

/** How rules of one kind are written: the keywords with `|` between them, the pattern, and what accepts a match if not `usual`. */
export const rulesOf =
  (kind: string, usual?: Accepts) =>
  (keywords: string, pattern: RegExp, accepts: Accepts | undefined = usual): ContextRule => ({
    kind,
    keywords: keywords.split("|"),
    pattern,
    ...(accepts && { accepts }),
  });

export const passwordRule = rulesOf("password", passwordFits);
export const tokenRule = rulesOf("token", tokenFits);
export const secretRule = rulesOf("secret", named);
export const keyRule = rulesOf("key");

/** Whether this could be a chosen password, in a place where only a password can be. */
export function passwordFits(secret: string): boolean {
  return isSecretValue(secret, "password", "quoted");
}

/** Whether this could be a chosen password, in a place where an ordinary word may be as well. */
export function passwordNearName(secret: string): boolean {
  return isSecretValue(secret, "password", "near name");
}

/** Whether this looks generated. */
export function tokenFits(secret: string): boolean {
  return isSecretValue(secret, "token", "quoted");
}

/** `user:password` in base64. */
export function basicPair(encoded: string): boolean {
  const [, password] = /^[\x21-\x7e]{0,200}?:([\x20-\x7e]{3,400})$/.exec(Buffer.from(encoded, "base64").toString("latin1")) ?? [];
  return password !== undefined && !isPlaceholder(encoded) && !isPlaceholder(password) && password !== "open sesame";
}

/** Whether this is mixed or generated text: not a word, host, port or address. */
export function looksRandom(secret: string): boolean {
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?$|:\d{2,5}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(secret)) return false;
  return passwordNearName(secret) || tokenFits(secret);
}

/** Whether the value fits what its name announces. */
export function named(secret: string, name: string): boolean {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "quoted");
}

/** Like `named`, in a place where an ordinary word may be as well. */
export function namedLoosely(secret: string, name: string): boolean {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "near name");
}

/**
 * A name that contains a word for secrets. The pattern begins with that word because most texts have none and fail fast; what precedes it
 * is checked by a lookbehind.
 */
export const secretNamePattern = String.raw`(?:[Pp]ass|PASS|[Pp]wd|PWD|[Pp]w|PW|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY|[Cc]red|CRED)[\w$]{0,30}(?![\w$])(?<=(?<![\w$])(?<name>[A-Za-z_$][\w$]{1,60}))`;
export const stems = "pass|pwd|pw|secret|token|key|cred";
