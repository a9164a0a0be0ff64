// The hint given for a command that the sandbox stopped.
import { expect, it } from "vitest";
import { hints } from "../../../../src/edge/shell/sandbox/hint.ts";

function hintAfter(output: string[], { code = 1, offline = true } = {}): string | undefined {
  const { watch, hint } = hints({ offline });
  for (const piece of output) watch(Buffer.from(piece));
  return hint({ kind: "exited", code });
}

it.each([
  ["curl: (6) Could not resolve host: example.org", /no network/],
  ["touch: cannot touch '/etc/x': Read-only file system", /only the working directory/],
  ["error: open(\".env\"): Permission denied\nerror: unable to index file '.env'", /git cannot read files/],
  ["bash: line 1: setup: Permission denied\n", /files that rules hide or that usually hold secrets/],
  ["Error: EACCES: permission denied, open 'setup'\n    at Object.open", /what links with such names lead to/],
  ["PermissionError: [Errno 13] Permission denied: 'setup'", /where the command itself names the file/],
  ["mv: cannot move 'a': Device or resource busy", /cannot be moved/],
])("%j explains itself", (output, hint) => {
  expect(hintAfter([output])).toMatch(hint);
});

it("recognizes a message that arrives in two pieces, and one of a program that went on without the network", () => {
  expect(hintAfter(["Could not res", "olve host: example.org"])).toMatch(/no network/);
  expect(hintAfter(["npm warn: getaddrinfo ENOTFOUND registry"], { code: 0 })).toMatch(/no network/);
});

it("says nothing with a network, after a success, or about other errors", () => {
  expect(hintAfter(["Could not resolve host: example.org"], { offline: false })).toBeUndefined();
  expect(hintAfter(["Read-only file system"], { code: 0 })).toBeUndefined();
  expect(hintAfter(["no such file"])).toBeUndefined();
  expect(hintAfter(["git@example.org: Permission denied (publickey)."])).toBeUndefined();
  expect(hintAfter(["bash: line 1: ./run: Permission denied\n"], { code: 126 })).toBeUndefined();
});
