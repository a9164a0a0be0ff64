// Secrets in settings that have no delimiter between name and value, or no name at all: the line they are on identifies them.

import { isSecretValue } from "../values/values.ts";
import {
  type ContextRule,
  keyRule,
  named,
  namedLoosely,
  passwordFits,
  passwordNearName,
  passwordRule,
  rulesOf,
  secretNamePattern,
  secretRule,
  stems,
  tokenFits,
  tokenRule,
} from "./context-rule.ts";

const mixed = (secret: string) => /\d|[!#%^&*+]/.test(secret) && passwordFits(secret);

export const placeRules: ContextRule[] = [
  // user and password in one value
  passwordRule(
    "auth|cred|userpass|userpwd|login",
    /(?<![A-Za-z])(?:[\w.-]{0,40}(?:BASIC_?AUTH|basic_?auth|basicAuth|CREDENTIALS?|credentials?|CREDS|creds|USERPWD|USERPASS|userpass|HTTP_AUTH|http_auth))(?:_USERS?|\.users?)?["']?\s{0,3}[=:,]\s{0,3}["']?[\w.@+-]{1,60}:(?<secret>[^\s"'@:]{4,200})(?=["'\s]|$)/g,
    mixed,
  ),
  passwordRule(
    "stats auth|login=|static:|sasl_passwd|auth-user-pass",
    /(?:\bstats\s{1,4}auth\s{1,4}[\w.@-]{1,60}:|\blogin=[\w.@-]{1,60}:|\bstatic:[\w.@-]{1,60}:|<auth-user-pass>\s[^\n]{1,60}\n)(?<secret>[^\s"']{4,200})/g,
  ),
  // mail servers: address and user
  passwordRule(
    ":|@",
    /^\[?[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\]?(?::\d{2,5})?[ \t:]{1,8}[\w.@+-]{1,80}:(?<secret>[^\s"':/]{6,100})[ \t]*\r?$/gm,
    passwordNearName,
  ),
  passwordRule(
    '* |*\t|" "|: eap|: rsa|: psk|: xauth|: ntlm|: pkcs8|: ecdsa',
    /^[ \t]*(?:"?[\w.@\\%-]{1,60}"?[ \t]{1,8}"?(?:\*|[\w.-]{1,60})"?[ \t]{1,8}(?="?[^\s"]{4,100}"?[ \t]{1,8}"?\*)"?|"[\w.@-]{1,60}"[ \t]{1,4}"|[\w.@%-]{0,60}[ \t]{0,4}:[ \t]{1,4}(?:EAP|RSA|PSK|XAUTH|NTLM|PKCS8|ECDSA)[ \t]{1,4}(?:[\w./-]{1,60}[ \t]{1,4})?")(?<secret>[^\s"]{4,100})"?(?:[ \t]{1,8}"?\*"?)?[ \t]*\r?$/gm,
    mixed,
  ),
  passwordRule(
    "user |password",
    /\buser[ \t]{1,4}["']?[\w.@-]{1,60}["']?[ \t]{1,4}(?:with[ \t])?(?:insecure-)?pass(?:word)?[ \t]{1,4}["']?(?<secret>[^\s"']{4,250})/g,
    (secret) => passwordFits(secret) || /^\$\w{1,8}\$.{20}/.test(secret),
  ),
  tokenRule(
    "set_header|add_header|requestheader|setenvif|header set",
    /\b(?:proxy_set_header|add_header|RequestHeader set|Header set|request_header_access)\s{1,4}(?<name>[\w-]{3,60})\s{1,4}["']?(?<secret>[^\s"';$%{]{8,400})/g,
    named,
  ),
  secretRule(
    "parametervalue|parameterkey",
    /\bParameterKey["']?\s{0,2}[:=]\s{0,2}["']?(?<name>[\w.-]{2,80})["']?,\s{0,8}["']?ParameterValue["']?\s{0,2}[:=]\s{0,2}["']?(?<secret>[^\s"',}]{4,300})/g,
  ),
  secretRule("name: |key: ", /\{\s{0,4}(?:name|key): (?<name>[\w.-]{2,80}), value: (?<secret>[^\s"'{},]{4,300})\s{0,4}\}/g),
  passwordRule(
    stems,
    new RegExp(String.raw`${secretNamePattern}(?<=[{,][ \t]{0,4}[\w$]{2,60}): (?<secret>[^\s"'{},]{4,200})[ \t]{0,4}(?=[},])`, "g"),
    namedLoosely,
  ),
  passwordRule(
    "reg add|defaultpassword",
    /\breg(?:\.exe)?\s{1,4}add\s[^\n]{0,200}?\/v\s{1,4}"?(?<name>\w{3,60})"?[^\n]{0,60}?\/d\s{1,4}"?(?<secret>[^\s"]{4,200})/gi,
    named,
  ),
  keyRule("validationkey|decryptionkey", /\b(?:validationKey|decryptionKey)\s{0,2}=\s{0,2}["'](?<secret>[0-9A-Fa-f]{32,256})["']/g),
  rulesOf("secret")(
    "secret_id|role_id",
    /\bsecret_?id["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
  ),
  tokenRule(
    "from-literal",
    /--from-literal[= ]["']?[\w.-]{1,60}=(?<secret>[^\s"']{12,300})/g,
    (secret) => tokenFits(secret) && isSecretValue(secret, "token", "near name"),
  ),
  tokenRule(
    "forhttpheaderfield",
    /\b(?:add|set)Value[:(]\s{0,2}@?"(?:Bearer )?(?<secret>[^"\n]{8,400})",?\s{1,4}forHTTPHeaderField:\s{0,2}@?"(?<name>[\w-]{3,60})"/g,
    named,
  ),
  // parameters of a stack of a cloud
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}:[ \t]{0,4}\r?\n(?:[ \t]{2,20}\w{1,30}:[^\n]{0,100}\n){0,6}?[ \t]{2,20}Default:[ \t]{1,4}["']?(?<secret>[^\s"'{}#!][^\s"']{3,200})["']?[ \t]{0,4}$`,
      "gm",
    ),
    named,
  ),
  passwordRule("protect", /\.(?:Unp|P)rotect\s{1,4}(?:Password:=)?"(?<secret>[^"\n]{4,100})"/g),
  {
    ...passwordRule("users", /\busers["']?\s{0,2}[:=]\s{0,2}\{(?<list>[^{}]{4,600})\}/g, (secret) => passwordNearName(secret)),
    each: /["']?[\w.@-]{1,60}["']?\s{0,2}(?::|=>)\s{0,2}["'](?<secret>[^"'\n]{4,100})["']/g,
  },
  passwordRule("chpasswd", /\bchpasswd:\s{0,4}\{[^}\n]{0,60}?list:\s{0,2}["']?[\w.-]{1,40}:(?<secret>[^\s"',}]{4,200})/g),
  // cloud-init, one user on each line
  {
    ...passwordRule(
      "chpasswd",
      /\bchpasswd:\s{1,40}(?:expire:[^\n]{0,20}\s{1,40})?(?:list|users):\s?\|?-?[^\n]{0,4}\n(?<list>(?:[ \t-]{1,20}[\w.-]{1,40}:[^\n]{1,200}(?:\n|$)){1,20})/g,
    ),
    each: /^[ \t-]{1,20}[\w.-]{1,40}:(?<secret>[^\s"']{4,200})/gm,
  },
];
