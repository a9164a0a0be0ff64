// Secrets in the settings of routers, name servers and other devices that are configured line by line.
import { type ContextRule, passwordFits, passwordRule, secretRule, tokenFits } from "./context-rule.ts";

export const deviceRules: ContextRule[] = [
  passwordRule(
    "enable |username ",
    /^[ \t]*(?:enable|username\s{1,2}\S{1,60}(?:\s{1,2}privilege\s{1,2}\d{1,2})?)\s{1,2}(?:secret|password)(?:\s{1,2}level\s{1,2}\d{1,2})?(?:\s{1,2}\d)?\s{1,2}(?<secret>[^\s"'=:]{4,200})[ \t]*\r?$/gm,
    configuredFits,
  ),
  passwordRule(
    "community",
    /\b(?:snmp-server\s{1,2}community|r[ow]community6?|com2sec\s{1,4}\S{1,40}\s{1,4}\S{1,40})\s{1,4}(?<secret>[^\s"']{4,80})/g,
  ),
  passwordRule(
    "tacacs|radius|ppp |ospf|key-string|isakmp|pre-shared|neighbor |-password",
    /^[ \t]*(?:(?:tacacs|radius)(?:-server)?(?:\s{1,2}(?:host|server)\s{1,2}\S{1,60})?\s{1,2}key|ppp\s{1,2}(?:chap|pap)\s[^\n]{0,60}?password|ip\s{1,2}ospf\s{1,2}(?:authentication-key|message-digest-key\s{1,2}\d{1,3}\s{1,2}md5)|key-string|neighbor\s{1,2}\S{1,60}\s{1,2}password|(?:crypto isakmp key)|set\s[^\n]{0,120}?(?:pre-shared-(?:key|secret)(?:\s{1,2}ascii-text)?|plain-text-password|encrypted-password))(?:\s{1,2}[05678])?\s{1,2}["']?(?<secret>[^\s"']{4,200})/gm,
    configuredFits,
  ),
  passwordRule(" on >|setuser ", /\b(?:SETUSER|user)\s{1,2}\S{1,60}\s(?:[^\n]{0,60}\s)?>(?<secret>[^\s"'>]{4,200})/gi),
  passwordRule(
    `" *|" '*|"\t*`,
    /^[ \t]*"?[\w.@-]{1,60}"?[ \t]{1,8}(?:\*|"\*"|[\w.-]{1,40})[ \t]{1,8}"(?<secret>[^"\s]{4,100})"[ \t]{1,8}\*[ \t]*\r?$/gm,
  ),
  secretRule("secret", /\bsecret\s{1,4}"(?<secret>[A-Za-z0-9+/]{16,200}={0,2})"\s{0,2};/g, tokenFits),
];

/** Routers store passwords in plain text, or in forms that can be reversed or guessed. */
function configuredFits(secret: string): boolean {
  return passwordFits(secret) || /^\$\d\$|^[0-9A-F]{12,}$/.test(secret);
}
