// Secrets assigned to a name: `password = "…"` in programs, configurations, headers, command lines, XML and addresses.

import { type Before, bareValues, definedBefore, grammarOf, isOption, type Value } from "./bare-values.ts";
import { type ExpressionText, textsOf } from "./expressions.ts";
import { literalAt, readSticky } from "./literals.ts";
import { mayNameSecrets, type SecretName, secretName } from "./names.ts";
import { isPlaceholder } from "./placeholders.ts";
import { isSecretValue } from "./values.ts";

export type Found = { kind: string; start: number; end: number };

/** Values of names that announce a secret. Patterns have bounded repeats only: a megabyte takes a fraction of a second. */
export function findAssignments(text: string, path?: string): Found[] {
  if (!mayNameSecrets(text)) return [];
  const grammar = path === undefined ? undefined : grammarOf(path);
  const locks = (path !== undefined && lockFile.test(path)) || /CHECKSUMS:/.test(text);
  const found: Found[] = [];
  assigned.lastIndex = 0;
  for (let match = assigned.exec(text); match; match = assigned.exec(text)) {
    const [whole, name = "", sign = ""] = match;
    const nameEnd = match.index + name.length;
    const kind = secretName(spacedName(name, text, match.index));
    assigned.lastIndex = nameEnd; // the text taken for the type of this name may be the next name
    if (!kind) continue;
    const quotedName = /["'`]/.test(text[nameEnd] ?? "");
    if (quotedName && endsSentence.test(text.slice(Math.max(0, match.index - 60), match.index))) continue;
    for (const value of valuesAt(text, match.index + whole.length, { sign, name, grammar, quotedName, nameAt: match.index })) {
      const written = text.slice(value.start, value.end);
      if (!isSecretValue(written, kind, value.context) || sameAsName(name, written) || isRowId(name, written)) continue;
      if (locks && checksum.test(written)) continue;
      found.push({ kind: kindOf(name, kind), start: value.start, end: value.end });
      assigned.lastIndex = value.end;
    }
  }
  return found;
}

/** Lock files list packages with checksums, and a package may be named after a secret. */
const lockFile =
  /(?:\.lock|[-.]lock\.(?:json|ya?ml|hcl)|\.lockfile|\.sum|sums?(?:\.txt)?|\.resolved|shrinkwrap\.json|-lock|checksums?\.\w{2,5})$/i;
const checksum = /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{32,128}|[A-Za-z0-9+/]{43,88}={0,2})$/;

/** `api key: …` is written as two words. */
function spacedName(name: string, text: string, at: number): string {
  if (!/^key$/i.test(name)) return name.replace(/\.(?:equals(?:IgnoreCase)?|Equals|compareTo|default|value)$/, "");
  const [, before = ""] = /([A-Za-z]{2,12}) $/.exec(text.slice(Math.max(0, at - 13), at)) ?? [];
  return `${before} ${name}`;
}

/**
 * A name, its closing quote or bracket, and what assigns the value: `=`, `:`, `=>`, `:=`, `??`, possibly with a type in between, an opening
 * bracket or a comma before a string, a tag, an attribute `value=`, or a space after an option.
 */
const assigned = new RegExp(
  [
    String.raw`(?<![\w$-])(-{0,2}[A-Za-z_$][\w.$-]{1,80})`,
    String.raw`(?:\\?["'\x60]|&quot;)?[\]}]?(?:\[\d{0,4}\])?\??!?`,
    "(",
    [
      String.raw`[ \t]{0,20}(?::[ \t]{0,4}[&\w.<>'[\]?| ]{1,40}?[ \t]{0,4})?(?:=>|::?=|\?=|\|\|=|\?\?=|\+=|<-|={1,3})[ \t]{0,20}`,
      String.raw`[ \t]{1,4}(?:string|String|str|[Aa]s [Ss]tring|N?(?:VAR)?CHAR2?\(\w{1,4}\)|\{ ?get; ?(?:private |protected )?(?:set|init); ?\})[ \t]{0,4}=[ \t]{0,4}`,
      String.raw`[ \t]{0,2}\{[ \t]{0,2}(?=")`,
      String.raw`(?: [\w:]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t]{0,2}>\s{0,20}<[vV]alue>`,
      String.raw`(?: [\w:]{1,30}="[^"<>\n]{0,80}"){1,3}>(?=[^<>\s]{4,300}<\/)`,
      String.raw`[ \t]{0,4},[ \t]{0,4}["']?[Vv]alue["']?[ \t]{0,2}[:=][ \t]{0,2}(?=["'])`,
      String.raw`[ \t]{0,20}:-?[ \t]{0,20}`,
      String.raw`[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{0,4}\([ \t]{0,4}(?=(?:Some\()?["'\x60])`,
      String.raw`[ \t]{0,4},[ \t]{0,20}(?=(?:<<)?["'\x60])`,
      String.raw`[ \t]{0,4}\)[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{1,4}value[ \t]{0,4}=[ \t]{0,4}(?=["'])`,
      String.raw`\r?\n[ \t]{0,40}value:[ \t]{1,8}`,
      String.raw`[ \t]{0,2}>(?:(?=<!\[CDATA\[)|\s{0,40}(?=[^<>\s]{4,300}\s{0,40}<\/))`,
      String.raw`[ \t]{1,20}`,
    ].join("|"),
    ")",
  ].join(""),
  "g",
);

