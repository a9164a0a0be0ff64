// Secrets in a syntax of their own: in an address before the @, after `Authorization:`, in a SQL statement, in a cookie.

import { isPlaceholder } from "../values/placeholders.ts";
import { basicPair, type ContextRule, keyRule, passwordNearName, passwordRule, rulesOf, tokenFits, tokenRule } from "./context-rule.ts";

export const statementRules: ContextRule[] = [
  passwordRule(
    "auth|credential|getconnection|login|connect|pdo",
    /(?:[Bb]asic_?[Aa]uth\w{0,12}|[Cc]redentials?|getConnection|\blogin|\bPDO|\bauth\s{0,2}=)\s{0,2}\((?:[^()"'\n]{0,80},\s{0,4})?(?:["'][^"'\n]{1,80}["'],\s{0,4}){1,3}["'](?<secret>[^"'\n\s]{6,200})["']/g,
    passwordNearName,
  ),
  passwordRule("@tcp(|@unix(|@udp(|@(|@/", /["'`][\w.-]{1,60}:(?<secret>[^\s@"'`:/]{4,200})@(?:(?:tcp|unix|udp)?\(|\/\w)/g),
  passwordRule("password", /\b(?:PASSWORD|password)\s{0,2}=\s{0,2}N'(?<secret>[^'\n]{4,200})'/g),
  rulesOf("address-password")(
    "://",
    /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/(?<name>[^\s:@[/"'`<>\\]{0,100}):(?!\d{1,5}[/?#])(?<secret>[^\s@"'`<>\\]{4,300})@(?=[\w[.${</-])/g,
    (secret, user) => secret !== user && !isPlaceholder(decoded(secret)) && !/^(?:pass|pw|pwd|p|user|x|token|secret)$/i.test(secret),
  ),
  rulesOf("basic-authorization")(
    "authorization",
    /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}Basic\s{1,4}(?<secret>[A-Za-z0-9+/_-]{8,500}={0,2})/gi,
    basicPair,
  ),
  rulesOf("basic-authorization")("basic", /\bBasic\s(?<secret>[A-Za-z0-9+/]{12,500}={0,2})(?![\w+/=])/g, basicPair),
  rulesOf("authorization")(
    "authorization",
    /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}(?:Bearer|Token token=|Token|token=|ApiKey|Api-Key|Key|GenieKey|Bot|SSWS|Splunk|OAuth|Api-Token|Klaviyo-API-Key)[\s"]{0,4}(?<secret>[A-Za-z0-9._~+/-]{8,3000}={0,2})/gi,
    tokenFits,
  ),
  rulesOf("authorization")(
    "bearer",
    /\bBearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,3000}={0,2})/g,
    (secret) => /\d/.test(secret) && tokenFits(secret),
  ),
  rulesOf("authorization")(
    "authorization",
    /(?<![\w-])authorization["'`]?\s{0,4}:\s{0,4}["'`]?(?<secret>[A-Za-z0-9._~+/-]{20,3000}={0,2})(?=["'`\s]|$)/gi,
    (secret) => /\d/.test(secret) && tokenFits(secret),
  ),
  rulesOf("seed-phrase")(
    "mnemonic|seed|recovery",
    /(?:mnemonic|seed|recovery)(?:[ _-]?(?:phrase|words|key))?["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/gi,
  ),
  rulesOf("query-key")(
    "?|&",
    /[?&](?:key|appid|app_id|hapikey|code|auth|subscription-key|access_key|k)=(?<secret>[A-Za-z0-9_/+-]{24,200}={0,2})(?=["'`\s&)<]|$)/g,
    (secret) => tokenFits(secret) && /\d.*\d/.test(secret),
  ),
  passwordRule("sp_addlogin", /\bsp_addlogin\s{1,4}N?'[^']{1,100}',\s{0,4}N?'(?<secret>[^'\n]{4,200})'/gi),
  passwordRule(
    "identified",
    /\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,40}\s{1,4})?(?:BY|AS)\s{1,4}(?:PASSWORD\s{1,4})?(?:["'](?<secret>[^"'\n]{4,200})["'])/gi,
  ),
  passwordRule(
    "identified",
    /\b(?:CREATE|ALTER)\s{1,4}USER\s{1,4}\S{1,80}\s{1,4}IDENTIFIED\s{1,4}BY\s{1,4}(?<secret>[^\s"';:$&?<(]{5,60})(?=[\s;]|$)/gi,
  ),
  passwordRule("password", /\bPASSWORD(?:\s{1,4}\(?|\()["'](?<secret>[^"'\n]{4,200})["']/g),
  passwordRule(":", /^(?:[\w.*-]{1,200}):(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?<secret>[^\s:]{4,200})$/gm),
  keyRule(
    "define(",
    /\bdefine\(\s{0,4}["'](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["']\s{0,4},\s{0,20}(["'])(?<secret>[^\n]{32,120}?)\s{0,4}\1/g,
    (secret) => /\d/.test(secret) && !isPlaceholder(secret),
  ),
  tokenRule(
    "x-api-|x-auth-|x-access-|x-vault-",
    /(?<=\s|["'])X-(?:Api-Key|Auth-Token|Api-Token|Access-Token|Vault-Token):["']?(?<secret>[A-Za-z0-9._~+/-]{16,400}={0,2})/gi,
    tokenFits,
  ),
  rulesOf("token")("ac", /\bAC[0-9a-f]{32}["']?\s{0,2}[,:]\s{0,2}["']?(?<secret>[0-9a-f]{32})(?![0-9a-f])/g),
  passwordRule("jdbc:oracle", /\bjdbc:oracle:\w{2,8}:\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/g),
  rulesOf("address-token")("://", /:\/\/(?<secret>[0-9a-f]{40}|(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40,100})(?::x-oauth-basic)?@[\w.-]{3,100}/g),
  rulesOf("signature")(
    "signature=|sig=|st=|token=",
    /[?&;](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|X-Oss-Signature|Signature|signature|[Ss]ig|st|hdnts|token|auth_?[Tt]oken|hmac)=(?<secret>[A-Za-z0-9_~.%+/-]{20,2000}={0,2})/g,
    (secret) => tokenFits(secret) && /\d/.test(secret),
  ),
  rulesOf("session")(
    "sess|sid|auth|remember|cookie|__host-|__secure-|wordpress_|li_at",
    /(?:session(?:_token|_same_site|_id)?|(?<![\w-])(?:JSESSIONID(?:SSO)?|PHPSESSID|ASP\.NET_SessionId|\.ASPXAUTH|\.AspNetCore\.[\w.]{1,60}|connect\.sid|koa[.:]sess|wordpress_(?:logged_in|sec)_[0-9a-f]{32}|li_at|CFID|CFTOKEN|SSESS[0-9a-f]{32}|sid|remember_(?:me|token|web_\w{10,60})|rememberMe|auth_?(?:token|session)?|__(?:Host|Secure)-[\w.-]{2,60}))["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[A-Za-z0-9_%.+/-]{20,4000}={0,2})/gi,
    (secret) => tokenFits(secret) && /\d/.test(secret) && !/^[0-9a-f]{8}-[0-9a-f]{4}-|^[A-Z]{2}[0-9a-f]{32}$|\//.test(secret),
  ),
  rulesOf("password-hash")(
    ":$|:{s",
    /^[ \t]*[\w.@-]{1,60}:(?<secret>\$(?:apr1|1|2[abxy]|5|6|7|y|gy|argon2id?|scrypt)\$[\w./$=,+-]{20,250}|\{S?SHA\d{0,3}\}[A-Za-z0-9+/]{20,120}={0,2})(?=[:\s]|$)/gm,
    () => true,
  ),
  {
    ...rulesOf("recovery-code")(
      "code|recovery",
      /\b(?:recovery|backup|scratch|emergency|one-time|2fa)[ _-](?:login[ _-]|backup[ _-]|recovery[ _-])?(?:codes?|keys?)\b(?<list>[^\n]{0,160}(?:\r?\n[^\n]{0,80}){0,16})/gi,
      (secret) => secret.split(/[- ]/).every((part) => /\d/.test(part) || secret.includes("-")) && !isPlaceholder(secret),
    ),
    each: /(?:^|[\s,"'])(?<secret>(?=[a-zA-Z -]{0,20}\d)(?:[A-Za-z0-9]{4,6}(?:[- ][A-Za-z0-9]{4,6}){1,7}|\d{8}|(?=[a-z]{0,11}\d)[a-z0-9]{10,12}))(?=["']?\s{0,4}(?:,|\r|$))/gm,
  },
  passwordRule(":pserver:", /:pserver:[\w.-]{1,60}:(?<secret>[^\s@"']{4,100})@/g),
];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is part of the password
  }
}
