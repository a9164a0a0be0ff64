// Hints for a command that the sandbox stopped: the system's error messages do not say that the sandbox caused them.
import type { SandboxRun } from "../../../agent/ports/sandbox-port.ts";
import type { ShellEnd } from "../../../tools/shell.ts";

export type Hints = { watch: (bytes: Buffer) => void; hint: (end: ShellEnd) => string | undefined };

type Limits = Pick<SandboxRun, "offline" | "proxied" | "readOnly">;

/** Remembers the end of the output, and which errors appeared anywhere in it after which programs go on, and exit with 0. */
export function hints(limits: Limits, command: string): Hints {
  let tail = "";
  const missed = new Set<string>();
  const unset = new Set<string>();
  return {
    watch(bytes) {
      tail = (tail + bytes.toString("latin1")).slice(-(bytes.length + overlap));
      for (const [sign, hint] of anywhere(limits)) if (sign.test(tail)) missed.add(hint);
      for (const command of missed.has(settingsHint) ? settingsLeft(tail) : []) unset.add(command);
      tail = tail.slice(-4096);
    },
    hint(end) {
      const [first] = missed;
      if (first !== undefined) return first === settingsHint && unset.size > 0 ? leftHint([...unset].slice(0, mostLeft)) : first;
      if (end.kind !== "exited" || end.code === cannotRun) return undefined;
      if (end.code === 0 && !(isCut.test(command) && saysReadOnly.test(tail))) return undefined;
      if (limits.readOnly && isReadOnly.test(tail)) return planHint;
      return signs.find(([sign]) => sign.test(tail))?.[1];
    },
  };
}

const anywhere = ({ offline, proxied, readOnly }: Limits): [RegExp, string][] => [
  ...(readOnly ? [] : ([[settingsKept, settingsHint]] satisfies [RegExp, string][])),
  ...(proxied ? ([[ownLoopback, loopbackHint]] satisfies [RegExp, string][]) : []),
  ...(offline ? ([[noNetwork, proxied ? proxyHint : networkHint]] satisfies [RegExp, string][]) : []),
];

/** A shell's word for a program without the right to be executed, which no sandbox took. */
const cannotRun = 126;

/** A message may arrive in two pieces. */
const overlap = 200;

const networkHint =
  'in the sandbox there is no network: a person can allow it once when a command asks for it, or set "sandbox": {"network": true} in their own settings';

const proxyHint =
  'in the sandbox the network is reached through the proxy that HTTPS_PROXY names, and through nothing else: the proxy asks the person about each host. A program that does not use it has no network, unless the person sets "sandbox": {"network": true} in their own settings';

const loopbackHint =
  'in the sandbox localhost is its own network: servers that a command here runs with background: true are reached, those of this machine are not. What speaks HTTP reaches one of these through the proxy once a rule of the person names its address, such as Network(127.0.0.1); for everything else the person sets "sandbox": {"network": true} in their own settings';

/** Said by curl, node, Go, psql, redis-cli and others; not by what names no address. */
const ownLoopback =
  /Failed to connect to (?:localhost|127\.0\.0\.1|::1) port|connect ECONNREFUSED (?:127\.0\.0\.1|::1)|(?:\b127\.0\.0\.1|\blocalhost|::1)\b[^\n]{0,60}Connection refused/i;

const settingsHint =
  "in the sandbox .git/config stayed as it was, whatever git printed after that error. A command that says itself what it sets is asked about, and can after a yes: git branch --set-upstream-to=origin/main, git push -u, git remote add or git config, for the repository of the working directory";

const leftHint = (commands: string[]) =>
  `in the sandbox .git/config stayed as it was, whatever git says behind that error. The rest is done; what is left to set there needs the person's yes, or a rule of their own that names git's subcommand: ${commands.join("; ")}`;

/** The commands that set what git says that it has set or removed there, as since git 2.36. */
function settingsLeft(said: string): string[] {
  const follows = said.matchAll(/^branch '(\w[\w./-]*)' set up to track '(\w[\w./-]*)'/gim);
  const deleted = said.matchAll(/Update of config-file failed\r?\nDeleted branch (\w[\w./-]*) \(/g);
  return [
    ...[...follows].map(([, branch, upstream]) => `git branch --set-upstream-to=${upstream} ${branch}`),
    ...[...deleted].map(([, branch]) => `git config --remove-section branch.${branch}`),
  ];
}

const mostLeft = 5;

/** git goes on, says that a branch was set up, and exits with 0. */
const settingsKept = /could not write config file \S*: (?:Device or resource busy|Read-only file system)/;

const planHint = "in plan mode the files of the working directory are read-only; only /tmp can be written";

const isReadOnly = /Read-only file system|EROFS/i;

/** Messages of resolvers and connections, including the text around the code, so that a file that mentions such errors does not match. */
const noNetwork =
  /Could not resolve host|Temporary failure in name resolution|Name or service not known|nodename nor servname|Failed to resolve|getaddrinfo (?:ENOTFOUND|EAI_AGAIN|failed)|request to \S+ failed, reason:|(?:connect|Error:|code) (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ENOTFOUND)\b|Network is unreachable|Failed to connect to \S+ port|connect to \S+ port \d+: |\[Errno (?:101|111|-2|-3)\]|dial tcp[^\n]*(?:refused|unreachable|no such host|server misbehaving)|connect: Connection refused|Unable to connect to/i;

/** A line whose last program only passes on what another prints: it succeeds whatever that one did. */
const isCut = /^[^\n]*\|\s*(?:tail|head|grep|tee|cat|less)\b[^\n|]*$/;

/** As system errors end or begin, not as a text mentions them. */
const saysReadOnly = /: Read-only file system\r?$|\bEROFS: |^[^'"]*ENOENT: no such file or directory, mkdir '/m;

/** Node says so of folders of the home, where a folder around them would have to be made. */
const isMissing = /ENOENT: no such file or directory, mkdir/;

const signs: [RegExp, string][] = [
  [
    new RegExp(`${isReadOnly.source}|${isMissing.source}`, "i"),
    "in the sandbox only the working directory and /tmp can be written, without protected files. The person can open another folder, such as a package manager's: /add-dir in a session, or --add-dir",
  ],
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
    "in the sandbox files that rules hide or that usually hold secrets cannot be opened, also through links. A command that names the file itself is asked about",
  ],
];
