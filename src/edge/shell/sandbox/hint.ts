// Hints for a command that the sandbox stopped: the system's error messages do not say that the sandbox caused them.
import type { ShellEnd } from "../../../tools/shell.ts";

export type Hints = { watch: (bytes: Buffer) => void; hint: (end: ShellEnd) => string | undefined };

/** `offline`: this sandbox has no network; `proxied`: but a proxy. Remembers the end of the output, and whether network errors appeared anywhere in it. */
export function hints({ offline, proxied = false }: { offline: boolean; proxied?: boolean }): Hints {
  let tail = "";
  let missedNetwork = false;
  return {
    watch(bytes) {
      tail = (tail + bytes.toString("latin1")).slice(-(bytes.length + overlap));
      missedNetwork ||= offline && noNetwork.test(tail);
      tail = tail.slice(-4096);
    },
    hint(end) {
      // Programs that continue without the network exit with 0.
      if (missedNetwork) return proxied ? proxyHint : networkHint;
      if (end.kind !== "exited" || end.code === 0 || end.code === cannotRun) return undefined;
      return signs.find(([sign]) => sign.test(tail))?.[1];
    },
  };
}

/** A shell's word for a program without the right to be executed, which no sandbox took. */
const cannotRun = 126;

/** A message may arrive in two pieces. */
const overlap = 200;

const networkHint =
  'in the sandbox there is no network: a person can allow it once when a command asks for it, or set "sandbox": {"network": true} in their own settings';

const proxyHint =
  "in the sandbox the network is reached through the proxy that HTTPS_PROXY names, and through nothing else: the proxy asks the person about each host. A program that does not use it needs a person who allows the command once with the network";

/** Messages of resolvers and connections, including the text around the code, so that a file that mentions such errors does not match. */
const noNetwork =
  /Could not resolve host|Temporary failure in name resolution|Name or service not known|nodename nor servname|Failed to resolve|getaddrinfo (?:ENOTFOUND|EAI_AGAIN|failed)|request to \S+ failed, reason:|(?:connect|Error:|code) (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ENOTFOUND)\b|Network is unreachable|Failed to connect to \S+ port|connect to \S+ port \d+: |\[Errno (?:101|111|-2|-3)\]|dial tcp[^\n]*(?:refused|unreachable|no such host|server misbehaving)|connect: Connection refused|Unable to connect to/i;

const signs: [RegExp, string][] = [
  [/Read-only file system|EROFS/i, "in the sandbox only the working directory and /tmp can be written, without protected files"],
  [
    /unable to index file|: open\("[^"\n]+"\): Permission denied/,
    "in the sandbox git cannot read files that rules hide: leave them out of what is added, and let the person commit them",
  ],
  [
    /Device or resource busy|EBUSY|Invalid cross-device link|EXDEV/i,
    "in the sandbox folders around protected or denied files cannot be moved",
  ],
  [
    /EACCES: permission denied, open|: Permission denied\r?$|\[Errno 13\] Permission denied/m,
    "in the sandbox files that rules hide or that usually hold secrets cannot be opened, nor what links with such names lead to: a person is asked where the command itself names the file",
  ],
];
