// Recognizes searches that find only build outputs: `find . -name __pycache__ -exec rm -rf {} +`.
import { isSureOutput } from "../tables/build-outputs.ts";
import type { Word } from "../words/analysis.ts";

/** Whether everything that find acts on has the name of a build output. False in doubt. */
export function findsOutputs(words: Word[]): boolean {
  const values = words.map(({ value }) => value);
  if (values[0] !== "find" || values.some((value) => value === undefined || otherwise.has(value))) return false;
  let at = 1;
  while (values[at] !== undefined && !/^[-!]/.test(values[at]!)) at++;
  while (at < values.length) {
    const test = values[at]!;
    if (test === "-name" && isSureOutput(values[at + 1] ?? "")) return true;
    if (withValue.test(test)) at += 2;
    else if (/^(?:!|-not)$/.test(test) && withValue.test(values[at + 1] ?? "")) at += 3;
    else if (/^-(?:depth|xdev|mount|empty)$/.test(test)) at++;
    else return false;
  }
  return false;
}

const withValue = /^-(?:i?name|i?path|type|maxdepth|mindepth|mtime|mmin|size|user|perm)$/;

/** With these, another test may decide, or links are followed. */
const otherwise = new Set(["-o", "-or", ",", "(", ")", "-L", "-H", "-follow", "-files0-from"]);
