// Secrets in lists of name-value pairs, and in settings of frameworks and programs that only their position identifies.

import { isSecretValue } from "../values/values.ts";
import {
  type ContextRule,
  keyRule,
  looksRandom,
  named,
  passwordFits,
  passwordRule,
  secretNamePattern,
  secretRule,
  stems,
  tokenFits,
  tokenRule,
} from "./context-rule.ts";

const madeFits = (secret: string) => tokenFits(secret) && /\d/.test(secret);

/** Keywords for the value. The word alone would match in most programs, so they include what follows it. */
const valueKeywords = `value:|value=|value"|value'|value |value\t`;

export const pairRules: ContextRule[] = [
  // `name: X`, and on a later line `value: y`; in YAML, TOML or HCL, with other lines in between
  secretRule(
    valueKeywords,
    /(?<![\w.-])["']?(?:(?:secret_|variable_)?[nN]ame|[kK]ey|[vV]ariable|[oO]ption[nN]ame|id)["']?[ \t]{0,12}[:=][ \t]{0,12}["']?(?<name>[A-Za-z/][\w./-]{2,100})["']?,?[ \t]{0,4}\r?\n(?:[ \t]{1,40}["']?(?:type|isSecret|isSecure|secure|secret|sensitive|masked|protected|scope|category|description|hcl|in|environment_scope|is_secret|environment|propagate_at_launch|apply_at_launch|namespace|resource)["']?[ \t]{0,12}[:=][^\n]{0,60}\n){0,4}[ \t]{0,40}["']?(?:string|default|plaintext|secret)?_?[vV]alue["']?[ \t]{0,12}[:=][ \t]{0,12}["']?(?<secret>[^\s"'{}#!&*$|>%<][^\s"']{3,400})["']?,?[ \t]{0,4}(?=\r?\n|$|#)/g,
  ),
  // the same in reverse order
  secretRule(
    valueKeywords,
    /(?<![\w.-])["']?[vV]alue["']?[ \t]{0,4}[:=][ \t]{0,4}["'](?<secret>[^\s"'{}$<][^\s"']{5,400})["'],?\s{1,40}["']?(?:[nN]ame|[kK]ey)["']?[ \t]{0,4}[:=][ \t]{0,4}["'](?<name>[A-Za-z][\w./-]{2,100})["']/g,
  ),
  // two XML elements: `…name">x</…><… value">y<`, `<name>x</name><value>y<`, and attributes in either order
  secretRule(
    "name|key>",
    /(?:\bname="[\w.]{0,40}\.name"|<(?:\w{1,12}:)?[\w-]{0,30}(?:[nN]ame|[kK]ey))>\s{0,20}(?<name>[A-Za-z][\w./-]{2,100})\s{0,20}<\/[\w:-]{1,40}>\s{0,80}(?:<[^<>\n]{1,120}>[^<>\n]{0,60}<\/[\w:-]{1,40}>\s{0,80}){0,2}<(?:[\w:-]{1,40} name="[\w.]{0,40}\.value"|[\w:-]{0,40}(?:[vV]alue|[sS]tring))>\s{0,40}(?:<string>\s{0,40})?(?<secret>[^<>\s]{4,400})/g,
  ),
  secretRule(
    "value=|value =",
    /\b(?:[nN]ame|[kK]ey|[iI]d)\s?=\s?["'](?<name>[A-Za-z][\w./-]{2,100})["']\s{1,20}(?:\w{1,20}="[^"\n]{0,60}"\s{1,4}){0,2}[vV]alue\s?=\s?["'](?<secret>[^\s"'{}$<>][^\s"'<>]{3,400})["']/g,
    (secret, name) => !/csrf|xsrf|_token$|^token$/i.test(name) && named(secret, name),
  ),
  // a macro variable
  secretRule("%let ", /%let\s{1,4}(?<name>\w{2,40})\s{0,4}=\s{0,4}["']?(?<secret>[^\s"'&%;]{4,200})["']?\s{0,4};/gi),
  // what a framework encrypts with
  keyRule(
    "crypt",
    /["']crypt["']\s{0,2}=>\s{0,2}(?:\[|array\()\s{0,40}["']key["']\s{0,2}=>\s{0,2}["'](?<secret>[^\s"']{20,200})["']/g,
    madeFits,
  ),
  keyRule(
    "salt",
    /(?:["'](?:hash_?salt|passwordsalt|salt|cookie_?salt)["']\]?\s{0,2}(?:=>?|:)\s{0,2}(?:env\(\s?["']\w{1,40}["'],\s{0,4})?|\bSecurity\.salt["'],\s{0,4}|^salt\s{0,2}=\s{0,2}|\bpasswordsaltmain\s{0,2}=\s{0,2})["'](?<secret>[^\s"']{24,200})["']/gm,
    madeFits,
  ),
  keyRule(
    "cookie",
    /(?:(?<![\w.-])cookie:|\bset_?[cC]ookie\((?:\w{1,20}\(\),\s?)?:?)\s{0,2}["':]?(?<secret>[A-Za-z0-9_-]{20,128})(?=["')])/g,
    (secret) => isSecretValue(secret, "token", "near name"),
  ),
  tokenRule(
    "setcookie|erlang|__cookie__",
    /(?:(?<!\w)-setcookie\s{1,4}|\bdistributed_cookie\s{0,2}=\s{0,2}|\berlang_?cookie\s{0,2}[:=]\s{0,2})["']?(?<secret>[^\s"'$%{}]{8,200})/gi,
    madeFits,
  ),
  // a remote of rclone: its type, and its key further down
  keyRule(
    "type =",
    /^type[ \t]{0,4}=[ \t]{0,4}(?:b2|swift|azureblob|storj|koofr|mega|sia|internetarchive|qingstor|azurefiles|oos|cloudinary)[ \t]*\r?\n(?:[a-z_]{2,40}[ \t]{0,4}=[^\n]{0,200}\n){0,8}?(?:key|access_grant|passphrase)[ \t]{0,4}=[ \t]{0,4}(?<secret>[^\s"']{6,300})/gm,
    passwordFits,
  ),
  // macros of a monitoring system
  passwordRule(
    "$user",
    /^[ \t]*\$USER\d{1,3}\$[ \t]{0,4}=[ \t]{0,4}(?<secret>[^\s"'$/][^\s"']{5,200})/gm,
    (secret) => looksRandom(secret) && !secret.includes("/"),
  ),
  // a passphrase of words joined by dashes
  passwordRule(
    "phrase",
    /[Pp](?:ass|ASS)[-_ ]?(?:phrase|PHRASE)["']?(?:\s{0,4}[:=]\s{0,4}|\s(?:is|ist|to)\s)["'`]?(?<secret>[a-z]{3,12}(?:[-_.][a-z\d]{3,12}){3,9})(?=["'`.,;]?(?:\s|$))/g,
    (secret) => !/pass|phrase|secret|token|your|file|path|vault|[-.](?:yml|yaml|json|txt|key|pem)$/.test(secret),
  ),
  // an app password of a mail provider: four unquoted words of four letters
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}[ \t]{0,2}[=:][ \t]{0,2}(?<secret>[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})(?=[ \t]*(?:[#;][^\n]{0,200})?\r?(?:\n|$))`,
      "g",
    ),
    (secret, name) =>
      /pass|pwd|pw$|cred/i.test(name) &&
      !/\b(?:must|have|this|that|your|with|from|only|here|will|when|then|they|more|than|some|text|used|each)\b/.test(secret),
  ),
];
