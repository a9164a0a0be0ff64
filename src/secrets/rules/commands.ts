// Secrets in command lines and in settings that contain commands: what `-p` means depends on the program.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, passwordFits, passwordRule, rulesOf } from "./context-rule.ts";

export const commandRules: ContextRule[] = [
  passwordRule(
    "curl|wget|http|xh",
    /\b(?:curl|wget|http|https|xh)\b[^\n|;]{0,300}?\s(?:-u|--user|-a|--auth)[ =]{0,6}["']?(?<user>[^\s:"'$]{1,100}):(?<secret>[^\s"']{3,200})/g,
  ),
  passwordRule("%", /\s(?:-U|--user)[ =]?["']?[\w.\\/-]{1,60}%(?<secret>[^\s"']{4,200})/g),
  passwordRule(
    "sqlcmd|bcp|osql|mosquitto_|cqlsh|mongo|ldapadd|ldapmodify|ldapwhoami|az login|keytool|influx|tsql|psexec|winexe",
    /\b(?:sqlcmd|bcp|osql|mosquitto_\w{3}|cqlsh|mongo|mongosh|mongodump|ldapadd|ldapmodify|ldapwhoami|az login|keytool|influx|tsql|psexec|winexe)\b[^\n|;]{0,300}?\s(?:-P|-p|-w|-password|-storepass|-keypass)[ =]["']?(?<secret>[^\s"']{6,200})/g,
  ),
  passwordRule("lftp", /\blftp\s[^\n|;]{0,100}?-u\s{0,2}["']?[^\s,"']{1,100},(?<secret>[^\s"']{4,200})/g),
  passwordRule("sqlplus|expdp|impdp|sqlldr", /\b(?:sqlplus|expdp|impdp|sqlldr)\s{1,4}["']?\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/gi),
  passwordRule("redis-cli", /\bredis-cli\b[^\n|;]{0,200}?\s-a\s{1,2}["']?(?<secret>[^\s"']{4,200})/g),
  passwordRule("convertto-securestring", /ConvertTo-SecureString\s{1,4}(?:-\w{1,12}\s{1,4}){0,3}["'](?<secret>[^"'\n]{4,200})["']/gi),
  passwordRule("net", /\bnet\s{1,4}user\s{1,4}[\w.-]{1,60}\s{1,4}(?!\*\s)(?<secret>[^\s/"']{4,100})(?:\s{1,4}\/add|\s*$)/gi),
  passwordRule(
    "echo",
    /\becho\s{1,4}["']?(?:[\w.-]{1,40}:)?(?<secret>[^\s"'|$]{6,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|docker\s{1,4}login|passwd)/g,
  ),
  passwordRule("openssl", /\bopenssl\s[^\n|;]{0,200}?\s-k\s{1,2}["']?(?<secret>[^\s"']{6,200})/g),
  passwordRule(
    "mysqladmin|nmcli|wpa_passphrase",
    /\b(?:mysqladmin\s[^\n]{0,100}?\spassword|nmcli\s[^\n]{0,100}?\spassword|wpa_passphrase\s{1,4}(?:"[^"\n]{1,60}"|\S{1,60}))\s{1,4}["']?(?<secret>[^\s"']{4,200})/g,
  ),
  passwordRule(
    "freerdp|rdesktop",
    /\b(?:xfreerdp\d?|wlfreerdp|rdesktop)\s[^\n]{0,200}?\s(?:\/p:|-p\s{1,2})["']?(?<secret>[^\s"']{4,200})/g,
  ),
  rulesOf("password-hash")(
    "useradd|usermod",
    /\buser(?:add|mod)\s[^\n]{0,100}?(?:-p|--password)[ =]["']?(?<secret>\$[0-9a-z]{1,8}\$[^\s"']{20,200})/g,
    () => true,
  ),
  passwordRule(
    "security |certutil|signtool|ssh-keygen|p4 |az ",
    /\b(?:security (?:unlock|create|import|set)[\w-]{0,30}|certutil|signtool|ssh-keygen|p4|az \w{2,20}(?: \w{2,20}){0,3})\s[^\n|;]{0,200}?(?:-[pPN]|\/p|-[kK]|--password)\s{1,2}["']?(?<secret>[^\s"'-][^\s"']{5,200})/g,
    (secret) => passwordFits(secret) && !/^\d+$/.test(secret),
  ),
  passwordRule(
    "passwd",
    /\bchpasswd\s{0,4}<<<\s{0,4}["']?[\w.-]{1,40}:(?<secret>[^\s"'|$\\]{5,200})|\becho\s{1,4}(?:-\w{1,3}\s)?["']?(?<other>[^\s"'|$\\]{5,200})["'\\ ][^\n|]{0,200}\|\s{0,4}(?:sudo\s)?(?:vnc)?passwd\b/g,
  ),
  passwordRule("-pass", /-pass(?:in|out)?\s{1,2}["']?pass:(?<secret>[^\s"'`]{4,200})/g),
  passwordRule(
    "curl|wget",
    /\b(?:curl|wget)\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]?(?:"[^\s:"$]{1,100}:(?<secret>[^"$\n]{4,200})"|'[^\s:'$]{1,100}:(?<other>[^'$\n]{4,200})')/g,
    (secret) => isSecretValue(secret.replaceAll(" ", ""), "password", "quoted"),
  ),
  passwordRule(
    "net use|net  use",
    /\bnet\s{1,4}use\s(?:[A-Z*]:?\s{1,4})?\\\\[^\s\\]{1,80}\\\S{1,100}\s{1,4}(?![/*])["']?(?<secret>[^\s"']{4,100})/gi,
  ),
];
