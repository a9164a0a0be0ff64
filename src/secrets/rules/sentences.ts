// Passwords and tokens in prose: in a sentence of some language, in a note, or in the startup output of a server.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, passwordFits, passwordNearName, passwordRule, tokenFits, tokenRule } from "./context-rule.ts";

/** Words for passwords in several languages. Nobody writes all of them in lower case. */
const nouns =
  "[Pp]ass ?[Ww]or[dt]|PASSWORD|[Pp]asswd|[Pp]assphrase|[Pp]ass ?code|[Pp]asswort|[Kk]ennwort|[Mm]ot de passe|[Mm]dp|MDP|[Cc]ontrase(?:ñ|n)a|[Cc]lave|[Ss]enha|[Ww]achtwoord|[Hh]asło|[Hh]eslo|[Pp]arola(?: d.ordine)?|[Ll]ösenord|[Aa]dgangskode|[Kk]odeord|[Pp]assord|[Ss]alasana|[Jj]elszó|[Пп]ароль|[Şş]ifre|密码|密碼|口令|パスワード|비밀번호|[Pp]wd|[Pp]w|PW|[Cc]reds?|[Zz]ugangsdaten|[Pp]ass";
const keys = String.raw`[Tt]oken|[Ss]ecret(?: key)?|[Aa](?:pi|PI)[ -][Kk]ey|[Aa]ccess key|(?:[Uu]nseal|[Rr]ecovery) [Kk]ey(?: \d{1,2})?|[Ss]chlüssel|[Cc]lé(?: API)?`;

/** What may be between the word and the value: whose it is, and a verb. */
const owner = String.raw`(?:[ -](?:for|of|to|on|für|de|del|du|di|da|voor|auf|pour|para|des|la|le|the|user|zum|vom)(?: [\w.@/'-]{1,40}){1,6}?)?(?: \([^()\n]{1,80}\))?`;
const says = String.raw`(?: ?\**(?::|：|=|→|->|=>)\**| (?:is|ist|lautet|est|es|è|é|to|has been set to|was set to|was reset to|set to|being|will be)(?: now| jetzt| ab sofort)?:?)`;
const marks = String.raw`(?:\*\*|__|["'\x60«“„‘])?`;
const value = String.raw`(?<secret>[^\s"'\x60,;<>(){}[\]|“”„‘’»«]{6,200})`;
const after = String.raw`(?=\*\*|["'\x60\s,.;)!”“’»]|$)`;

const nounKeywords =
  "pass|pw|kennwort|mdp|contrase|clave|senha|wachtwoord|has|heslo|parola|senord|kode|salasana|jelsz|пароль|şifre|密|口令|パスワード|비밀번호|cred|zugang";

