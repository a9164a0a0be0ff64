// A word that is known, whoever wrote it.
import type { Word } from "./analysis.ts";

export const literal = (value: string): Word => ({ text: value, value, choices: [value], start: value });
