// Secrets in settings that have no delimiter between name and value, or no name at all: the line they are on identifies them.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, named, namedLoosely, passwordFits, secretNamePattern, stems, tokenFits } from "./context-rule.ts";

const mixed = ({ secret = "" }: Record<string, string>) => /\d|[!#%^&*+]/.test(secret) && passwordFits({ secret });

export const placeRules: ContextRule[] = [
  // user and password in one value
  {
    kind: "password",
    keywords: ["auth", "cred", "userpass", "userpwd", "login"],
    pattern:
      /(?<![A-Za-z])(?:[\w.-]{0,40}(?:BASIC_?AUTH|basic_?auth|basicAuth|CREDENTIALS?|credentials?|CREDS|creds|USERPWD|USERPASS|userpass|HTTP_AUTH|http_auth))(?:_USERS?|\.users?)?["']?\s{0,3}[=:,]\s{0,3}["']?[\w.@+-]{1,60}:(?<secret>[^\s"'@:]{4,200})(?=["'\s]|$)/g,
    accepts: mixed,
  },
  {
    kind: "password",
    keywords: ["stats auth", "login=", "static:", "sasl_passwd", "auth-user-pass"],
    pattern:
      /(?:\bstats\s{1,4}auth\s{1,4}[\w.@-]{1,60}:|\blogin=[\w.@-]{1,60}:|\bstatic:[\w.@-]{1,60}:|<auth-user-pass>\s[^\n]{1,60}\n)(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    // mail servers: address and user
    kind: "password",
    keywords: [":", "@"],
    pattern: /^\[?[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\]?(?::\d{2,5})?[ \t:]{1,8}[\w.@+-]{1,80}:(?<secret>[^\s"':/]{6,100})[ \t]*\r?$/gm,
    accepts: ({ secret = "" }) => isSecretValue(secret, "password", "near name"),
  },
  {
    kind: "password",
    keywords: ["* ", "*\t", '" "', ": eap", ": rsa", ": psk", ": xauth", ": ntlm", ": pkcs8", ": ecdsa"],
    pattern:
      /^[ \t]*(?:"?[\w.@\\%-]{1,60}"?[ \t]{1,8}"?(?:\*|[\w.-]{1,60})"?[ \t]{1,8}(?="?[^\s"]{4,100}"?[ \t]{1,8}"?\*)"?|"[\w.@-]{1,60}"[ \t]{1,4}"|[\w.@%-]{0,60}[ \t]{0,4}:[ \t]{1,4}(?:EAP|RSA|PSK|XAUTH|NTLM|PKCS8|ECDSA)[ \t]{1,4}(?:[\w./-]{1,60}[ \t]{1,4})?")(?<secret>[^\s"]{4,100})"?(?:[ \t]{1,8}"?\*"?)?[ \t]*\r?$/gm,
    accepts: mixed,
  },
  {
    kind: "password",
    keywords: ["user ", "password"],
    pattern:
      /\buser[ \t]{1,4}["']?[\w.@-]{1,60}["']?[ \t]{1,4}(?:with[ \t])?(?:insecure-)?pass(?:word)?[ \t]{1,4}["']?(?<secret>[^\s"']{4,250})/g,
    accepts: ({ secret = "" }) => passwordFits({ secret }) || /^\$\w{1,8}\$.{20}/.test(secret),
  },
  {
    kind: "token",
    keywords: ["set_header", "add_header", "requestheader", "setenvif", "header set"],
    pattern:
      /\b(?:proxy_set_header|add_header|RequestHeader set|Header set|request_header_access)\s{1,4}(?<name>[\w-]{3,60})\s{1,4}["']?(?<secret>[^\s"';$%{]{8,400})/g,
    accepts: named,
  },
  {
    kind: "secret",
    keywords: ["parametervalue", "parameterkey"],
    pattern:
      /\bParameterKey["']?\s{0,2}[:=]\s{0,2}["']?(?<name>[\w.-]{2,80})["']?,\s{0,8}["']?ParameterValue["']?\s{0,2}[:=]\s{0,2}["']?(?<secret>[^\s"',}]{4,300})/g,
    accepts: named,
  },
  {
    kind: "secret",
    keywords: ["name: ", "key: "],
    pattern: /\{\s{0,4}(?:name|key): (?<name>[\w.-]{2,80}), value: (?<secret>[^\s"'{},]{4,300})\s{0,4}\}/g,
    accepts: named,
  },
  {
    kind: "password",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}(?<=[{,][ \t]{0,4}[\w$]{2,60}): (?<secret>[^\s"'{},]{4,200})[ \t]{0,4}(?=[},])`,
      "g",
    ),
    accepts: namedLoosely,
  },
  {
    kind: "password",
    keywords: ["reg add", "defaultpassword"],
    pattern: /\breg(?:\.exe)?\s{1,4}add\s[^\n]{0,200}?\/v\s{1,4}"?(?<name>\w{3,60})"?[^\n]{0,60}?\/d\s{1,4}"?(?<secret>[^\s"]{4,200})/gi,
    accepts: named,
  },
  {
    kind: "key",
    keywords: ["validationkey", "decryptionkey"],
    pattern: /\b(?:validationKey|decryptionKey)\s{0,2}=\s{0,2}["'](?<secret>[0-9A-Fa-f]{32,256})["']/g,
  },
  {
    kind: "secret",
    keywords: ["secret_id", "role_id"],
    pattern: /\bsecret_?id["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
  },
  {
    kind: "token",
    keywords: ["from-literal"],
    pattern: /--from-literal[= ]["']?[\w.-]{1,60}=(?<secret>[^\s"']{12,300})/g,
    accepts: (groups) => tokenFits(groups) && isSecretValue(groups["secret"] ?? "", "token", "near name"),
  },
  {
    kind: "token",
    keywords: ["forhttpheaderfield"],
    pattern:
      /\b(?:add|set)Value[:(]\s{0,2}@?"(?:Bearer )?(?<secret>[^"\n]{8,400})",?\s{1,4}forHTTPHeaderField:\s{0,2}@?"(?<name>[\w-]{3,60})"/g,
    accepts: named,
  },
  {
    // parameters of a stack of a cloud
    kind: "password",
    keywords: stems,
    pattern: new RegExp(
      String.raw`${secretNamePattern}:[ \t]{0,4}\r?\n(?:[ \t]{2,20}\w{1,30}:[^\n]{0,100}\n){0,6}?[ \t]{2,20}Default:[ \t]{1,4}["']?(?<secret>[^\s"'{}#!][^\s"']{3,200})["']?[ \t]{0,4}$`,
      "gm",
    ),
    accepts: named,
  },
  {
    kind: "password",
    keywords: ["protect"],
    pattern: /\.(?:Unp|P)rotect\s{1,4}(?:Password:=)?"(?<secret>[^"\n]{4,100})"/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["users"],
    pattern: /\busers["']?\s{0,2}[:=]\s{0,2}\{(?<list>[^{}]{4,600})\}/g,
    each: /["']?[\w.@-]{1,60}["']?\s{0,2}(?::|=>)\s{0,2}["'](?<secret>[^"'\n]{4,100})["']/g,
    accepts: ({ secret = "" }) => isSecretValue(secret, "password", "near name"),
  },
  {
    kind: "password",
    keywords: ["chpasswd"],
    pattern: /\bchpasswd:\s{0,4}\{[^}\n]{0,60}?list:\s{0,2}["']?[\w.-]{1,40}:(?<secret>[^\s"',}]{4,200})/g,
    accepts: passwordFits,
  },
  {
    // cloud-init, one user on each line
    kind: "password",
    keywords: ["chpasswd"],
    pattern:
      /\bchpasswd:\s{1,40}(?:expire:[^\n]{0,20}\s{1,40})?(?:list|users):\s?\|?-?[^\n]{0,4}\n(?<list>(?:[ \t-]{1,20}[\w.-]{1,40}:[^\n]{1,200}(?:\n|$)){1,20})/g,
    each: /^[ \t-]{1,20}[\w.-]{1,40}:(?<secret>[^\s"']{4,200})/gm,
    accepts: passwordFits,
  },
];
