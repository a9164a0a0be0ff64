// Passwords that a test types into a web page: the name of the field says what they are, in the syntax of many tools.
import { type ContextRule, looksRandom, passwordFits, passwordRule, secretNamePattern, stems } from "./context-rule.ts";

/** Calls that type into the field named before them. */
const types =
  "type|fill|send_keys|sendKeys|set_value|setValue|setText|set_text|set|val|input|typeText|type_text|enterText|enter_text|replaceText|pressSequentially|addValue|type_keys|clearAndType|fillIn|attr|prop|text|write";

/** The rest of a field selector after the name: quotes, brackets and further calls. */
const found = String.raw`["'\`\])/i\\]{0,6}(?:\s{0,2}[})]){0,3}(?:\.(?:first|last|nth|clear|click|focus|eq|get|should|find|perform|within)\([^()\n]{0,40}\)){0,3}`;
/** A comma after the name of a field is enough only in a call that types: lists of names have commas, too. */
const inCall = String.raw`(?<=(?:[tT]ype|[fF]ill|[eE]nter|[iI]nput|[sS]et|[sS]end|[fF]ield|[cC]hange|[wW]rite|[oO]ptions)\w{0,16}\s?\([^\n]{0,120})`;
const typed = String.raw`["'\`](?<secret>[^"'\`\n\s]{6,100})["'\`]`;

export const pageRules: ContextRule[] = [
  passwordRule(
    stems,
    new RegExp(
      String.raw`${secretNamePattern}${found}\s{0,2}(?:${inCall},\s{0,4}(?:(?:value|text)\s{0,2}[:=]\s{0,2})?|,\s{0,4}(?:with:\s{0,2}|:with\s=>\s)|\s{0,20}\.(?:${types})\(\s{0,2}|\s(?:field\s)?with\s|\.perform\(\s{0,2}(?:typeText|replaceText)\(\s{0,2}|,\s{0,2}\{\s{0,2}target:\s{0,2}\{\s{0,2}value:\s{0,2})${typed}`,
      "g",
    ),
    (secret, name) => /pass|pwd|pw$|passcode/i.test(name) && typedFits(secret),
  ),
  // a field behind its own name: what is typed, then where
  passwordRule(
    "type |fill |enter |input ",
    /\b(?:type|fill(?: in)?|enter|input)\s{1,4}["'](?<secret>[^"'\n\s]{6,100})["']\s{1,4}(?:in|into|to|for|as)\s{1,4}(?:the\s)?["']?[\w#.-]{0,30}(?:[Pp]assword|[Pp]asscode|PIN)/g,
    typedFits,
  ),
];

/** Whether this could be typed as a password: not a word from a test that should fail, and not a label of the field. */
function typedFits(secret: string): boolean {
  if (
    /wrong|invalid|incorrect|short|weak|mismatch|different|test|^bad/i.test(secret) ||
    /^[#.[(/]|Controller|\w@\w|^[a-z]+(?:[-_.][a-z]+)+\d?$/.test(secret)
  )
    return false;
  return passwordFits(secret) && (looksRandom(secret) || /^[A-Za-z]{5,30}\d{3,6}$/.test(secret));
}
