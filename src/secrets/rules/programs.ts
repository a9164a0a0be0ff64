// Secrets that a program compares, returns, hashes, or uses as defaults.

import {
  type ContextRule,
  looksRandom,
  named,
  namedLoosely,
  passwordNearName,
  passwordRule,
  secretNamePattern,
  secretRule,
  stems,
} from "./context-rule.ts";

export const programRules: ContextRule[] = [
  passwordRule(
    "pragma|attach|rekey",
    /\b(?:PRAGMA\s{1,4}(?:re)?key\s{0,2}=\s{0,2}|ATTACH\s(?:DATABASE\s)?\S{1,100}\sAS\s\w{1,30}\sKEY\s{1,4})["'](?<secret>[^"'\n]{4,200})["']/gi,
  ),
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}\s{1,4}(?:N?VARCHAR2?|CHAR|TEXT|PIC\sX)\(\w{1,4}\)\s{0,4}(?::?=|VALUE)\s{0,4}N?["'](?<secret>[^"'\n]{4,200})["']`,
      "gi",
    ),
    namedLoosely,
  ),
  passwordRule(
    "crypt|hash|password(|md5(|sha1(|sha2(",
    /\b(?:(?:crypt\.)?crypt|b?crypt(?:\.hash(?:Sync|pw)?|Sync)?|Hash::make|password_hash|hashpw|generate_password_hash|make_password|set_password|MD5|SHA1|SHA2|PASSWORD|ENCRYPT)\(\s{0,2}b?["'](?<secret>[^"'\n]{4,100})["']/g,
    passwordNearName,
  ),
  passwordRule("securestring", /["'](?<secret>[^"'\n]{4,100})["']\s{0,2}\|\s{0,2}ConvertTo-SecureString/g),
  passwordRule(
    "==",
    /\b(?:u|user\w{0,10}|name|login|email)\s{0,2}={2,3}\s{0,2}["'][^"'\n]{1,60}["']\s{0,2}(?:&&?|and)\s{0,2}(?:p|pw|pwd|pass\w{0,8}|secret|key|token)\s{0,2}={2,3}\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
  ),
  passwordRule(
    "equal|cmp(|compare|eq(",
    /\b(?:strn?(?:case)?cmp|compare_digest|hash_equals|timingSafeEqual|ConstantTimeCompare|secure_compare|equals?|assertEquals?)\s{0,2}\(\s{0,2}(?:\[\]byte\()?(?<name>[$\w.>-]{2,60})\)?\s{0,2},\s{0,4}(?:\[\]byte\()?["'](?<secret>[^"'\n]{4,200})["']/g,
    namedLoosely,
  ),
  // a comparison that rejects any other value, in either order
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}["')\]]{0,3}\s{0,4}(?:!={1,2}|<>|/=|=/=|ne|eq|-c?n?eq|-ne|is not|isnt)\s{1,4}[bu]?["'](?<secret>[^"'\n]{6,200})["']`,
      "g",
    ),
    (secret, name) =>
      /^key$/i.test(name)
        ? /^(?=.*\d.*\d)[\w-]{16,}$/.test(secret) && looksRandom(secret)
        : namedLoosely(secret, name) || (named(secret, name) && looksRandom(secret)),
  ),
  passwordRule(
    "!=|==",
    /(?<![\w\])])["'](?<secret>[^"'\n]{6,200})["']\s{1,2}[!=]={1,2}\s{1,2}(?:(?:[\w$]{1,30}(?:\.|->|\[["']))*)(?<name>[$\w]{3,60})/g,
    namedLoosely,
  ),
  passwordRule(".equals(", /["'](?<secret>[^"'\n]{4,200})["']\.equals(?:IgnoreCase)?\((?<name>[\w.]{2,60})/g, namedLoosely),
  secretRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}\s{0,2}\([^()\n]{0,80}\)[^"'\n;=]{0,40}?(?:\{|=>?|:|->|;)\s{1,20}(?:return\s{1,4})?["'](?<secret>[^"'\n]{4,200})["'](?=\s{0,4}(?:;?\s{0,4}\}|;|$|end\b))`,
      "gm",
    ),
    (secret, name) =>
      /^(?:_?get|default|fetch|load)?_?\w*$/i.test(name) &&
      !/^(?:is|has|check|validate|verify|reset|forgot|show|toggle|hash|encrypt)/i.test(name) &&
      namedLoosely(secret, name),
  ),
  // two names, two values
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}(?<=[\w$\])], ?[\w$]{2,60})[\])]?[ \t]{0,4}:?=[ \t]{0,4}[[(]?(?:"[^"\n]{0,100}"|'[^'\n]{0,100}')[ \t]{0,2},[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`,
      "g",
    ),
    named,
  ),
  passwordRule(
    stems,
    new RegExp(String.raw`${secretNamePattern},[ \t][\w$]{1,40}[ \t]{0,4}:?=[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`, "g"),
    named,
  ),
  // options of a program of one's own, with what they are where nobody gives them
  secretRule(
    "default|option(|string(|value:|value=|value =|value(|fallback|initial",
    /["']-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],[^\n]{0,200}?\b(?:default(?:_value|Value)?|value|fallback|initial)(?: =|[=:(])\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
  ),
  secretRule(
    "option(|stringvar|string(",
    /\b(?:String(?:Var)?P?|[oO]ption|add(?:_o|O)ption|requiredOption)\((?:[^"'\n,]{1,60},\s{0,4})?["'](?:-\w, )?-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],\s{0,4}(?:["'][^"'\n]{0,120}["'],\s{0,4})?["'](?<secret>[^"'\n]{4,200})["']/g,
    namedLoosely,
  ),
  secretRule(
    `default(|default "|default '|default \\"`,
    new RegExp(
      String.raw`${secretNamePattern}["']?\s{0,4}[:=]\s{0,4}["']?\{\{[^}\n]{0,120}?\bdefault[( ]\s{0,2}\\?["'](?<secret>[^"'\n\\]{4,200})`,
      "g",
    ),
  ),
  secretRule("${", /\$\{(?<name>[A-Z][A-Z0-9_]{2,60})(?::?[-=+])(?<secret>[^}\s"'$]{4,300})\}/g),
];
