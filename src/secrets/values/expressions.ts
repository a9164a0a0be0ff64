// The strings of an expression: after `password =` a program may call, choose, list and join before the string that matters.
import { type Literal, literalAt, readSticky } from "./literals.ts";

/**
 * How an expression uses a string. `value`: it is the value. `made`: a call derives the value from it, or falls back to it. `passed`: one
 * of several arguments of a call that may also look something up. `mapped`: it has its own name in a map.
 */
export type Role = "value" | "made" | "passed" | "mapped";

export type ExpressionText = Literal & { role: Role };

/** The strings of the expression that begins here, in order, up to the end of the statement, which may continue on later lines. */
export function textsOf(text: string, at: number): ExpressionText[] {
  const found: ExpressionText[] = [];
  const open: Bracket[] = [];
  const limit = Math.min(text.length, at + longest);
  let last: Token = { kind: "operator", text: "=" };
  let casts = false;
  for (let from = at; from < limit && found.length < mostTexts; ) {
    const bracket = open.at(-1);
    const gap = readSticky(blank, text, from)![0];
    if (gap.includes("\n") && !bracket && last.kind !== "operator" && !readSticky(carriesOn, text, from + gap.length)) break;
    from += gap.length;
    const literal = literalAt(text, from);
    if (literal) {
      const role = from - gap.length === at || casts ? "value" : roleOf(last, bracket);
      const key = bracket !== undefined && bracket.sign !== "(" && readSticky(pairSign, text, literal.after) !== null;
      if (role && !key && !(last.kind === "word" && !bracket)) found.push({ ...literal, role });
      from = literal.after;
      last = { kind: "text", text: key ? text.slice(literal.start, literal.end) : "" };
      casts = false;
      continue;
    }
    const token = readSticky(tokens, text, from);
    if (!token) break;
    const [whole, word, opener, closer, comma, operator] = token;
    casts = from - gap.length === at && word !== undefined && casting.test(word);
    from += whole.length;
    if (word !== undefined && last.kind === "text" && !bracket && !wordOperators.test(word)) break;
    if (word !== undefined) last = wordOperators.test(word) ? wordOperator(word) : { kind: "word", text: word };
    else if (opener !== undefined) {
      open.push({ callee: last.kind === "word" ? last.text : "", sign: opener, place: 0, before: last });
      last = { kind: "operator", text: opener };
    } else if (closer !== undefined) {
      const closed = open.pop();
      if (!closed) break;
      last = { kind: "closed", text: closer };
    } else if (comma !== undefined) {
      if (!bracket) break;
      bracket.place++;
      bracket.name = undefined;
      last = { kind: "operator", text: "," };
    } else if (operator !== undefined) {
      if (bracket && /^(?:=|:|=>)$/.test(operator) && (last.kind === "word" || last.kind === "text")) bracket.name = last.text;
      last = { kind: "operator", text: operator };
    }
  }
  return found;
}

type Token = { kind: "word" | "text" | "closed" | "operator"; text: string };
type Bracket = { callee: string; sign: string; place: number; before: Token; name?: string | undefined };

const longest = 600;
const mostTexts = 12;

/** May precede a string that is still the value. */
const casting = /^(?:new|await|return)$/;

/** Follows the name of a pair. */
const pairSign = /\s{0,4}(?::(?!:)|=>)/y;

/** A line end may be escaped. */
const blank = /(?:[ \t]|\\?\r?\n){0,40}/y;

/** How a line begins that continues the previous one. */
const carriesOn = /\|\||\?\?|\?:|\?|\+|\.(?=\s?["'\w])|or\b|&(?= )|:(?= )/y;

const tokens =
  /([\w$@&*~](?:[\w$.!-]|::)*(?:->\w+)*(?:<\w{1,30}>)?)|([([{])|([)\]}])|(,)|(\|\||\?\?=?|\?:|\?\.|=>|->|::|[+.?:=|<>&!]|\/\/(?= ["']))/y;

const wordOperators = /^(?:or|else|return|and|default|if|unless|new|await|as)$/;

function wordOperator(word: string): Token {
  return /^(?:new|await|as)$/.test(word) ? { kind: "operator", text: "=" } : { kind: "operator", text: word };
}

function roleOf(last: Token, bracket: Bracket | undefined): Role | undefined {
  if (last.kind === "text" || last.kind === "closed") return "passed"; // adjacent strings are joined
  if (!bracket) return /^(?:\|\||\?\?=?|\?:|or|else|return|=>|->|:|\?|\/\/)$/.test(last.text) ? "made" : "passed";
  if (bracket.name !== undefined) {
    if (given.test(bracket.name)) return "made";
    return bracket.sign === "(" ? undefined : "mapped";
  }
  if (bracket.sign !== "(") return "passed";
  if (bracket.callee === "") return bracket.before.text === "=" && bracket.place === 0 ? "made" : "passed";
  if (bracket.place === 0) return makers.test(bracket.callee) ? "made" : askers.test(bracket.callee) ? undefined : "passed";
  return defaulters.test(bracket.callee) ? "made" : askers.test(bracket.callee) ? undefined : "passed";
}

/** Named arguments whose value the call returns. */
const given = /^(?:default|value|fallback|initial|default_?[vV]alue|plaintext|literal)$/;

/** Calls that return their first argument in another form, or as a default. */
const makers =
  /(?:^|[.:>])(?:Some|Ok|Just|[Ff]rom\w{0,16}|[Oo]f|String|str|bytes|bytearray|\w{0,12}Secret\w{0,12}|Protected\w{0,12}|Sensitive\w{0,8}|Redacted\w{0,8}|Field|default\w{0,12}|Default\w{0,8}|unwrap_or\w{0,8}|\w{0,6}[oO]rElse\w{0,8}|orDefault|b64decode|[Dd]ecode(?:String)?|atob|fromhex|unhexlify|[Gg]et_?[Bb]ytes|encode|SecretValue\.\w{1,20}|new)$/;

const defaulters =
  /env|config|setting|prop|param|option|variable|default|fetch|lookup|(?:^|[._])(?:get\w{0,12}|str|string|or|Or|pop|dig)$|Get$|Or$/i;

/** Calls that look something up by a string, or prompt the user with it. */
const askers =
  /(?:^|[.\W])_?(?:get|encode|decode|parse|check|verify|validate|encrypt|decrypt|hash|is|has|use|find|assert|expect|mask|redact|strip|log|print|revoke|refresh|compare|read|load|fetch|require|remove|delete|describe|it|test|input|prompt|ask|match|replace|split|format|sprintf|printf|t|i18n|create|generate|translate|select|query|exec|run|filter|search|sign|join|resolve|open|include|import|render|request|post|put|send|lookup|data|secretsmanager|element|locator|emit|on|error|raise|throw|new_token|scan|retrieve|update|archive|list|exists|contains|startsWith|endsWith|indexOf|test|add|push|append)(?:$|[A-Z_0-9])/;
