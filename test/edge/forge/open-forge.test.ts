// Which login a push takes, with a program called gh on PATH.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pushTokens } from "../../../src/edge/forge/open-forge.ts";
import { programFolder } from "../../scratch.ts";

const remote = "https://github.com/acme/app.git";

function ghThatSays(said: string) {
  const folder = programFolder({ gh: `#!/bin/sh\necho "$*" >>"$0.calls"\n${said}\n` });
  const calls = join(folder, "gh.calls");
  return { env: { PATH: folder, HOME: folder }, calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []) };
}

describe("pushTokens()", () => {
  it("asks gh once for all pushes to an address", async () => {
    const { env, calls } = ghThatSays("echo from-gh");
    const token = pushTokens(env, {});
    expect([await token(remote), await token(remote), calls()]).toEqual(["from-gh", "from-gh", ["auth token --hostname github.com"]]);
  });

  it("asks gh again while it has no login, and takes the token of the environment", async () => {
    const { env, calls } = ghThatSays("exit 1");
    const [without, token] = [pushTokens(env, {}), pushTokens({ ...env, GH_TOKEN: "from-variable" }, {})];
    expect([await without(remote), await without(remote), calls().length]).toEqual([undefined, undefined, 2]);
    expect(await token(remote)).toBe("from-variable");
  });

  it("shows gh no token that is for another server", async () => {
    const { env } = ghThatSays('[ -n "$GH_ENTERPRISE_TOKEN" ] && echo "$GH_ENTERPRISE_TOKEN" || echo its-own');
    const mine = { ...env, GH_ENTERPRISE_TOKEN: "for-code", GH_HOST: "code.example.org" };
    const token = pushTokens(mine, { "other.example": "github" });
    expect([await token("https://code.example.org/acme/app"), await token("https://other.example/acme/app")]).toEqual([
      "for-code",
      "its-own",
    ]);
  });

  it("has none for a forge that it does not know, and does not ask gh", async () => {
    const { env, calls } = ghThatSays("echo from-gh");
    expect([await pushTokens(env, {})("https://forge.example/acme/app.git"), calls()]).toEqual([undefined, []]);
  });
});