/** The first value is the assigned one, unless an expression only derives the value from the strings in it. */
function valuesAt(text: string, at: number, before: Before): Value[] {
  const anchor = /:[ \t]*$/.test(before.sign) ? readSticky(yamlMarks, text, at) : null;
  const from = at + (anchor?.[0].length ?? 0);
  const gives = assigning.test(before.sign);
  const direct = literalAt(text, from);
  const texts: ExpressionText[] = gives ? textsOf(text, from) : direct ? [{ ...direct, role: "value" }] : [];
  if (texts[0]?.role !== "value") return [...bareValues(text, from, before), ...givenBy(texts, before.name)];
  const [{ start, end, mark }, ...others] = texts as [ExpressionText, ...ExpressionText[]];
  if (mark === "`" && /\s/.test(text.slice(start, end))) return []; // a shell runs the text in backquotes
  // after a bracket, a comma or a space, a string counts only if it cannot be an ordinary word
  if (!givesText(text, before)) return [];
  if (isSetter(text, before)) return [{ start, end, context: "quoted" }];
  const blank = /^[ \t]+$/.test(before.sign) && !isOption(before.name) && !definedBefore(text, before.nameAt);
  const loose = blank || (/^[ \t]*[(,]/.test(before.sign) && !/value/i.test(before.sign));
  return [{ start, end, context: loose ? "near name" : "quoted" }, ...givenBy(others, before.name)];
}

/**
 * Later strings of an expression: a secret if a call derives the value from one, else only if it cannot be an ordinary word. A map has many
 * values.
 */
function givenBy(texts: ExpressionText[], name: string): Value[] {
  if (/auth\d?$/i.test(name)) return []; // a pair, of which only the second is a secret
  return texts
    .filter(({ role }) => role !== "mapped" || /(?:keys|tokens|secrets|passwords|users|credentials|accounts)$/i.test(name))
    .map(({ start, end, role }) => ({ start, end, context: role === "made" ? "quoted" : "near name" }));
}

/** The preceding text is prose, so its last word is not the name of a setting. */
const endsSentence = /["'`][^"'`\n]*[,.!?;][^"'`\n]* $/;

/** Operators that are followed by a whole expression. */
const assigning = /[=:]|<-|\|\||\?\?/;

/** `&name` and `!!str` before a YAML value. */
const yamlMarks = /(?:(?:&[\w-]{1,40}|!!(?:str|binary)|!unsafe)[ \t]{1,4}){1,2}/y;

/** `Pass "x"` is a sentence, `getToken("x")` is a query, and in a list of strings only the first can name the second. */
function givesText(text: string, { sign, name, nameAt }: Before): boolean {
  if (/^[ \t]+$|or/.test(sign)) return isOption(name) || !/^(?:pass|auth|secret|token|tokens)$/i.test(name) || text[nameAt - 1] === ":";
  if (/^[ \t]*\(/.test(sign))
    return (
      !askers.test(name) && !(/(?:^|\.)(?:auth|credentials?)$/i.test(name) && pair.test(text.slice(nameAt + name.length, nameAt + 300)))
    );
  return (
    !/^[ \t]*,/.test(sign) ||
    /value/i.test(sign) ||
    /\([ \t]{0,2}["'`]$|-define\($|\{$|put_env\(:\w{1,20}, :$/.test(text.slice(Math.max(0, nameAt - 40), nameAt)) ||
    name.startsWith("CURLOPT_")
  );
}

/** `setPassword("x")`, `.password("x")`, `define("PASSWORD", "x")`, `getenv("PASSWORD", "x")`: the string can only be the value. */
function isSetter(text: string, { sign, name, nameAt }: Before): boolean {
  if (/^[ \t]*\(/.test(sign)) return /(?:^|\.)(?:set|with)[A-Z]\w*$/.test(name) || /\.\w+$/.test(name) || text[nameAt - 1] === ".";
  return /^[ \t]*,/.test(sign) && settingCalls.test(text.slice(Math.max(0, nameAt - 40), nameAt));
}

const settingCalls =
  /(?:\bdefine|ini_set|[sg]etenv|environ\.get|\benv|\bENV\.fetch|[sg]et_?[Pp]roperty|setItem|setdefault|(?:conf|config|props|properties|settings|params|options|prefs)\w{0,12}\.(?:set|put|get))[ \t]{0,2}\([ \t]{0,2}["'`]$/i;

/** A user name before a password. */
const pair = /^\s{0,4}\(\s{0,4}["'][^"'\n]{1,120}["'],\s{0,4}["']/;

const askers =
  /(?:^|[.\W])_?(?:get|encode|decode|parse|check|verify|validate|encrypt|decrypt|hash|is|has|use|find|assert|expect|mask|redact|strip|log|print|revoke|refresh|compare|read|load|fetch|require|remove|delete|describe|it|test)(?:$|[A-Z_])/;

function sameAsName(name: string, value: string): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return bare(name).endsWith(bare(value)) && !isPlaceholder(value) ? bare(value).length > 0 : false;
}

/** The key of a table row or a record. */
function isRowId(name: string, value: string): boolean {
  return /^(?:primary|secondary)[_-]?key$/i.test(name) && /^(?:[0-9a-f-]{36}|[\w-]{1,24})$/i.test(value);
}

function kindOf(name: string, kind: SecretName): string {
  if (kind === "password") return "password";
  if (kind === "phrase") return "secret";
  return /token|jwt|bearer|\bpat\b/i.test(name) ? "token" : /key/i.test(name) ? "key" : "secret";
}
