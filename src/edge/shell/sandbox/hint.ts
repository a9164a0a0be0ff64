// What a command that met the sandbox's wall is told about it: the system's own words do not say whose wall it is.
import type { ShellEnd } from "../../../tools/shell.ts";

export type Hints = { watch: (bytes: Buffer) => void; hint: (end: ShellEnd) => string | undefined };

/** Remembers the end of the output. */
export function hints(): Hints {
  let tail = "";
  return {
    watch(bytes) {
      tail = (tail + bytes.toString("latin1")).slice(-4096);
    },
    hint(end) {
      if (end.kind !== "exited" || end.code === 0) return undefined;
      return signs.find(([sign]) => sign.test(tail))?.[1];
    },
  };
}

const signs: [RegExp, string][] = [
  [/Read-only file system|EROFS/i, "in the sandbox only the working directory and /tmp can be written, without protected files"],
  [
    /Could not resolve|name resolution|ENOTFOUND|EAI_AGAIN|Network is unreachable|ENETUNREACH|getaddrinfo/i,
    "in the sandbox there is no network unless a person's settings allow it",
  ],
  [
    /unable to index file|: open\("[^"\n]+"\): Permission denied/,
    "in the sandbox git cannot read files that rules hide: leave them out of what is added, and let the person commit them",
  ],
  [
    /Device or resource busy|EBUSY|Invalid cross-device link|EXDEV/i,
    "in the sandbox folders around protected or denied files cannot be moved",
  ],
];
