// Secrets in a syntax of their own: in an address before the @, after `Authorization:`, in a SQL statement, in a cookie.

import { isPlaceholder } from "../values/placeholders.ts";
import { isSecretValue } from "../values/values.ts";
import { basicPair, type ContextRule, passwordFits, tokenFits } from "./context-rule.ts";

export const statementRules: ContextRule[] = [
  {
    kind: "password",
    keywords: ["auth", "credential", "getconnection", "login", "connect", "pdo"],
    pattern:
      /(?:[Bb]asic_?[Aa]uth\w{0,12}|[Cc]redentials?|getConnection|\blogin|\bPDO|\bauth\s{0,2}=)\s{0,2}\((?:[^()"'\n]{0,80},\s{0,4})?(?:["'][^"'\n]{1,80}["'],\s{0,4}){1,3}["'](?<secret>[^"'\n\s]{6,200})["']/g,
    accepts: ({ secret }) => isSecretValue(secret!, "password", "near name"),
  },
  {
    kind: "password",
    keywords: ["@tcp(", "@unix(", "@udp(", "@(", "@/"],
    pattern: /["'`][\w.-]{1,60}:(?<secret>[^\s@"'`:/]{4,200})@(?:(?:tcp|unix|udp)?\(|\/\w)/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["password"],
    pattern: /\b(?:PASSWORD|password)\s{0,2}=\s{0,2}N'(?<secret>[^'\n]{4,200})'/g,
    accepts: passwordFits,
  },
  {
    kind: "address-password",
    keywords: ["://"],
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/(?<user>[^\s:@[/"'`<>\\]{0,100}):(?!\d{1,5}[/?#])(?<secret>[^\s@"'`<>\\]{4,300})@(?=[\w[.${</-])/g,
    accepts: ({ user, secret }) =>
      secret !== user && !isPlaceholder(decoded(secret!)) && !/^(?:pass|pw|pwd|p|user|x|token|secret)$/i.test(secret!),
  },
  {
    kind: "basic-authorization",
    keywords: ["authorization"],
    pattern: /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}Basic\s{1,4}(?<secret>[A-Za-z0-9+/_-]{8,500}={0,2})/gi,
    accepts: ({ secret }) => basicPair(secret!),
  },
  {
    kind: "basic-authorization",
    keywords: ["basic"],
    pattern: /\bBasic\s(?<secret>[A-Za-z0-9+/]{12,500}={0,2})(?![\w+/=])/g,
    accepts: ({ secret }) => basicPair(secret!),
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    pattern:
      /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}(?:Bearer|Token token=|Token|token=|ApiKey|Api-Key|Key|GenieKey|Bot|SSWS|Splunk|OAuth|Api-Token|Klaviyo-API-Key)[\s"]{0,4}(?<secret>[A-Za-z0-9._~+/-]{8,3000}={0,2})/gi,
    accepts: ({ secret }) => isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "authorization",
    keywords: ["bearer"],
    pattern: /\bBearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,3000}={0,2})/g,
    accepts: ({ secret }) => /\d/.test(secret!) && isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    pattern: /(?<![\w-])authorization["'`]?\s{0,4}:\s{0,4}["'`]?(?<secret>[A-Za-z0-9._~+/-]{20,3000}={0,2})(?=["'`\s]|$)/gi,
    accepts: ({ secret }) => /\d/.test(secret!) && isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "seed-phrase",
    keywords: ["mnemonic", "seed", "recovery"],
    pattern:
      /(?:mnemonic|seed|recovery)(?:[ _-]?(?:phrase|words|key))?["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/gi,
  },
  {
    kind: "query-key",
    keywords: ["?", "&"],
    pattern:
      /[?&](?:key|appid|app_id|hapikey|code|auth|subscription-key|access_key|k)=(?<secret>[A-Za-z0-9_/+-]{24,200}={0,2})(?=["'`\s&)<]|$)/g,
    accepts: ({ secret }) => isSecretValue(secret!, "token", "quoted") && /\d.*\d/.test(secret!),
  },
  {
    kind: "password",
    keywords: ["sp_addlogin"],
    pattern: /\bsp_addlogin\s{1,4}N?'[^']{1,100}',\s{0,4}N?'(?<secret>[^'\n]{4,200})'/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["identified"],
    pattern:
      /\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,40}\s{1,4})?(?:BY|AS)\s{1,4}(?:PASSWORD\s{1,4})?(?:["'](?<secret>[^"'\n]{4,200})["'])/gi,
    accepts: ({ secret, other }) => passwordFits({ secret: (secret ?? other)! }),
  },
  {
    kind: "password",
    keywords: ["identified"],
    pattern: /\b(?:CREATE|ALTER)\s{1,4}USER\s{1,4}\S{1,80}\s{1,4}IDENTIFIED\s{1,4}BY\s{1,4}(?<secret>[^\s"';:$&?<(]{5,60})(?=[\s;]|$)/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["password"],
    pattern: /\bPASSWORD(?:\s{1,4}\(?|\()["'](?<secret>[^"'\n]{4,200})["']/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: [":"],
    pattern: /^(?:[\w.*-]{1,200}):(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?<secret>[^\s:]{4,200})$/gm,
    accepts: passwordFits,
  },
  {
    kind: "key",
    keywords: ["define("],
    pattern:
      /\bdefine\(\s{0,4}["'](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["']\s{0,4},\s{0,20}(["'])(?<secret>[^\n]{32,120}?)\s{0,4}\1/g,
    accepts: ({ secret }) => /\d/.test(secret!) && !isPlaceholder(secret!),
  },
  {
    kind: "token",
    keywords: ["x-api-", "x-auth-", "x-access-", "x-vault-"],
    pattern: /(?<=\s|["'])X-(?:Api-Key|Auth-Token|Api-Token|Access-Token|Vault-Token):["']?(?<secret>[A-Za-z0-9._~+/-]{16,400}={0,2})/gi,
    accepts: ({ secret }) => isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "token",
    keywords: ["ac"],
    pattern: /\bAC[0-9a-f]{32}["']?\s{0,2}[,:]\s{0,2}["']?(?<secret>[0-9a-f]{32})(?![0-9a-f])/g,
  },
  {
    kind: "password",
    keywords: ["jdbc:oracle"],
    pattern: /\bjdbc:oracle:\w{2,8}:\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/g,
    accepts: passwordFits,
  },
  {
    kind: "address-token",
    keywords: ["://"],
    pattern: /:\/\/(?<secret>[0-9a-f]{40}|(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40,100})(?::x-oauth-basic)?@[\w.-]{3,100}/g,
  },
  {
    kind: "signature",
    keywords: ["signature=", "sig=", "st=", "token="],
    pattern:
      /[?&;](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|X-Oss-Signature|Signature|signature|[Ss]ig|st|hdnts|token|auth_?[Tt]oken|hmac)=(?<secret>[A-Za-z0-9_~.%+/-]{20,2000}={0,2})/g,
    accepts: (groups) => tokenFits(groups) && /\d/.test(groups["secret"]!),
  },
  {
    kind: "session",
    keywords: ["sess", "sid", "auth", "remember", "cookie", "__host-", "__secure-", "wordpress_", "li_at"],
    pattern:
      /(?:session(?:_token|_same_site|_id)?|(?<![\w-])(?:JSESSIONID(?:SSO)?|PHPSESSID|ASP\.NET_SessionId|\.ASPXAUTH|\.AspNetCore\.[\w.]{1,60}|connect\.sid|koa[.:]sess|wordpress_(?:logged_in|sec)_[0-9a-f]{32}|li_at|CFID|CFTOKEN|SSESS[0-9a-f]{32}|sid|remember_(?:me|token|web_\w{10,60})|rememberMe|auth_?(?:token|session)?|__(?:Host|Secure)-[\w.-]{2,60}))["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[A-Za-z0-9_%.+/-]{20,4000}={0,2})/gi,
    accepts: ({ secret }) =>
      isSecretValue(secret!, "token", "quoted") &&
      /\d/.test(secret!) &&
      !/^[0-9a-f]{8}-[0-9a-f]{4}-|^[A-Z]{2}[0-9a-f]{32}$|\//.test(secret!),
  },
  {
    kind: "password-hash",
    keywords: [":$", ":{s"],
    pattern:
      /^[ \t]*[\w.@-]{1,60}:(?<secret>\$(?:apr1|1|2[abxy]|5|6|7|y|gy|argon2id?|scrypt)\$[\w./$=,+-]{20,250}|\{S?SHA\d{0,3}\}[A-Za-z0-9+/]{20,120}={0,2})(?=[:\s]|$)/gm,
    accepts: () => true,
  },
  {
    kind: "recovery-code",
    keywords: ["code", "recovery"],
    pattern:
      /\b(?:recovery|backup|scratch|emergency|one-time|2fa)[ _-](?:login[ _-]|backup[ _-]|recovery[ _-])?(?:codes?|keys?)\b(?<list>[^\n]{0,160}(?:\r?\n[^\n]{0,80}){0,16})/gi,
    each: /(?:^|[\s,"'])(?<secret>(?=[a-zA-Z -]{0,20}\d)(?:[A-Za-z0-9]{4,6}(?:[- ][A-Za-z0-9]{4,6}){1,7}|\d{8}|(?=[a-z]{0,11}\d)[a-z0-9]{10,12}))(?=["']?\s{0,4}(?:,|\r|$))/gm,
    accepts: ({ secret }) => secret!.split(/[- ]/).every((part) => /\d/.test(part) || secret!.includes("-")) && !isPlaceholder(secret!),
  },
  {
    kind: "password",
    keywords: [":pserver:"],
    pattern: /:pserver:[\w.-]{1,60}:(?<secret>[^\s@"']{4,100})@/g,
    accepts: passwordFits,
  },
];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is part of the password
  }
}
