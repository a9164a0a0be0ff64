// Recognizes requests to a server on this machine, as in trying what was just built: `curl -s localhost:3000/health`.
import type { Word } from "../words/analysis.ts";

/** Whether it is curl with one address, which is on this machine. */
export function isLocalRequest([program, ...rest]: Word[]): boolean {
  const addresses = rest.filter(({ value, start }) => value === undefined || /:\/\/|^[\w.-]+(?::\d+)?(?:\/|$)|^\[/.test(start));
  const local = rest.filter(({ value }) => loopback.test(value ?? ""));
  return program?.value === "curl" && local.length === 1 && addresses.every((word) => word === local[0] || !mayBeHost.test(word.start));
}

const loopback = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/|$)/;
/** A word with a dot, a colon or nothing known in it. */
const mayBeHost = /^$|[.:]/;
