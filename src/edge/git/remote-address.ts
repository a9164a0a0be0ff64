// The address of a remote: what of it may be printed, and which repository at which host it names.
import { stripVTControlCharacters } from "node:util";

/** `web`: begins with http. Undefined parts: a path on this machine, or something that nobody but git understands. */
export type RemoteAddress = { host: string; scheme: "http" | "https" | "ssh"; port: string; path: string };

/** As git reads it: an address with a scheme, or `[user@]host:path`. */
export function remoteAddress(url: string): RemoteAddress | undefined {
  const short = /^(?:[^@/\s]+@)?(?<host>[\w.-]{2,}|\[[\da-f:]+\]):(?!\/\/)(?<path>[^\s]+)$/i.exec(url)?.groups;
  if (short) return { host: short["host"]!.toLowerCase(), scheme: "ssh", port: "", path: bare(short["path"]!) };
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  const scheme = schemes[protocol];
  return scheme && hostname !== "" ? { host: hostname.toLowerCase(), scheme, port, path: bare(decoded(pathname)) } : undefined;
}

const schemes: Record<string, RemoteAddress["scheme"] | undefined> = {
  "http:": "http",
  "https:": "https",
  "ssh:": "ssh",
  "git+ssh:": "ssh",
  "ssh+git:": "ssh",
};

const bare = (path: string) =>
  path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // no such encoding: then it means itself
  }
}

/** Any text without names, passwords and tokens in its addresses, and without control characters: what git and forges print. */
export function withoutCredentials(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/gi, "$1")
    .replace(/([?&](?:access_token|private_token|token|password)=)[^&\s'"]+/gi, "$1[hidden]")
    .replace(/\b(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g, "[hidden]")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
}
