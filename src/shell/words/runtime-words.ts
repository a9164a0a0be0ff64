// Words that stand for values known only when a command runs.
import type { Word } from "./analysis.ts";
import { safe } from "./growing-word.ts";
import { unknownWord } from "./literal.ts";

/** The words that xargs appends. */
export const appended: Word = { ...unknownWord("…", ""), many: true };

/** A name inserted by find: it begins with the root of the search, so not with a dash. */
export const found: Word = { ...unknownWord("{}", safe), many: true };
