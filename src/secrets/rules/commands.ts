// Secrets in command lines and in settings that contain commands: what `-p` means depends on the program.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, passwordFits } from "./context-rule.ts";

export const commandRules: ContextRule[] = [
  {
    kind: "password",
    keywords: ["curl", "wget", "http", "xh"],
    pattern:
      /\b(?:curl|wget|http|https|xh)\b[^\n|;]{0,300}?\s(?:-u|--user|-a|--auth)[ =]{0,6}["']?(?<user>[^\s:"'$]{1,100}):(?<secret>[^\s"']{3,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["%"],
    pattern: /\s(?:-U|--user)[ =]?["']?[\w.\\/-]{1,60}%(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: [
      "sqlcmd",
      "bcp",
      "osql",
      "mosquitto_",
      "cqlsh",
      "mongo",
      "ldapadd",
      "ldapmodify",
      "ldapwhoami",
      "az login",
      "keytool",
      "influx",
      "tsql",
      "psexec",
      "winexe",
    ],
    pattern:
      /\b(?:sqlcmd|bcp|osql|mosquitto_\w{3}|cqlsh|mongo|mongosh|mongodump|ldapadd|ldapmodify|ldapwhoami|az login|keytool|influx|tsql|psexec|winexe)\b[^\n|;]{0,300}?\s(?:-P|-p|-w|-password|-storepass|-keypass)[ =]["']?(?<secret>[^\s"']{6,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["lftp"],
    pattern: /\blftp\s[^\n|;]{0,100}?-u\s{0,2}["']?[^\s,"']{1,100},(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["sqlplus", "expdp", "impdp", "sqlldr"],
    pattern: /\b(?:sqlplus|expdp|impdp|sqlldr)\s{1,4}["']?\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["redis-cli"],
    pattern: /\bredis-cli\b[^\n|;]{0,200}?\s-a\s{1,2}["']?(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["convertto-securestring"],
    pattern: /ConvertTo-SecureString\s{1,4}(?:-\w{1,12}\s{1,4}){0,3}["'](?<secret>[^"'\n]{4,200})["']/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["net"],
    pattern: /\bnet\s{1,4}user\s{1,4}[\w.-]{1,60}\s{1,4}(?!\*\s)(?<secret>[^\s/"']{4,100})(?:\s{1,4}\/add|\s*$)/gi,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["echo"],
    pattern:
      /\becho\s{1,4}["']?(?:[\w.-]{1,40}:)?(?<secret>[^\s"'|$]{6,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|docker\s{1,4}login|passwd)/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["openssl"],
    pattern: /\bopenssl\s[^\n|;]{0,200}?\s-k\s{1,2}["']?(?<secret>[^\s"']{6,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["mysqladmin", "nmcli", "wpa_passphrase"],
    pattern:
      /\b(?:mysqladmin\s[^\n]{0,100}?\spassword|nmcli\s[^\n]{0,100}?\spassword|wpa_passphrase\s{1,4}(?:"[^"\n]{1,60}"|\S{1,60}))\s{1,4}["']?(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password",
    keywords: ["freerdp", "rdesktop"],
    pattern: /\b(?:xfreerdp\d?|wlfreerdp|rdesktop)\s[^\n]{0,200}?\s(?:\/p:|-p\s{1,2})["']?(?<secret>[^\s"']{4,200})/g,
    accepts: passwordFits,
  },
  {
    kind: "password-hash",
    keywords: ["useradd", "usermod"],
    pattern: /\buser(?:add|mod)\s[^\n]{0,100}?(?:-p|--password)[ =]["']?(?<secret>\$[0-9a-z]{1,8}\$[^\s"']{20,200})/g,
    accepts: () => true,
  },
  {
    kind: "password",
    keywords: ["security ", "certutil", "signtool", "ssh-keygen", "p4 ", "az "],
    pattern:
      /\b(?:security (?:unlock|create|import|set)[\w-]{0,30}|certutil|signtool|ssh-keygen|p4|az \w{2,20}(?: \w{2,20}){0,3})\s[^\n|;]{0,200}?(?:-[pPN]|\/p|-[kK]|--password)\s{1,2}["']?(?<secret>[^\s"'-][^\s"']{5,200})/g,
    accepts: (groups) => passwordFits(groups) && !/^\d+$/.test(groups["secret"]!),
  },
  {
    kind: "password",
    keywords: ["passwd"],
    pattern:
      /\bchpasswd\s{0,4}<<<\s{0,4}["']?[\w.-]{1,40}:(?<secret>[^\s"'|$\\]{5,200})|\becho\s{1,4}(?:-\w{1,3}\s)?["']?(?<other>[^\s"'|$\\]{5,200})["'\\ ][^\n|]{0,200}\|\s{0,4}(?:sudo\s)?(?:vnc)?passwd\b/g,
    accepts: ({ secret, other }) => passwordFits({ secret: (secret ?? other)! }),
  },
  { kind: "password", keywords: ["-pass"], pattern: /-pass(?:in|out)?\s{1,2}["']?pass:(?<secret>[^\s"'`]{4,200})/g, accepts: passwordFits },
  {
    kind: "password",
    keywords: ["curl", "wget"],
    pattern:
      /\b(?:curl|wget)\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]?(?:"[^\s:"$]{1,100}:(?<secret>[^"$\n]{4,200})"|'[^\s:'$]{1,100}:(?<other>[^'$\n]{4,200})')/g,
    accepts: ({ secret, other }) => isSecretValue((secret ?? other)!.replaceAll(" ", ""), "password", "quoted"),
  },
  {
    kind: "password",
    keywords: ["net use", "net  use"],
    pattern: /\bnet\s{1,4}use\s(?:[A-Z*]:?\s{1,4})?\\\\[^\s\\]{1,80}\\\S{1,100}\s{1,4}(?![/*])["']?(?<secret>[^\s"']{4,100})/gi,
    accepts: passwordFits,
  },
];
