// The program that prints the provider's key: real programs, run without a shell.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { helperProblem, keyHelper } from "../../../src/edge/model/key-helper.ts";
import { leastRequest, refusal, startMessagesApi, text } from "../../messages-api.ts";
import { scratchFolder } from "../../scratch.ts";

/** A program that counts its runs and prints `key-1`, `key-2`, … */
function counting(folder: string): string {
  const path = join(folder, "give key");
  writeFileSync(path, `#!/bin/sh\necho run >> "$HOME/runs"\necho "key-$(wc -l < "$HOME/runs" | tr -d ' ')"\n`);
  chmodSync(path, 0o755);
  return `'${path}' --for "the provider"`;
}

function place() {
  const home = scratchFolder();
  return { home, env: { HOME: home, PATH: process.env["PATH"] ?? "" } };
}

const request = leastRequest;

describe("keyHelper()", () => {
  it("runs the program once for all callers, and again for a refused key", async () => {
    const { home, env } = place();
    const helper = keyHelper(counting(home), env);
    expect(await Promise.all([helper.key(), helper.key()])).toEqual([
      { ok: true, key: "key-1" },
      { ok: true, key: "key-1" },
    ]);
    expect(await helper.renew("key-1")).toEqual({ ok: true, key: "key-2" });
    expect(await helper.renew("key-1")).toEqual({ ok: true, key: "key-2" });
    expect(await helper.key()).toEqual({ ok: true, key: "key-2" });
  });

  it("finds a program in the home, and says how one failed", async () => {
    const { home, env } = place();
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin/key"), "#!/bin/sh\necho 'not signed in' >&2\nexit 3\n", { mode: 0o755 });
    const said = async (command: string) => keyHelper(command, env).key();
    const failed = (why: string) => ({ ok: false, reason: `No key from the settings' "apiKeyHelper": ${why}.` });
    expect(await said("~/bin/key")).toEqual(failed("~/bin/key ended with exit code 3: not signed in"));
    expect(await said("/nowhere/key")).toEqual(failed("/nowhere/key was not found on PATH"));
    expect(await said("true")).toEqual(failed("true printed nothing"));
    expect(await said("echo two words")).toEqual(failed("echo printed something that is not a key"));
  });
});

describe("helperProblem()", () => {
  it.each(["key", "~/bin/key --a=b", `'a b' "c d" e'f'`])("accepts %j", (command) => {
    expect(helperProblem(command)).toBeUndefined();
  });

  it.each([
    ["", "it is empty"],
    ["key | head -1", '"|" in it is for a shell'],
    ["echo $KEY", '"$" in it is for a shell'],
    ["cat ~/key; curl x", '";" in it is for a shell'],
    ["a `b`", '"`" in it is for a shell'],
    ['"$(b)"', '""" in it is for a shell'],
    ["a 'b", '"\'" in it is for a shell'],
  ])("refuses %j, which only a shell could parse", (command, why) => {
    expect(helperProblem(command)).toContain(why);
  });
});

it("a key that the provider refuses is requested again, once per refusal", async () => {
  const { home, env } = place();
  const unauthorized = refusal(401, "authentication_error", "expired");
  const api = await startMessagesApi({ reply: [unauthorized, text("Hello."), text("Again.")] });
  onTestFinished(api.close);
  const model = anthropicModel({ apiKey: "unused", keyHelper: keyHelper(counting(home), env), baseURL: api.url });
  const attempt = () => model.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });
  expect([(await attempt()).kind, (await attempt()).kind]).toEqual(["reply", "reply"]);
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-1", "Bearer key-2", "Bearer key-2"]);
});
