// Secrets by the name they are given: `password = "…"` in programs, configurations, headers, command lines, XML and addresses.
import { isPlaceholder } from "./placeholders.ts";
import { mayNameSecrets, type SecretName, secretName } from "./secret-names.ts";
import { isSecretValue, type Standing } from "./secret-values.ts";

export type Found = { kind: string; start: number; end: number };

/** How a file of that name writes its values. Undefined: either way. */
type Grammar = "program" | "configuration" | undefined;

/** Values of names that say what they are. Bounded repeats only: a megabyte takes a fraction of a second. */
export function findAssignments(text: string, path?: string): Found[] {
  if (!mayNameSecrets(text)) return [];
  const grammar = path === undefined ? undefined : grammarOf(path);
  const found: Found[] = [];
  assigned.lastIndex = 0;
  for (let match = assigned.exec(text); match; match = assigned.exec(text)) {
    const [whole, name = "", sign = ""] = match;
    const nameEnd = match.index + name.length;
    const kind = secretName(spacedName(name, text, match.index));
    assigned.lastIndex = nameEnd; // what looks like this name's type may be the next name
    if (!kind) continue;
    const quotedName = /["'`]/.test(text[nameEnd] ?? "");
    const value = valueAt(text, match.index + whole.length, { sign, name, grammar, quotedName, nameAt: match.index });
    if (!value) continue;
    const written = text.slice(value.start, value.end);
    if (isSecretValue(written, kind, value.standing) && !sameAsName(name, written) && !isRowId(name, written)) {
      found.push({ kind: kindOf(name, kind), start: value.start, end: value.end });
      assigned.lastIndex = value.end;
    }
  }
  return found;
}

/** `api key: …` is written in two words. */
function spacedName(name: string, text: string, at: number): string {
  if (!/^key$/i.test(name)) return name;
  const [, before = ""] = /([A-Za-z]{2,12}) $/.exec(text.slice(Math.max(0, at - 13), at)) ?? [];
  return `${before} ${name}`;
}

/**
 * A name, with what closes it, and the sign that gives it its value: `=`, `:`, `=>`, `:=`, `??`, a type between, an opening bracket or a
 * comma before a text, a tag, an attribute `value=`, a blank behind an option of a command line.
 */
const assigned = new RegExp(
  [
    String.raw`(?<![\w$-])(-{0,2}[A-Za-z_$][\w.$-]{1,80})`,
    String.raw`(?:\\?["'\x60]|&quot;)?\]?(?:\[\d{0,4}\])?\??!?`,
    "(",
    [
      String.raw`[ \t]{0,20}(?::[ \t]{0,4}[&\w.<>'[\]?| ]{1,40}?[ \t]{0,4})?(?:=>|::?=|\?=|\|\|=|\?\?=|\+=|<-|={1,3})[ \t]{0,20}`,
      String.raw`[ \t]{1,4}(?:string|String|str|[Aa]s [Ss]tring|N?(?:VAR)?CHAR\(\w{1,4}\)|\{ ?get; ?(?:private |protected )?(?:set|init); ?\})[ \t]{0,4}=[ \t]{0,4}`,
      String.raw`[ \t]{0,2}\{[ \t]{0,2}(?=")`,
      String.raw`(?: [\w:]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t]{0,2}><value>`,
      String.raw`(?: [\w:]{1,30}="[^"<>\n]{0,80}"){1,3}>(?=[^<>\s]{4,300}<\/)`,
      String.raw`[ \t]{0,4},[ \t]{0,4}["']?[Vv]alue["']?[ \t]{0,2}[:=][ \t]{0,2}(?=["'])`,
      String.raw`[ \t]{0,20}:-?[ \t]{0,20}`,
      String.raw`[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{0,4}\([ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{0,4},[ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{0,4}\)[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'\x60])`,
      String.raw`[ \t]{1,4}value[ \t]{0,4}=[ \t]{0,4}(?=["'])`,
      String.raw`\r?\n[ \t]{0,40}value:[ \t]{1,8}`,
      String.raw`[ \t]{0,2}>(?=[^<>\s]{4,300}<\/)`,
      String.raw`[ \t]{1,20}`,
    ].join("|"),
    ")",
  ].join(""),
  "g",
);

type Before = { sign: string; name: string; grammar: Grammar; quotedName: boolean; nameAt: number };
type Value = { start: number; end: number; standing: Standing };

function valueAt(text: string, at: number, before: Before): Value | undefined {
  const quote = readSticky(opening, text, at);
  if (quote) {
    const start = at + quote[0].length;
    const mark = quote[1]!;
    const end = closing(text, start, mark);
    if (end === undefined) return undefined;
    if (mark === "`" && /\s/.test(text.slice(start, end))) return undefined; // a shell runs what stands there
    // behind a bracket, a comma or a mere blank a text is only taken for a value when it cannot be a word
    if (!givesText(text, before)) return undefined;
    if (isSetter(text, before)) return { start, end, standing: "quoted" };
    const blank = /^[ \t]+$/.test(before.sign) && !isOption(before.name) && !definedBefore(text, before.nameAt);
    return { start, end, standing: blank || (/^[ \t]*[(,]/.test(before.sign) && !/value/i.test(before.sign)) ? "loose" : "quoted" };
  }
  return bareAt(text, at, before);
}

/** `Pass "x"` is a sentence, `getToken("x")` asks for something, and only the first of a list of texts is the name of the second. */
function givesText(text: string, { sign, name, nameAt }: Before): boolean {
  if (/^[ \t]+$|or/.test(sign)) return isOption(name) || !/^(?:pass|auth|secret|token|tokens)$/i.test(name) || text[nameAt - 1] === ":";
  if (/^[ \t]*\(/.test(sign)) return !askers.test(name);
  return !/^[ \t]*,/.test(sign) || /value/i.test(sign) || /\([ \t]{0,2}["'`]$/.test(text.slice(Math.max(0, nameAt - 4), nameAt));
}

/** `setPassword("x")`, `.password("x")`, `define("PASSWORD", "x")`, `getenv("PASSWORD", "x")`: here the text can be nothing but the value. */
function isSetter(text: string, { sign, name, nameAt }: Before): boolean {
  if (/^[ \t]*\(/.test(sign)) return /(?:^|\.)(?:set|with)[A-Z]\w*$/.test(name) || /\.\w+$/.test(name) || text[nameAt - 1] === ".";
  return /^[ \t]*,/.test(sign) && settingCalls.test(text.slice(Math.max(0, nameAt - 40), nameAt));
}

const settingCalls =
  /(?:\bdefine|ini_set|[sg]etenv|environ\.get|\benv|\bENV\.fetch|[sg]et_?[Pp]roperty|setItem|setdefault|(?:conf|config|props|properties|settings|params|options|prefs)\w{0,12}\.(?:set|put|get))[ \t]{0,2}\([ \t]{0,2}["'`]$/i;

const askers =
  /(?:^|[.\W])_?(?:get|encode|decode|parse|check|verify|validate|encrypt|decrypt|hash|is|has|use|find|assert|expect|mask|redact|strip|log|print|revoke|refresh|compare|read|load|fetch|require|remove|delete|describe|it|test)(?:$|[A-Z_])/;

/** The mark that opens a text, behind what a language may put before it. */
const opening = /(?:String::from\(|new String\(|SecureString\(|[rbufL@$]{1,2})?(\\?"""|\\?'''|\\?&quot;|\\{0,3}["'`])/y;

function closing(text: string, start: number, mark: string): number | undefined {
  const longest = Math.min(text.length, start + 4096);
  for (let at = start; at < longest; at++) {
    if (text.startsWith(mark, at)) return at;
    const character = text[at];
    if (character === "\n" && mark.length < 3) return undefined;
    if (character === "\\" && !mark.startsWith("\\")) at++;
  }
  return undefined;
}

/** A value without marks around it: what ends it depends on where it stands. */
function bareAt(text: string, at: number, before: Before): Value | undefined {
  const { sign, name, grammar, quotedName, nameAt } = before;
  const lineStart = text.lastIndexOf("\n", nameAt - 1) + 1;
  const lead = text.slice(Math.max(lineStart, nameAt - 200), nameAt);
  const netrc = grammar === "configuration" && /^[ \t]*$/.test(lead);
  if (sign === ":" && lead.endsWith(":")) return undefined; // one of the names in arn:aws:…:secret:…
  const option = isOption(name);
  const blank = /^[ \t]+$/.test(sign);
  const given = option || bareWords.test(lead + name) || loginLine.test(text.slice(Math.max(0, nameAt - 160), nameAt)) || netrc;
  if (blank && !given) {
    if (grammar === "program") return undefined;
    return lead.trim() === "" && /^(?:requirepass|masterauth|[a-z]\w*(?:\.\w+)+)$/.test(name)
      ? wholeRest(text, at)
      : directive(text, at, name);
  }
  if (/[(,|?]|or/.test(sign) && !sign.includes("=")) return undefined;
  const settingLine =
    /^[ \t]*(?:(?:export|set|setx|ENV|ARG|-e|--env|env|declare -x|#|\/\/|[-+]|\d+[:\t|])[ \t]{0,8}){0,3}(?:[A-Za-z]{2,12} )?$/.test(lead) &&
    lead.length < 40;
  const environment = /^[A-Z][A-Z0-9_]*$/.test(name) && sign === "=";
  const expansion = sign === ":-" || (sign === ":" && lead.endsWith("${"));
  const pattern = /^[ \t]*>|">(?:<value>)?$/.test(sign)
    ? inTag
    : /[?&;]$/.test(lead)
      ? inQuery
      : expansion
        ? inExpansion
        : environment && grammar !== "program"
          ? inEnvironment
          : inLine;
  const read = readSticky(pattern, text, at);
  if (!read || read[0] === "") return undefined;
  const end = at + read[0].length;
  const next = text[end] ?? "\n";
  const value = { start: at, end };
  if (pattern === inTag || pattern === inExpansion || fieldsBefore.test(lead)) return { ...value, standing: "certain" };
  if (
    /[?&;][ \t]{0,2}$/.test(lead) ||
    (!quotedName && /["'][ \t]{0,2}$/.test(lead)) ||
    option ||
    /^[ \t]+$/.test(sign) ||
    sign.includes("value:")
  )
    return { ...value, standing: "bare" };
  if (/[([{]/.test(next)) return undefined;
  if (grammar === "program") return { ...value, standing: "doubtful" };
  const alone = /^[ \t]*(?:[#;].*)?\r?$/.test(text.slice(end, lineEnd(text, end)));
  if (environment || chart.test(lead)) return { ...value, standing: "certain" };
  if (
    alone &&
    (sign === "="
      ? /^(?:-[ \t])?$/.test(lead) || fieldsBefore.test(lead)
      : sign.startsWith(":") && (isListing(text, lineStart) || (lead === "" && /^[a-z]\w*(?:\.\w+)+$/.test(name))))
  )
    return { ...value, standing: "certain" };
  if (sign === "=" && /^[ \t]{1,4}\w{1,20}=\S/.test(text.slice(end, end + 40))) return { ...value, standing: "certain" };
  if (sign === "=" && grammar === undefined && !/[(,][ \t]{0,4}$/.test(lead) && strongEnough(text.slice(at, end)))
    return { ...value, standing: "loose" };
  if (grammar === "configuration") return { ...value, standing: alone || next === "," || next === ";" ? "bare" : "doubtful" };
  return {
    ...value,
    standing:
      settingLine && alone && sign.trim() !== "" && !/^[ \t]*[:=]{2,}/.test(sign) && strongEnough(text.slice(at, end))
        ? "bare"
        : "doubtful",
  };
}

/** Whether the lines around are names with values, as in YAML, and no members of a program's type or object. */
function isListing(text: string, lineStart: number): boolean {
  const lines = text
    .slice(Math.max(0, lineStart - 300), lineStart + 300)
    .split("\n")
    .slice(lineStart > 300 ? 1 : 0);
  const said = lines.filter((line) => line.trim() !== "" && !/^\s*#/.test(line)).slice(0, 12);
  return (
    said.length > 1 &&
    said.every((line) =>
      /^\s{0,40}(?:- )?["']?[A-Za-z][\w ./-]{0,60}["']?:(?: [^,;{(]{0,200})?$|^\s{0,40}- [^,;{(]{0,200}$|^---/.test(line),
    )
  );
}

/** `requirepass x`, `set password x`: in a sentence no such word would stand behind such a name. */
function directive(text: string, at: number, name: string): Value | undefined {
  const read = /^(?:auth|pass|token|tokens|secrets|key|credentials?)$/i.test(name)
    ? null
    : readSticky(/[^\s"'`,;<>(){}[\]|\\]{8,200}(?=[ \t]*(?:\s|$|\\n))/y, text, at);
  return read && /\d.*\d/.test(read[0]) ? { start: at, end: at + read[0].length, standing: "loose" } : undefined;
}

/** All that is left of a line that begins with the name of a setting. */
function wholeRest(text: string, at: number): Value | undefined {
  const read = readSticky(/[^\s"'`,;<>(){}[\]|\\]{6,200}(?=[ \t]*\r?$)/my, text, at);
  return read ? { start: at, end: at + read[0].length, standing: "certain" } : undefined;
}

/** `--set password=x`, as charts and clusters are given their values. */
const chart = /--(?:set(?:-string|-literal)?|from-literal)[ =]["']?$/;

/** The fields of a connection: `host=x user=y password=z`. */
const fieldsBefore =
  /(?:\b|_)(?:host|hostaddr|user|dbname|server|port|uid|database|username|login|account)=[^\s=]{1,100}(?:[ \t]{1,4}|[,;][ \t]{0,2})$/i;

/** Where nothing says what kind of file it is, a bare word is not taken for a password. */
function strongEnough(value: string): boolean {
  return /\d|[!@#$%^&*+~]/.test(value) && !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value);
}

const inTag = /[^<>\s]{4,300}/y;
const inQuery = /[^\s"'`&;<>)\]}|\\]{1,400}/y;
const inExpansion = /[^}\s"'`]{1,300}/y;
const inEnvironment = /[^\s"'`\\<>|;()]{1,600}/y;
const inLine = /[^\s"'`,;<>(){}[\]|\\]{1,600}/y;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return Math.min(end === -1 ? text.length : end, at + 200);
}

const isOption = (name: string) => name.startsWith("-");

/** `#define PASSWORD "x"`, `ENV TOKEN x`, `IDENTIFIED BY "x"`: here a blank gives the value. */
const bareWords =
  /(?:^[ \t]*rootpw(?: --plaintext)?$)|(?:#define|\bENV|\bARG|\bsetx|(?:^|[$>;&#:])[ \t]{0,40}set|\bset -x|\bset -gx|\bsetenv)[ \t]+[\w.-]+$/;
function definedBefore(text: string, nameAt: number): boolean {
  return /(?:#define|\bENV|\bARG|\bset\(|\bsetx?|\b[Ss]et[Ee]nv|\w{2,8}_param|\(setq|\(def\w{0,9}|\bdefine|\bwith|\bWITH|\buser|\bUSER)[ \t]{1,8}$|[:{(]$|[{][ \t]*$|^[ \t]*$/.test(
    text.slice(Math.max(text.lastIndexOf("\n", nameAt - 1) + 1, nameAt - 30), nameAt),
  );
}

/** `machine x login y password z`, as in a .netrc file. */
const loginLine = /(?:^|\s)(?:machine\s+\S+|default)\s+(?:login|user)\s+\S+\s+$|(?:^|\s)login\s+\S+\s+$|^\s*(?:account\s+\S+\s+)$/;

function readSticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function sameAsName(name: string, value: string): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return bare(name).endsWith(bare(value)) && !isPlaceholder(value) ? bare(value).length > 0 : false;
}

/** The key by which a table or a record is known. */
function isRowId(name: string, value: string): boolean {
  return /^(?:primary|secondary)[_-]?key$/i.test(name) && /^(?:[0-9a-f-]{36}|[\w-]{1,24})$/i.test(value);
}

function kindOf(name: string, kind: SecretName): string {
  if (kind === "password") return "password";
  if (kind === "phrase") return "secret";
  return /token|jwt|bearer|\bpat\b/i.test(name) ? "token" : /key/i.test(name) ? "key" : "secret";
}

const programs =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|swift|c|cc|cpp|h|hpp|cs|php|scala|dart|lua|pl|r|ex|exs|erl|clj|vue|svelte|groovy|m|mm)$/i;
const configurations =
  /(?:^|[/\\])\.(?:env[\w.-]*|netrc|pgpass|npmrc|pypirc|my\.cnf|s3cfg|dockercfg|git-credentials)$|\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars|credentials|cnf|netrc|service)$|(?:^|[/\\])(?:credentials|\.?(?:msmtp|fetchmail|mbsync|getmail|offlineimap|curl|wget)rc|\.?smbcredentials)$/i;

function grammarOf(path: string): Grammar {
  return programs.test(path) ? "program" : configurations.test(path) ? "configuration" : undefined;
}