export const sentenceRules: ContextRule[] = [
  passwordRule(
    "pass|token|secret|api",
    /(?<![\w:/.-])(?:password|passwd|passphrase|pass ?code|token|secret|api[ -]key)(?: (?:for|of|to|on)(?: [\w.@-]{1,30}){1,4})?(?: ?[:=] ?| is:? )["'`]?(?<secret>[^\s"'`,;<>(){}[\]|]{8,200})(?=["'`\s.,;]|$)/gi,
    (secret) =>
      /\d.*\d|\d.*[!@#$%^&*]|[!@#$%^&*].*\d/.test(secret) &&
      !described.test(trimmed(secret)) &&
      isSecretValue(secret.replace(/[.,]$/, ""), "password", "near name"),
  ),
  passwordRule(
    "login|benutzer|user|zugang|passwor|account",
    /(?:\b(?:[Ll]ogin|[Uu]ser(?:name)?|[Bb]enutzer|[Zz]ugang|[Aa]ccount)(?: ?: ?| )["'`]?[\w.@-]{2,60}["'`]? ?\/ ?|\b[Pp]asswor[dt] )["'`]?(?<secret>(?=[^\s]{0,40}\d)(?=[^\s]{0,40}[A-Za-z])[^\s"'`,;<>(){}[\]|$/:=]{4,40}[!#?*+%&@][^\s"'`,;<>(){}[\]|$/:=]{0,40}|[^\s"'`,;<>(){}[\]|$/:=]{0,20}[!#?*+%&@][A-Za-z0-9]{4,30})(?=["'`.]?(?:\s|$))/g,
  ),
  passwordRule(
    "pass|pw|kennwort|contrase|senha|wachtwoord",
    /(?<![\w$.-])(?:[Pp]ass(?:word|wd|wort|phrase)?|PASSWORD|[Pp]w|PW|[Pp]wd|[Kk]ennwort|[Mm]ot de passe|[Cc]ontraseña|[Ss]enha|[Ww]achtwoord)(?: ?: {1,3}| (?:is|ist|lautet|=) )["'`]?(?<secret>[A-Z][a-z]{3,30}[-_.!#+]?\d{1,6}[!#?+*]?|[^\s"'`,;<>(){}[\]|$]{3,40}[!#?*+%&][^\s"'`,;<>(){}[\]|$]{0,40})(?=["'`.]?(?:\s|$))/g,
    (secret) => /\d|[!#?*+%&]$/.test(secret) && /[A-Za-z]{3}/.test(secret) && passwordFits(secret.replace(/[.,]$/, "")),
  ),
  passwordRule(
    nounKeywords,
    new RegExp(String.raw`(?<![\w$./-])(?:[\w-]{1,20}-)?(?:${nouns})${owner}${says}\s{1,3}${marks}${value}${after}`, "g"),
    saidFits,
  ),
  // without a space after the colon
  passwordRule(
    "密|口令|パスワード|비밀번호|пароль|\uFF1A",
    new RegExp(String.raw`(?:密码|密碼|口令|パスワード|비밀번호|[Пп]ароль)\s{0,2}(?:[:：=]|は|是|为)\s{0,2}${marks}${value}`, "g"),
    saidFits,
  ),
  tokenRule(
    "token|secret|key|schlüssel|clé",
    new RegExp(String.raw`(?<![\w$./-])(?:${keys})${owner}${says}\s{1,3}${marks}${value}${after}`, "g"),
    (secret) => isSecretValue(trimmed(secret), "token", "near name"),
  ),
  tokenRule(
    "the key|this key|this token|the token|the secret",
    /\b(?:[Hh]ere(?:'s| is)|[Uu]se|[Tt]ry|[Tt]ake|[Aa]dd)\s(?:the|this|my|our)\s(?:new\s)?(?:key|token|secret|password)\s?[:=]\s{0,2}["'`]?(?<secret>[^\s"'`]{8,200})/g,
    saidFits,
  ),
  // what a server prints after generating one
  passwordRule(
    "password|new value",
    /(?:(?:[Gg]enerated|[Tt]emporary|[Ii]nitial|[Ff]ollowing|[Nn]ew)[^\n:]{0,40}\bpassword\b[^\n:=]{0,80}|\bPassword for the [\w-]{1,30} user[^\n:]{0,100}|^New value|^PASSWORD [\w-]{1,30} )(?: ?[:=] ?)?\s{1,4}["'`]?(?<secret>[^\s"'`]{8,100})(?=["'`.]?(?:\s|$))/gm,
    saidFits,
  ),
  // a user and a password: `admin / x`, `admin:x`, `(pw x)`
  passwordRule(
    "login|user|cred|zugang|pass|benutzer|try |log in|pw ",
    /(?:\b(?!\w{2,12}:\w{2,20}:)(?:[Ll]og(?:in| in)|[Uu]ser(?:name)?|[Cc]red(?:ential)?s|[Zz]ugang(?:sdaten)?|[Bb]enutzer|[Tt]ry|[Uu]ser\/pass(?:word)?|[Ll]ogin\/[Pp]ass(?:word)?)(?: ?: ?| (?:with |using |as )?)["'`]?[\w.@-]{2,60}["'`]?(?: ?[/:] ?| (?:and|und|et|y|with|mit) )["'`]?|\((?:pw|pass|password):? )(?<secret>[^\s"'`,;<>(){}[\]|]{8,60})(?=["'`.),]?(?:\s|$|[),]))/g,
    saidFits,
  ),
];

function trimmed(secret: string): string {
  return secret.replace(/[.,!?:*]+$/, "");
}

/** `base64url-encoded`: a description of a value, not the value. */
const described = /-(?:[a-z]+ed|based|bits?|bytes?|only|free|safe|style|like|stellig\w{0,2})$/;

/** In a sentence ordinary words are ignored: the value must mix letters with digits or punctuation, or change case inside. */
function saidFits(secret: string): boolean {
  const said = trimmed(secret);
  if (described.test(said)) return false;
  return (
    passwordNearName(said) ||
    (said.length >= 10 && /\d/.test(said) && /[a-z]/.test(said) && /[A-Z]/.test(said.slice(1)) && /^\w+$/.test(said) && tokenFits(said))
  );
}
