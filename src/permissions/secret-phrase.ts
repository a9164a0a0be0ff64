// A secret that stands in a phrase of its own: what is looked for, and by what a find is judged.
import { isPlaceholder } from "./placeholders.ts";
import { isSecretValue } from "./secret-values.ts";

/**
 * One of the marks, in small letters, stands in whatever the pattern finds. `fits` sees the groups of the match; without it, a secret is what
 * is no placeholder. With `each`, the secrets are what that finds within the group `list`, and `fits` sees its groups.
 */
export type Phrase = {
  kind: string;
  marks: string[];
  pattern: RegExp;
  each?: RegExp;
  fits?: (groups: Record<string, string>) => boolean;
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
  return password !== undefined && !isPlaceholder(encoded) && !isPlaceholder(password);
}
