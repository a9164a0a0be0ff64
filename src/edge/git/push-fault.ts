// Why a `git push` failed: the remote refused, needs a login, or was not reached. Parsed from git's English output.
import { withoutCredentials } from "./remote-address.ts";

export type PushFault = { kind: "rejected" | "auth" | "network" | "failed"; reason: string };

type PushEnd = {
  /** In the format of `--porcelain`, where a refused reference begins with `!`. */
  stdout: string;
  stderr: string;
  /** What could not be pushed, and where. */
  what: string;
  /** What the person does when the cause is gone. */
  next?: "resume" | "try again";
};

export function pushFault({ stdout, stderr, what, next = "resume" }: PushEnd): PushFault {
  const refused = /^!\t\S*\t(\[.+?\].*)$/m.exec(stdout)?.[1];
  const remote = [...stderr.matchAll(/^remote: ?(.*\S)\s*$/gm)].map(([, line = ""]) => line);
  const said = [...stderr.matchAll(/^(?:fatal|error|ssh): (.*\S)\s*$/gm)].map(([, line = ""]) => line);
  const kind = refused !== undefined ? "rejected" : (kinds.find(([, pattern]) => pattern.test(stderr))?.[0] ?? "failed");
  const words = [...(refused === undefined ? said : [hint(refused)]), ...remote].slice(0, 6);
  const text = words.length > 0 ? words.join("; ") : stderr.trim() || "git said nothing";
  return { kind, reason: withoutCredentials(`Cannot push ${what}: ${text}${remedyFor(kind, next)}`) };
}

const kinds: [PushFault["kind"], RegExp][] = [
  [
    "auth",
    /could not read (?:Username|Password)|Authentication failed|Permission denied|Permission to \S+ denied|returned error: 40[13]|invalid credentials|Host key verification failed|terminal prompts disabled|access denied|not allowed to push/i,
  ],
  [
    "network",
    /Could not resolve host|Connection (?:refused|timed out|reset)|Failed to connect|Network is unreachable|Operation timed out|Could not connect|unexpectedly closed|returned error: 5\d\d|early EOF|hung up unexpectedly/i,
  ],
  ["rejected", /pre-receive hook declined|protected branch|remote rejected|GH\d{3}:/i],
];

function remedyFor(kind: PushFault["kind"], next: "resume" | "try again"): string {
  if (kind === "auth")
    return `. Sign in for this remote (an ssh key, a token of the forge that may push, or gh auth login at GitHub), and ${next}`;
  if (kind !== "network") return "";
  return next === "resume" ? ". The branch is kept: resume when the remote answers" : `. Check its address (git remote -v), and ${next}`;
}

const hint = (refused: string) =>
  /fetch first|non-fast-forward/.test(refused)
    ? `${refused}: someone else has pushed to this branch, and their commits are not overwritten`
    : refused;
