// A rule that finds a secret by its context: what is looked for, and by what a match is judged.

import { secretName } from "../values/names.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { isSecretValue } from "../values/values.ts";

/**
 * Whatever the pattern matches contains one of the keywords, in lower case. `accepts` sees the groups of the match; without it, a secret is what
 * is no placeholder. With `each`, the secrets are what that finds within the group `list`, and `accepts` sees its groups.
 */
export type ContextRule = {
  kind: string;
  keywords: string[];
  pattern: RegExp;
  each?: RegExp;
  accepts?: (groups: Record<string, string>) => boolean;
};

/** What somebody chose for a password, where nothing but one can stand. */
export function passwordFits({ secret = "" }: Record<string, string>): boolean {
  return isSecretValue(secret, "password", "quoted");
}

/** What a generator made. */
export function tokenFits({ secret = "" }: Record<string, string>): boolean {
  return isSecretValue(secret, "token", "quoted");
}

/** `user:password` in base64. */
export function basicPair(encoded: string): boolean {
  const [, password] = /^[\x21-\x7e]{0,200}?:([\x20-\x7e]{3,400})$/.exec(Buffer.from(encoded, "base64").toString("latin1")) ?? [];
  return password !== undefined && !isPlaceholder(encoded) && !isPlaceholder(password) && password !== "open sesame";
}

/** What is no word: mixed, or as a generator makes it. No host, port or address either. */
export function looksRandom(secret: string): boolean {
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?$|:\d{2,5}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(secret)) return false;
  return isSecretValue(secret, "password", "near name") || isSecretValue(secret, "token", "quoted");
}

/** What its name says that it is. */
export const named = ({ name = "", secret = "" }: Record<string, string>) => {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "quoted");
};

/** As `named`, where a word may stand too. */
export const namedLoosely = ({ name = "", secret = "" }: Record<string, string>) => {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "near name");
};

/**
 * A name with a secret's word in it. The pattern begins with that word, since most texts have none of them and are done with it soon; what
 * stands before it is looked at afterwards.
 */
export const secretNamePattern = String.raw`(?:[Pp]ass|PASS|[Pp]wd|PWD|[Pp]w|PW|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY|[Cc]red|CRED)[\w$]{0,30}(?![\w$])(?<=(?<![\w$])(?<name>[A-Za-z_$][\w$]{1,60}))`;
export const stems = ["pass", "pwd", "pw", "secret", "token", "key", "cred"];
