// Passwords on a program's input: through a pipe, after `<<<`, or typed by a script that waits for the prompt.
import { type ContextRule, passwordFits, passwordRule } from "./context-rule.ts";

/** Programs that read a password or a token from their input. */
const readers = [
  "--?password-stdin|--passphrase-fd|--pass-stdin|--with-token|--stdin|--data-file=-|--from-stdin|--token-stdin",
  String.raw`sudo\s{1,4}(?:-\w{1,10}\s{1,4})*-\w?S|chpasswd|vncpasswd|(?<![\w./-])passwd|kinit|cryptsetup|kadmin|smbpasswd|saslpasswd2|gnome-keyring-daemon|lpass login|ssh-add`,
  String.raw`(?:secrets?|env|variables?)\s{1,4}(?:put|set|add|create|import)|secret:put|secrets\s{1,4}versions\s{1,4}add|pass\s{1,4}insert|login`,
].join("|");

const given = String.raw`(?:\\?"(?<secret>[^"\n\\$]{4,300})|\\?'(?<other>[^'\n\\]{4,300})|(?<bare>[^\s"'|$\\<>;&]{4,300}))`;

export const inputRules: ContextRule[] = [
  passwordRule(
    "echo|printf",
    new RegExp(
      String.raw`\b(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?(?:["']?%s(?:\\n)?["']?\s{1,4})?(?!["']?[\w.-]{1,40}:)${given}(?:\\n[^"'\n|]{0,100})?\\?["']?\s{0,4}\|[^\n|]{0,80}?(?:${readers})`,
      "g",
    ),
    typedFits,
  ),
  passwordRule(
    "<<<",
    new RegExp(String.raw`(?:${readers}|configure)[^\n|;<]{0,100}?<<<\s{0,4}(?!["']?[\w.-]{1,40}:)${given}`, "g"),
    typedFits,
  ),
  passwordRule(
    "<(",
    new RegExp(String.raw`<\(\s{0,2}(?:echo|printf)\s{1,4}(?:-n\s{1,4})?(?:["']?%s["']?\s{1,4})?${given}["']?\s{0,2}\)`, "g"),
    typedFits,
  ),
  passwordRule(
    "expect|assword|assphrase",
    /[Pp]?ass(?:word|phrase)[^\n]{0,20}?(?:["'}]|\$)[^\n]{0,20}?\n?[^\n"']{0,40}?\bsend(?:line|_user|text)?\b[ (]{1,3}(?:-- )?["'](?<secret>[^"'\n\\$]{4,200})(?:\\[rn])?["']/g,
    typedFits,
  ),
  // an FTP or mail session: the user, and then the password
  passwordRule(
    "user |pass ",
    /^[ \t]*(?:quote )?(?:user[ \t]{1,4}[\w.@-]{1,60}[ \t]{1,4}|(?:USER|user)[ \t]{1,4}[\w.@-]{1,60}\r?\n[ \t]*(?:quote )?(?:PASS|pass)[ \t]{1,4})(?<secret>[^\s"']{4,100})[ \t]*\r?$/gm,
    (secret) => typedFits(secret) && /\d|[!#%^&*+]/.test(secret),
  ),
];

function typedFits(secret: string): boolean {
  return !secret.includes(" ") && passwordFits(secret);
}
