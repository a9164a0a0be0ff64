// Secrets that a program compares, returns, hashes, or uses as defaults.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, looksRandom, named, namedLoosely, passwordFits, secretNamePattern, stems } from "./context-rule.ts";

export const programRules: ContextRule[] = [
  {
    kind: "password",
    keywords: ["pragma", "attach", "rekey"],
    pattern:
      /\b(?:PRAGMA\s{1,4}(?:re)?key\s{0,2}=\s{0,2}|ATTACH\s(?:DATABASE\s)?\S{1,100}\sAS\s\w{1,30}\sKEY\s{1,4})["'](?<secret>[^"'\n]{4,200})["']/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}\s{1,4}(?:N?VARCHAR2?|CHAR|TEXT|PIC\sX)\(\w{1,4}\)\s{0,4}(?::?=|VALUE)\s{0,4}N?["'](?<secret>[^"'\n]{4,200})["']`,
      "gi",
    ),
    accepts: namedLoosely,
  },
  {
    kind: "password",
    keywords: ["crypt", "hash", "password(", "md5(", "sha1(", "sha2("],
    pattern:
      /\b(?:(?:crypt\.)?crypt|b?crypt(?:\.hash(?:Sync|pw)?|Sync)?|Hash::make|password_hash|hashpw|generate_password_hash|make_password|set_password|MD5|SHA1|SHA2|PASSWORD|ENCRYPT)\(\s{0,2}b?["'](?<secret>[^"'\n]{4,100})["']/g,
    accepts: ({ secret = "" }) => isSecretValue(secret, "password", "near name"),
  },
  {
    kind: "password",
    keywords: ["securestring"],
    pattern: /["'](?<secret>[^"'\n]{4,100})["']\s{0,2}\|\s{0,2}ConvertTo-SecureString/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["=="],
    pattern:
      /\b(?:u|user\w{0,10}|name|login|email)\s{0,2}={2,3}\s{0,2}["'][^"'\n]{1,60}["']\s{0,2}(?:&&?|and)\s{0,2}(?:p|pw|pwd|pass\w{0,8}|secret|key|token)\s{0,2}={2,3}\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["equal", "cmp(", "compare", "eq("],
    pattern:
      /\b(?:strn?(?:case)?cmp|compare_digest|hash_equals|timingSafeEqual|ConstantTimeCompare|secure_compare|equals?|assertEquals?)\s{0,2}\(\s{0,2}(?:\[\]byte\()?(?<name>[$\w.>-]{2,60})\)?\s{0,2},\s{0,4}(?:\[\]byte\()?["'](?<secret>[^"'\n]{4,200})["']/g,
    accepts: namedLoosely,
  },
  {
    // a comparison that rejects any other value, in either order
    kind: "password",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}["')\]]{0,3}\s{0,4}(?:!={1,2}|<>|/=|=/=|ne|eq|-c?n?eq|-ne|is not|isnt)\s{1,4}[bu]?["'](?<secret>[^"'\n]{6,200})["']`,
      "g",
    ),
    accepts: ({ name = "", secret = "" }) =>
      /^key$/i.test(name)
        ? /^(?=.*\d.*\d)[\w-]{16,}$/.test(secret) && looksRandom(secret)
        : namedLoosely({ name, secret }) || (named({ name, secret }) && looksRandom(secret)),
  },
  {
    kind: "password",
    keywords: ["!=", "=="],
    pattern:
      /(?<![\w\])])["'](?<secret>[^"'\n]{6,200})["']\s{1,2}[!=]={1,2}\s{1,2}(?:(?:[\w$]{1,30}(?:\.|->|\[["']))*)(?<name>[$\w]{3,60})/g,
    accepts: ({ name = "", secret = "" }) => namedLoosely({ name, secret }),
  },
  {
    kind: "password",
    keywords: [".equals("],
    pattern: /["'](?<secret>[^"'\n]{4,200})["']\.equals(?:IgnoreCase)?\((?<name>[\w.]{2,60})/g,
    accepts: namedLoosely,
  },
  {
    kind: "secret",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}\s{0,2}\([^()\n]{0,80}\)[^"'\n;=]{0,40}?(?:\{|=>?|:|->|;)\s{1,20}(?:return\s{1,4})?["'](?<secret>[^"'\n]{4,200})["'](?=\s{0,4}(?:;?\s{0,4}\}|;|$|end\b))`,
      "gm",
    ),
    accepts: ({ name = "", secret = "" }) =>
      /^(?:_?get|default|fetch|load)?_?\w*$/i.test(name) &&
      !/^(?:is|has|check|validate|verify|reset|forgot|show|toggle|hash|encrypt)/i.test(name) &&
      namedLoosely({ name, secret }),
  },
  {
    // two names, two values
    kind: "password",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}(?<=[\w$\])], ?[\w$]{2,60})[\])]?[ \t]{0,4}:?=[ \t]{0,4}[[(]?(?:"[^"\n]{0,100}"|'[^'\n]{0,100}')[ \t]{0,2},[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`,
      "g",
    ),
    accepts: named,
  },
  {
    kind: "password",
    keywords: stems,
    pattern: new RegExp(String.raw`${secretNamePattern},[ \t][\w$]{1,40}[ \t]{0,4}:?=[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`, "g"),
    accepts: named,
  },
  {
    // options of a program of one's own, with what they are where nobody gives them
    kind: "secret",
    keywords: ["default", "option(", "string(", "value:", "value=", "value =", "value(", "fallback", "initial"],
    pattern:
      /["']-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],[^\n]{0,200}?\b(?:default(?:_value|Value)?|value|fallback|initial)(?: =|[=:(])\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
    accepts: named,
  },
  {
    kind: "secret",
    keywords: ["option(", "stringvar", "string("],
    pattern:
      /\b(?:String(?:Var)?P?|[oO]ption|add(?:_o|O)ption|requiredOption)\((?:[^"'\n,]{1,60},\s{0,4})?["'](?:-\w, )?-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],\s{0,4}(?:["'][^"'\n]{0,120}["'],\s{0,4})?["'](?<secret>[^"'\n]{4,200})["']/g,
    accepts: namedLoosely,
  },
  {
    kind: "secret",
    keywords: ["default(", 'default "', "default '", 'default \\"'],
    pattern: new RegExp(
      String.raw`${secretNamePattern}["']?\s{0,4}[:=]\s{0,4}["']?\{\{[^}\n]{0,120}?\bdefault[( ]\s{0,2}\\?["'](?<secret>[^"'\n\\]{4,200})`,
      "g",
    ),
    accepts: named,
  },
  {
    kind: "secret",
    keywords: ["${"],
    pattern: /\$\{(?<name>[A-Z][A-Z0-9_]{2,60})(?::?[-=+])(?<secret>[^}\s"'$]{4,300})\}/g,
    accepts: named,
  },
];
