// The cause of a failed push, read from the output of git and remotes. Real refusals of a bare repository are in batch-repository.test.ts.
import { expect, it } from "vitest";
import { pushFault } from "../../../src/edge/git/push-fault.ts";

const porcelain = (why: string) => `To https://forge/a.git\n!\trefs/heads/tool/b/u:refs/heads/tool/b/u\t[${why}]\nDone\n`;

it.each([
  [porcelain("remote rejected] (protected branch hook declined"), "remote: GH006: Protected branch update failed\n", "rejected", "GH006"],
  [porcelain("remote rejected] (pre-receive hook declined"), "remote: no tabs\n", "rejected", "no tabs"],
  [porcelain("rejected] (non-fast-forward"), "", "rejected", "are not overwritten"],
  [
    "",
    "remote: Permission to acme/app.git denied to ann.\nfatal: unable to access 'https://forge/': The requested URL returned error: 403\n",
    "auth",
    "denied to ann",
  ],
  ["", "git@forge: Permission denied (publickey).\nfatal: Could not read from remote repository.\n", "auth", "Sign in for this remote"],
  ["", "fatal: could not read Username for 'https://forge': terminal prompts disabled\n", "auth", "gh auth login at GitHub"],
  ["", "fatal: unable to access 'https://ann:pw@forge/': Could not resolve host: forge\n", "network", "resume when the remote answers"],
  ["", "error: RPC failed; HTTP 502\nfatal: the remote end hung up unexpectedly\n", "network", "hung up"],
  ["", "fatal: bad object refs/heads/x\n", "failed", "bad object"],
])("%j %j is %s", (stdout, stderr, kind, words) => {
  const fault = pushFault({ stdout, stderr, what: "tool/b/u to origin" });
  expect(fault).toEqual({ kind, reason: expect.stringContaining(words) });
  expect(fault.reason).not.toContain("pw@");
});
