// Unquoted values: where one ends, and whether it is a value at all, depends on its context.
import { readSticky } from "./literals.ts";
import type { ValueContext } from "./values.ts";

/** How the kind of file writes its values, judged by its name. Undefined: either way. */
export type Grammar = "program" | "configuration" | undefined;

export type Before = { sign: string; name: string; grammar: Grammar; quotedName: boolean; nameAt: number };
export type Value = { start: number; end: number; context: ValueContext };

/** Unquoted values: one on the same line, or those on the lines below. */
export function bareValues(text: string, at: number, before: Before): Value[] {
  const listed = before.grammar === "program" || !before.sign.includes(":") ? null : readSticky(/\[([^[\]"'{}\n]{8,1000})\]/y, text, at);
  if (listed) {
    return [...listed[1]!.matchAll(/[^\s,]{8,}/g)].map(
      ({ 0: item, index }): Value => ({ start: at + 1 + index, end: at + 1 + index + item.length, context: "near name" }),
    );
  }
  const below = before.grammar === "program" || !/:[ \t]*$/.test(before.sign) ? undefined : valuesBelow(text, at, before.nameAt);
  if (below) return below;
  const value = passphraseAt(text, at, before) ?? bareAt(text, at, before);
  return value ? [value] : [];
}

/** A YAML value below its name: a block, a list, or a string on a line of its own. Undefined if the value is on the line of the name. */
function valuesBelow(text: string, at: number, nameAt: number): Value[] | undefined {
  const opened = readSticky(/(?:([|>])[+-]?\d?[+-]?)?[ \t]*\r?\n/y, text, at);
  if (!opened) return undefined;
  const indent = nameAt - text.lastIndexOf("\n", nameAt - 1) - 1;
  const values: Value[] = [];
  for (let from = at + opened[0].length; values.length < mostBelow; ) {
    const line = readSticky(/([ \t]*)(- )?(?:(["']?)([^\s"'{}[\]#&*!|>%@`][^\s]{3,600})\3)[ \t]*(?:\r?\n|$)/y, text, from);
    if (!line || line[1]!.length + (line[2] ? 1 : 0) <= indent || /^[\w.-]+:$/.test(line[4]!)) break;
    const start = from + line[0].indexOf(line[4]!, line[1]!.length);
    values.push({ start, end: start + line[4]!.length, context: opened[1] ? "value alone" : "near name" });
    from += line[0].length;
  }
  return opened[1] && values.length > 1 ? values.map((value) => ({ ...value, context: "near name" })) : values;
}

const mostBelow = 20;

/** `wifi_password: seven tall pines 88`, if the rest of the line can only be the value. */
function passphraseAt(text: string, at: number, { sign, name, grammar, nameAt }: Before): Value | undefined {
  const listed = grammar === "configuration" || (/:/.test(sign) && isListing(text, text.lastIndexOf("\n", nameAt - 1) + 1));
  if (!listed || !/[:=]/.test(sign)) return undefined;
  const line = readSticky(/([a-z\d]{2,12}(?: [a-z\d]{2,12}){2,9})[ \t]*(?:\r?\n|$)/y, text, at);
  if (!line || !(/\d/.test(line[1]!) || /phrase/i.test(name))) return undefined;
  return { start: at, end: at + line[1]!.length, context: "quoted" };
}

function bareAt(text: string, at: number, before: Before): Value | undefined {
  const { sign, name, grammar, quotedName, nameAt } = before;
  const lineStart = text.lastIndexOf("\n", nameAt - 1) + 1;
  const lead = text.slice(Math.max(lineStart, nameAt - 200), nameAt);
  const netrc = grammar === "configuration" && /^[ \t]*$/.test(lead);
  if (sign === ":" && lead.endsWith(":")) return undefined; // one of the names in arn:aws:…:secret:…
  const option = isOption(name) || (sign === ":" && /(?:^|\s)\/$/.test(lead));
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
  const expansion = sign === ":-" || (/^:[=+]?$/.test(sign) && lead.endsWith("${"));
  if (expansion && text[at] === "?") return undefined; // the message of `${NAME?message}`
  const pattern = /^[ \t]*>|(?<![=-])>\s*(?:<value>)?\s*$/i.test(sign)
    ? inTag
    : /[?&;]$/.test(lead) && !sign.includes(":")
      ? inQuery
      : expansion
        ? inExpansion
        : environment && grammar !== "program"
          ? inEnvironment
          : inLine;
  const braced = sign === "=" ? readSticky(inBraces, text, at) : null;
  if (braced) return { start: at + 1, end: at + braced[0].length - 1, context: "value alone" };
  const read = readSticky(pattern, text, at);
  if (!read || read[0] === "") return undefined;
  const end = at + read[0].length;
  const next = text[end] ?? "\n";
  const value = { start: at, end };
  if (pattern === inTag || pattern === inExpansion || fieldsBefore.test(lead)) return { ...value, context: "value alone" };
  if (
    /[?&;][ \t]{0,2}$/.test(lead) ||
    (!quotedName && /["'][ \t]{0,2}$/.test(lead)) ||
    option ||
    /^[ \t]+$/.test(sign) ||
    sign.includes("value:")
  )
    return { ...value, context: "in configuration" };
  if (/[([{]/.test(next)) return undefined;
  if (grammar === "program") return { ...value, context: "in program" };
  const alone = /^[ \t]*(?:[#;].*)?\r?$/.test(text.slice(end, lineEnd(text, end)));
  if (environment || chart.test(lead)) return { ...value, context: "value alone" };
  if (
    alone &&
    (sign === "="
      ? /^(?:-[ \t])?$/.test(lead) || fieldsBefore.test(lead)
      : sign.startsWith(":") && (isListing(text, lineStart) || (lead === "" && /^[a-z]\w*(?:\.\w+)+$/.test(name))))
  )
    return { ...value, context: "value alone" };
  if (sign === "=" && /^[ \t]{1,4}\w{1,20}=\S/.test(text.slice(end, end + 40))) return { ...value, context: "value alone" };
  if (sign === "=" && grammar === undefined && !/[(,][ \t]{0,4}$/.test(lead) && strongEnough(text.slice(at, end)))
    return { ...value, context: "near name" };
  if (grammar === "configuration") return { ...value, context: alone || next === "," || next === ";" ? "in configuration" : "in program" };
  return {
    ...value,
    context:
      settingLine && alone && sign.trim() !== "" && !/^[ \t]*[:=]{2,}/.test(sign) && strongEnough(text.slice(at, end))
        ? "in configuration"
        : "in program",
  };
}

/** Whether the lines around are names with values, as in YAML, rather than members of a type or object. */
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

/** `requirepass x`, `set password x`: no sentence has such a word after such a name. */
function directive(text: string, at: number, name: string): Value | undefined {
  const read = /^(?:auth|pass|token|tokens|secrets|key|credentials?)$/i.test(name)
    ? null
    : readSticky(/[^\s"'`,;<>(){}[\]|\\]{8,200}(?=[ \t]*(?:\s|$|\\n))/y, text, at);
  return read && /\d.*\d/.test(read[0]) ? { start: at, end: at + read[0].length, context: "near name" } : undefined;
}

/** The rest of a line that begins with the name of a setting. */
function wholeRest(text: string, at: number): Value | undefined {
  const read = readSticky(/[^\s"'`,;<>(){}[\]|\\]{6,200}(?=[ \t]*\r?$)/my, text, at);
  return read ? { start: at, end: at + read[0].length, context: "value alone" } : undefined;
}

/** `--set password=x`, as in the arguments of helm and kubectl. */
const chart = /--(?:set(?:-string|-literal)?|from-literal)[ =]["']?$/;

/** The fields of a connection string: `host=x user=y password=z`. */
const fieldsBefore =
  /(?:\b|_)(?:host|hostaddr|user|dbname|server|port|uid|database|username|login|account)=[^\s=]{1,100}(?:[ \t]{1,4}|[,;][ \t]{0,2})$/i;

/** If the kind of file is unknown, an ordinary bare word is not taken for a password. */
function strongEnough(value: string): boolean {
  return /\d|[!@#$%^&*+~]/.test(value) && !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value);
}

/** `PWD={x;y}` in a connection string. */
const inBraces = /\{[^\s{}"']{4,200}\}(?=[;"'\s]|$)/y;
const inTag = /[^<>\s]{4,300}/y;
const inQuery = /[^\s"'`&;<>)\]}|\\]{1,400}/y;
const inExpansion = /[^}\s"'`]{1,300}/y;
const inEnvironment = /[^\s"'`\\<>|;()]{1,600}/y;
const inLine = /[^\s"'`,;<>(){}[\]|\\]{1,600}/y;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return Math.min(end === -1 ? text.length : end, at + 200);
}

export const isOption = (name: string) => name.startsWith("-");

/** `#define PASSWORD "x"`, `ENV TOKEN x`, `IDENTIFIED BY "x"`: here a space assigns the value. */
const bareWords =
  /(?:^[ \t]*rootpw(?: --plaintext)?$)|(?:#define|\bENV|\bARG|\bsetx|(?:^|[$>;&#:])[ \t]{0,40}set|\bset -x|\bset -gx|\bsetenv)[ \t]+[\w.-]+$/;

export function definedBefore(text: string, nameAt: number): boolean {
  return /(?:#define|\bENV|\bARG|\bset\(|\bsetx?|\b[Ss]et[Ee]nv|\w{2,8}_param|\(setq|\(def\w{0,9}|\bdefine|\bwith|\bWITH|\buser|\bUSER)[ \t]{1,8}$|[:{(]$|[{][ \t]*$|^[ \t]*$/.test(
    text.slice(Math.max(text.lastIndexOf("\n", nameAt - 1) + 1, nameAt - 30), nameAt),
  );
}

/** `machine x login y password z`, as in a .netrc file. */
const loginLine = /(?:^|\s)(?:machine\s+\S+|default)\s+(?:login|user)\s+\S+\s+$|(?:^|\s)login\s+\S+\s+$|^\s*(?:account\s+\S+\s+)$/;

const programs =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|swift|c|cc|cpp|h|hpp|cs|php|scala|dart|lua|pl|r|ex|exs|erl|clj|vue|svelte|groovy|m|mm)$/i;
const configurations =
  /(?:^|[/\\])\.(?:env[\w.-]*|netrc|pgpass|npmrc|pypirc|my\.cnf|s3cfg|dockercfg|git-credentials)$|\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars|credentials|cnf|netrc|service)$|(?:^|[/\\])(?:credentials|\.?(?:msmtp|fetchmail|mbsync|getmail|offlineimap|curl|wget)rc|\.?smbcredentials)$/i;

export function grammarOf(path: string): Grammar {
  return programs.test(path) ? "program" : configurations.test(path) ? "configuration" : undefined;
}
