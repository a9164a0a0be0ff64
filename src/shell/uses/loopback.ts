// Recognizes requests to a server on this machine, as in trying what was just built: `curl -s localhost:3000/health`.
import { fileEntries } from "../tables/file-operands.ts";
import type { Word } from "../words/analysis.ts";
import { readOptions } from "../words/options.ts";

/** Indexes of the words that curl takes as addresses. */
export function addressesOf(words: Word[]): number[] {
  return readOptions(words, fileEntries.get("curl")!.options).operands;
}

/** The address as written, up to the path; undefined if there are several or any is on another machine. */
export function loopbackOrigin(words: Word[]): string | undefined {
  if (words[0]?.value !== "curl") return undefined;
  const [only, ...others] = addressesOf(words);
  const value = only === undefined || others.length > 0 ? undefined : words[only]?.value;
  return loopback.exec(value ?? "")?.[1];
}

const loopback = /^((?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)(?:\/|$)/;
