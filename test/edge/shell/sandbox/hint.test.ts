// The hint given for a command that the sandbox stopped.
import { expect, it } from "vitest";
import { hints } from "../../../../src/edge/shell/sandbox/hint.ts";

function hintAfter(
  output: string[],
  { code = 1, offline = true, proxied = false, readOnly = false, command = "x" } = {},
): string | undefined {
  const { watch, hint } = hints({ offline, proxied, readOnly }, command);
  for (const piece of output) watch(Buffer.from(piece));
  return hint({ kind: "exited", code });
}

it.each([
  ["curl: (6) Could not resolve host: example.org", /no network/],
  ["touch: cannot touch '/etc/x': Read-only file system", /only the working directory/],
  ["error: open(\".env\"): Permission denied\nerror: unable to index file '.env'", /git cannot read files/],
  ["bash: line 1: setup: Permission denied\n", /files that rules hide or that usually hold secrets/],
  ["Error: EACCES: permission denied, open 'setup'\n    at Object.open", /also through links/],
  ["PermissionError: [Errno 13] Permission denied: 'setup'", /A command that names the file itself is asked about/],
  ["mv: cannot move 'a': Device or resource busy", /cannot be moved/],
])("%j explains itself", (output, hint) => {
  expect(hintAfter([output])).toMatch(hint);
});

it("recognizes a message that arrives in two pieces, and one of a program that went on without the network", () => {
  expect(hintAfter(["Could not res", "olve host: example.org"])).toMatch(/no network/);
  expect(hintAfter(["npm warn: getaddrinfo ENOTFOUND registry"], { code: 0 })).toMatch(/no network/);
});

it("names read-only places also where the last program of a pipe succeeds, and where Node misses a folder of the home", () => {
  const said = ["Error: EROFS: read-only file system, open 'a'\n", "npm error ENOENT: no such file or directory, mkdir '/home/me/.x'\n"];
  for (const output of [...said, "touch: cannot touch '/etc/x': Read-only file system\n"])
    for (const code of [0, 1]) expect(hintAfter([output], { code, command: "x 2>&1 | tail -5" })).toMatch(/only the working directory/);
  expect(hintAfter(said, { code: 0 })).toBeUndefined();
  expect(hintAfter(said, { code: 0, command: "x | sort\ny" })).toBeUndefined();
});

it("says nothing with a network, after a success, or about other errors", () => {
  expect(hintAfter(["Could not resolve host: example.org"], { offline: false })).toBeUndefined();
  expect(hintAfter(["Read-only file system"], { code: 0 })).toBeUndefined();
  expect(hintAfter(["no such file"])).toBeUndefined();
  expect(hintAfter(["git@example.org: Permission denied (publickey)."])).toBeUndefined();
  expect(hintAfter(["bash: line 1: ./run: Permission denied\n"], { code: 126 })).toBeUndefined();
});

it("says what became of git's settings, though git goes on, and nothing of them in the mode plan", () => {
  const busy = [
    "error: could not write config file .git/config: Device or resource busy\n",
    "branch 'main' set up to track 'origin/main'.\n",
  ];
  expect(hintAfter(busy, { code: 0 })).toMatch(/\.git\/config stayed as it was.*git branch --set-upstream-to/);
  expect(hintAfter(["error: could not write config file .git/config: Read-only file system"], { readOnly: true })).toMatch(/plan mode/);
});

it("names the commands that set what git says that it has set, in whatever order its streams come", () => {
  const error = "error: could not write config file .git/config: Device or resource busy\n";
  const rest = (output: string[]) => /subcommand: (.*)$/.exec(hintAfter(output, { code: 0 }) ?? "")?.[1];
  expect(rest(["Switched to a new branch 'x'\nbranch 'x' set up to ", "track 'origin/a-b'.\n", error])).toBe(
    "git branch --set-upstream-to=origin/a-b x",
  );
  expect(rest([`${error}warning: Update of config-file failed\nDeleted branch old/one (was efff61a).\n`])).toBe(
    "git config --remove-section branch.old/one",
  );
  expect(rest([error, "branch 'x; rm -rf .' set up to track 'origin/x'.\n", "branch '-f' set up to track 'origin/x'.\n"])).toBeUndefined();
  const many = Array.from({ length: 9 }, (_, at) => `branch 'b${at}' set up to track 'origin/b'.\n`);
  expect(rest([error, ...many])?.split("; ").length).toBe(5);
});

it("says in the mode plan that files are read-only there", () => {
  expect(hintAfter(["Error: EROFS: read-only file system, open 'a'"], { readOnly: true })).toMatch(/^in plan mode the files/);
});

it.each([
  "curl: (7) Failed to connect to 127.0.0.1 port 48733 after 0 ms: Couldn't connect to server",
  "Error: connect ECONNREFUSED 127.0.0.1:5432",
  'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
  "Could not connect to Redis at 127.0.0.1:6379: Connection refused",
  "dial tcp 127.0.0.1:80: connect: connection refused",
])("%j is about a server of this machine, and not about hosts that are asked for", (output) => {
  expect(hintAfter([output], { proxied: true })).toMatch(/^in the sandbox localhost is its own/);
  expect(hintAfter(["connect ECONNREFUSED 192.0.2.1:80"], { proxied: true })).toMatch(/the proxy asks the person/);
});
