// Words that stand for what is put in when a command runs.
import type { Word } from "./analysis.ts";
import { safe } from "./growing-word.ts";
import { unknownWord } from "./literal.ts";

/** What xargs appends. */
export const appended: Word = { ...unknownWord("…", ""), many: true };

/** A name that find puts in; it begins with the root below which it was found, and so with no dash. */
export const found: Word = { ...unknownWord("{}", safe), many: true };
