// Parses the address of a remote: the part that may be printed, and the repository and host that it names.
import { stripVTControlCharacters } from "node:util";
import { ifPossible } from "../system-error.ts";

/** Undefined for a path on this machine, or an address that only git understands. */
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

/** What is no valid encoding is taken literally. */
const decoded = (path: string) => ifPossible(() => decodeURIComponent(path)) ?? path;

export const isLoopback = (host: string) => /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(host);

/** Removes names, passwords and tokens from addresses, and control characters, in output of git and forges. */
export function withoutCredentials(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/gi, "$1")
    .replace(/([?&](?:access_token|private_token|token|password)=)[^&\s'"]+/gi, "$1[hidden]")
    .replace(/\b(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g, "[hidden]")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
}
