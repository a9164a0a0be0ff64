// Secrets in settings that have no sign between name and value, or no name at all: what stands there is known by the line it is in.
import { secretName } from "./secret-names.ts";
import { type Phrase, passwordFits, tokenFits } from "./secret-phrase.ts";
import { isSecretValue } from "./secret-values.ts";

const named = ({ name = "", secret = "" }: Record<string, string>) => {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "quoted");
};

const namedLoosely = ({ name = "", secret = "" }: Record<string, string>) => {
  const kind = secretName(name);
  return kind !== undefined && isSecretValue(secret, kind, "loose");
};

const mixed = ({ secret = "" }: Record<string, string>) => /\d|[!#%^&*+]/.test(secret) && passwordFits({ secret });

/**
 * A name with a secret's word in it. The pattern begins with that word, since most texts have none of them and are done with it soon; what
 * stands before it is looked at afterwards.
 */
const secretly = String.raw`(?:[Pp]ass|PASS|[Pp]wd|PWD|[Pp]w|PW|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY|[Cc]red|CRED)[\w$]{0,30}(?![\w$])(?<=(?<![\w$])(?<name>[A-Za-z_$][\w$]{1,60}))`;
const stems = ["pass", "pwd", "pw", "secret", "token", "key", "cred"];

export const placePhrases: Phrase[] = [
  // user and password in one value
  {
    kind: "password",
    marks: ["auth", "cred", "userpass", "userpwd", "login"],
    pattern:
      /(?<![A-Za-z])(?:[\w.-]{0,40}(?:BASIC_?AUTH|basic_?auth|basicAuth|CREDENTIALS?|credentials?|CREDS|creds|USERPWD|USERPASS|userpass|HTTP_AUTH|http_auth))(?:_USERS?|\.users?)?["']?\s{0,3}[=:,]\s{0,3}["']?[\w.@+-]{1,60}:(?<secret>[^\s"'@:]{4,200})(?=["'\s]|$)/g,
    fits: mixed,
  },
  {
    kind: "password",
    marks: ["stats auth", "login=", "static:", "sasl_passwd", "auth-user-pass"],
    pattern:
      /(?:\bstats\s{1,4}auth\s{1,4}[\w.@-]{1,60}:|\blogin=[\w.@-]{1,60}:|\bstatic:[\w.@-]{1,60}:|<auth-user-pass>\s[^\n]{1,60}\n)(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["apr1$", "$2y$", "$2a$", "$2b$"],
    pattern:
      /\b(?:basicauth|basic-?auth)[\w.-]{0,40}users?[=:]\s{0,2}["']?[\w.@-]{1,60}:(?<secret>\${1,2}(?:apr1|2[aby])\$[\w./$]{20,200})/gi,
    fits: () => true,
  },
  {
    // mail servers: where to, as whom
    kind: "password",
    marks: [":", "@"],
    pattern: /^\[?[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\]?(?::\d{2,5})?[ \t:]{1,8}[\w.@+-]{1,80}:(?<secret>[^\s"':/]{6,100})[ \t]*\r?$/gm,
    fits: ({ secret = "" }) => isSecretValue(secret, "password", "loose"),
  },
  {
    kind: "password",
    marks: ["* ", "*\t", '" "', " : eap", " : rsa", " : psk", " : xauth", " : ntlm"],
    pattern:
      /^[ \t]*(?:"?[\w.@\\%-]{1,60}"?[ \t]{1,8}"?(?:\*|[\w.-]{1,60})"?[ \t]{1,8}(?="?[^\s"]{4,100}"?[ \t]{1,8}"?\*)"?|"[\w.@-]{1,60}"[ \t]{1,4}"|[\w.@%-]{0,60}[ \t]{0,4}:[ \t]{1,4}(?:EAP|RSA|PSK|XAUTH|NTLM|PKCS8|ECDSA)[ \t]{1,4}(?:[\w./-]{1,60}[ \t]{1,4})?")(?<secret>[^\s"]{4,100})"?(?:[ \t]{1,8}"?\*"?)?[ \t]*\r?$/gm,
    fits: mixed,
  },
  {
    kind: "password",
    marks: ["user ", "password"],
    pattern:
      /\buser[ \t]{1,4}["']?[\w.@-]{1,60}["']?[ \t]{1,4}(?:with[ \t])?(?:insecure-)?pass(?:word)?[ \t]{1,4}["']?(?<secret>[^\s"']{4,250})/g,
    fits: ({ secret = "" }) => passwordFits({ secret }) || /^\$\w{1,8}\$.{20}/.test(secret),
  },
  {
    kind: "token",
    marks: ["set_header", "add_header", "requestheader", "setenvif", "header set"],
    pattern:
      /\b(?:proxy_set_header|add_header|RequestHeader set|Header set|request_header_access)\s{1,4}(?<name>[\w-]{3,60})\s{1,4}["']?(?<secret>[^\s"';$%{]{8,400})/g,
    fits: named,
  },
  {
    kind: "password",
    marks: ["param-value", "parametervalue", "paramvalue"],
    pattern: /<param-name>(?<name>[^<\n]{2,80})<\/param-name>\s{0,60}<param-value>(?<secret>[^<\s]{4,300})<\/param-value>/g,
    fits: named,
  },
  {
    kind: "secret",
    marks: ["parametervalue", "parameterkey"],
    pattern:
      /\bParameterKey["']?\s{0,2}[:=]\s{0,2}["']?(?<name>[\w.-]{2,80})["']?,\s{0,8}["']?ParameterValue["']?\s{0,2}[:=]\s{0,2}["']?(?<secret>[^\s"',}]{4,300})/g,
    fits: named,
  },
  {
    kind: "secret",
    marks: ["name: ", "key: "],
    pattern: /\{\s{0,4}(?:name|key): (?<name>[\w.-]{2,80}), value: (?<secret>[^\s"'{},]{4,300})\s{0,4}\}/g,
    fits: named,
  },
  {
    kind: "password",
    marks: stems,
    pattern: new RegExp(String.raw`${secretly}(?<=[{,][ \t]{0,4}[\w$]{2,60}): (?<secret>[^\s"'{},]{4,200})[ \t]{0,4}(?=[},])`, "g"),
    fits: namedLoosely,
  },
  {
    kind: "password",
    marks: ["reg add", "defaultpassword"],
    pattern: /\breg(?:\.exe)?\s{1,4}add\s[^\n]{0,200}?\/v\s{1,4}"?(?<name>\w{3,60})"?[^\n]{0,60}?\/d\s{1,4}"?(?<secret>[^\s"]{4,200})/gi,
    fits: named,
  },
  {
    kind: "key",
    marks: ["validationkey", "decryptionkey"],
    pattern: /\b(?:validationKey|decryptionKey)\s{0,2}=\s{0,2}["'](?<secret>[0-9A-Fa-f]{32,256})["']/g,
  },
  {
    kind: "secret",
    marks: ["secret_id", "role_id"],
    pattern: /\bsecret_?id["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
  },
  {
    kind: "token",
    marks: ["from-literal"],
    pattern: /--from-literal[= ]["']?[\w.-]{1,60}=(?<secret>[^\s"']{12,300})/g,
    fits: (groups) => tokenFits(groups) && isSecretValue(groups["secret"] ?? "", "token", "loose"),
  },
  {
    kind: "token",
    marks: ["forhttpheaderfield"],
    pattern:
      /\b(?:add|set)Value[:(]\s{0,2}@?"(?:Bearer )?(?<secret>[^"\n]{8,400})",?\s{1,4}forHTTPHeaderField:\s{0,2}@?"(?<name>[\w-]{3,60})"/g,
    fits: named,
  },
  {
    // parameters of a stack of a cloud
    kind: "password",
    marks: stems,
    pattern: new RegExp(
      String.raw`${secretly}:[ \t]{0,4}\r?\n(?:[ \t]{2,20}\w{1,30}:[^\n]{0,100}\n){0,6}?[ \t]{2,20}Default:[ \t]{1,4}["']?(?<secret>[^\s"'{}#!][^\s"']{3,200})["']?[ \t]{0,4}$`,
      "gm",
    ),
    fits: named,
  },
  {
    kind: "password",
    marks: ["protect"],
    pattern: /\.(?:Unp|P)rotect\s{1,4}(?:Password:=)?"(?<secret>[^"\n]{4,100})"/g,
    fits: passwordFits,
  },
  // what a program says about its secrets
  {
    kind: "password",
    marks: ["crypt", "hash", "password(", "md5(", "sha1(", "sha2("],
    pattern:
      /\b(?:(?:crypt\.)?crypt|b?crypt(?:\.hash(?:Sync|pw)?|Sync)?|Hash::make|password_hash|hashpw|generate_password_hash|make_password|set_password|MD5|SHA1|SHA2|PASSWORD|ENCRYPT)\(\s{0,2}b?["'](?<secret>[^"'\n]{4,100})["']/g,
    fits: ({ secret = "" }) => isSecretValue(secret, "password", "loose"),
  },
  {
    kind: "password",
    marks: ["securestring"],
    pattern: /["'](?<secret>[^"'\n]{4,100})["']\s{0,2}\|\s{0,2}ConvertTo-SecureString/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["=="],
    pattern:
      /\b(?:u|user\w{0,10}|name|login|email)\s{0,2}={2,3}\s{0,2}["'][^"'\n]{1,60}["']\s{0,2}(?:&&?|and)\s{0,2}(?:p|pw|pwd|pass\w{0,8}|secret|key|token)\s{0,2}={2,3}\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["equal", "cmp(", "compare", "eq("],
    pattern:
      /\b(?:strn?(?:case)?cmp|compare_digest|hash_equals|timingSafeEqual|ConstantTimeCompare|secure_compare|equals?|assertEquals?)\s{0,2}\(\s{0,2}(?:\[\]byte\()?(?<name>[$\w.>-]{2,60})\)?\s{0,2},\s{0,4}(?:\[\]byte\()?["'](?<secret>[^"'\n]{4,200})["']/g,
    fits: namedLoosely,
  },
  {
    kind: "password",
    marks: [".equals("],
    pattern: /["'](?<secret>[^"'\n]{4,200})["']\.equals(?:IgnoreCase)?\((?<name>[\w.]{2,60})/g,
    fits: namedLoosely,
  },
  {
    kind: "secret",
    marks: stems,
    pattern: new RegExp(
      String.raw`${secretly}\s{0,2}\([^()\n]{0,80}\)[^"'\n;=]{0,40}?(?:\{|=>?|:|->|;)\s{1,20}(?:return\s{1,4})?["'](?<secret>[^"'\n]{4,200})["'](?=\s{0,4}(?:;?\s{0,4}\}|;|$|end\b))`,
      "gm",
    ),
    fits: ({ name = "", secret = "" }) =>
      /^(?:_?get|default|fetch|load)?_?\w*$/i.test(name) &&
      !/^(?:is|has|check|validate|verify|reset|forgot|show|toggle|hash|encrypt)/i.test(name) &&
      namedLoosely({ name, secret }),
  },
  {
    // two names, two values
    kind: "password",
    marks: stems,
    pattern: new RegExp(
      String.raw`${secretly}(?<=[\w$\])], ?[\w$]{2,60})[\])]?[ \t]{0,4}:?=[ \t]{0,4}[[(]?(?:"[^"\n]{0,100}"|'[^'\n]{0,100}')[ \t]{0,2},[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`,
      "g",
    ),
    fits: named,
  },
  {
    kind: "password",
    marks: stems,
    pattern: new RegExp(String.raw`${secretly},[ \t][\w$]{1,40}[ \t]{0,4}:?=[ \t]{0,4}["'](?<secret>[^"'\n]{4,200})["']`, "g"),
    fits: named,
  },
  {
    // options of a program of one's own, with what they are where nobody gives them
    kind: "secret",
    marks: ["default", "option(", "string("],
    pattern:
      /["']-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],[^\n]{0,200}?\b(?:default(?:_value|Value)?|value|fallback|initial)\s{0,2}[=:(]\s{0,2}["'](?<secret>[^"'\n]{4,200})["']/g,
    fits: named,
  },
  {
    kind: "secret",
    marks: ["option(", "stringvar", "string("],
    pattern:
      /\b(?:String(?:Var)?P?|[oO]ption|add(?:_o|O)ption|requiredOption)\((?:[^"'\n,]{1,60},\s{0,4})?["'](?:-\w, )?-{0,2}(?<name>[A-Za-z][\w-]{2,60})(?:[ =]<?\w+>?)?["'],\s{0,4}(?:["'][^"'\n]{0,120}["'],\s{0,4})?["'](?<secret>[^"'\n]{4,200})["']/g,
    fits: namedLoosely,
  },
  {
    kind: "secret",
    marks: ["default(", 'default "', "default '", 'default \\"'],
    pattern: new RegExp(
      String.raw`${secretly}["']?\s{0,4}[:=]\s{0,4}["']?\{\{[^}\n]{0,120}?\bdefault[( ]\s{0,2}\\?["'](?<secret>[^"'\n\\]{4,200})`,
      "g",
    ),
    fits: named,
  },
  {
    kind: "secret",
    marks: ["${"],
    pattern: /\$\{(?<name>[A-Z][A-Z0-9_]{2,60})(?::?[-=+])(?<secret>[^}\s"'$]{4,300})\}/g,
    fits: named,
  },
  {
    kind: "password",
    marks: ["users"],
    pattern: /\busers["']?\s{0,2}[:=]\s{0,2}\{(?<list>[^{}]{4,600})\}/g,
    each: /["']?[\w.@-]{1,60}["']?\s{0,2}(?::|=>)\s{0,2}["'](?<secret>[^"'\n]{4,100})["']/g,
    fits: ({ secret = "" }) => isSecretValue(secret, "password", "loose"),
  },
  {
    // cloud-init, one user in each line
    kind: "password",
    marks: ["chpasswd"],
    pattern:
      /\bchpasswd:\s{1,40}(?:expire:[^\n]{0,20}\s{1,40})?(?:list|users):\s?\|?-?[^\n]{0,4}\n(?<list>(?:[ \t-]{1,20}[\w.-]{1,40}:[^\n]{1,200}(?:\n|$)){1,20})/g,
    each: /^[ \t-]{1,20}[\w.-]{1,40}:(?<secret>[^\s"']{4,200})/gm,
    fits: passwordFits,
  },
];
