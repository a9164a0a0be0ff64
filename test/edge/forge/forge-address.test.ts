import { describe, expect, it } from "vitest";
import { forgeAddress } from "../../../src/edge/forge/forge-address.ts";
import { remoteAddress, withoutCredentials } from "../../../src/edge/git/remote-address.ts";

describe("forgeAddress()", () => {
  const gitHub = { kind: "github", host: "github.com", api: "https://api.github.com", owner: "acme", repository: "app" };

  it.each([
    "https://github.com/acme/app.git",
    "https://github.com/acme/app/",
    "https://ann:ghp_0123456789012345@github.com/acme/app",
    "git@github.com:acme/app.git",
    "ssh://git@ssh.github.com:443/acme/app.git",
    "git+ssh://git@GitHub.com/acme/app",
  ])("recognizes %s", (url) => {
    expect(forgeAddress(url, {})).toEqual({ ...gitHub, tokens: ["GH_TOKEN", "GITHUB_TOKEN"] });
  });

  it("treats a server as GitHub Enterprise if the user says so, and gives it no token of github.com", () => {
    const url = "git@code.example.org:acme/app.git";
    expect(forgeAddress(url, {})).toMatchObject({ kind: "none", reason: expect.stringContaining("GH_HOST=code.example.org") });
    const enterprise = { kind: "github", host: "code.example.org", api: "https://code.example.org/api/v3" };
    expect(forgeAddress(url, { GH_TOKEN: "y" }, { "code.example.org": "github" })).toMatchObject({
      ...enterprise,
      tokens: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
    });
    expect(forgeAddress(url, { GH_HOST: "code.example.org" })).toMatchObject({
      ...enterprise,
      tokens: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    });
    expect(forgeAddress("https://acme.ghe.com/acme/app", {})).toMatchObject({ api: "https://api.acme.ghe.com" });
  });

  it("gives a token of GitHub Enterprise to no host but the one that it is for", () => {
    const env = { GH_ENTERPRISE_TOKEN: "x" };
    const url = "https://other.example/acme/app";
    const forges = { "other.example": "github" } as const;
    expect(forgeAddress(url, env)).toMatchObject({ kind: "none", reason: expect.stringContaining("GH_HOST=other.example") });
    expect(forgeAddress(url, { ...env, GH_HOST: "code.example.org" })).toMatchObject({ kind: "none" });
    expect(forgeAddress(url, { ...env, GH_HOST: "code.example.org" }, forges)).toMatchObject({ kind: "github", tokens: [] });
    expect(forgeAddress(url, { ...env, GITHUB_API_URL: "https://code.example.org/api/v3" }, forges)).toMatchObject({ tokens: [] });
    expect(forgeAddress(url, { ...env, GITHUB_API_URL: "https://api.github.com", GH_HOST: "github.com" }, forges)).toMatchObject({
      tokens: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
    });
  });

  it("follows GITHUB_API_URL and GITHUB_REPOSITORY, and sends no token unencrypted", () => {
    const env = { GITHUB_API_URL: "http://127.0.0.1:8080/api/v3/", GITHUB_REPOSITORY: "acme/app" };
    const loopback = { kind: "github", host: "127.0.0.1:8080", api: "http://127.0.0.1:8080/api/v3", owner: "acme", repository: "app" };
    expect(forgeAddress("/srv/app.git", env)).toMatchObject(loopback);
    expect(forgeAddress("http://127.0.0.1:8080/acme/app.git", env)).toMatchObject(loopback);
    expect(forgeAddress("https://github.com/acme/app", env)).toMatchObject(gitHub);
    expect(forgeAddress("https://github.com/acme/app", { GITHUB_API_URL: "https://api.github.com" })).toMatchObject(gitHub);
    expect(forgeAddress("/srv/app.git", { ...env, GITHUB_API_URL: "http://example.org/api/v3" })).toMatchObject({
      kind: "none",
      reason: expect.stringContaining("https://"),
    });
  });

  it.each([
    ["/srv/app.git", "a folder"],
    ["https://bitbucket.org/acme/app.git", "at Bitbucket: push the branches that it leaves, and open them there"],
    ["https://forge.example/acme/app.git", "tool config set forges.forge.example gitlab"],
    ["https://dev.azure.com/acme/app", "Azure DevOps"],
    ["https://github.com/acme", "owner/name"],
    ["ext::sh -c touch% /tmp/x", "a folder or a program"],
  ])("finds none at %s, and says why", (url, why) => {
    expect(forgeAddress(url, {})).toMatchObject({ kind: "none", reason: expect.stringContaining(why) });
  });
});

describe("withoutCredentials()", () => {
  it.each([
    ["https://ann:secret@example.org/a.git", "https://example.org/a.git"],
    ["fatal: unable to access 'https://ghp_x@h/a/': no", "fatal: unable to access 'https://h/a/': no"],
    ["https://ann:p@ss@example.org/a", "https://example.org/a"],
    ["ssh://git@example.org:22/a and http://b", "ssh://example.org:22/a and http://b"],
    ["https://h/a?private_token=abc&x=1", "https://h/a?private_token=[hidden]&x=1"],
    [`token ghp_${"a".repeat(36)} is bad`, "token [hidden] is bad"],
    ["git@example.org:a.git", "git@example.org:a.git"],
    ["\u001b[31mred\u001b[0m\u0007", "red"],
  ])("prints %j without credentials", (text, shown) => {
    expect(withoutCredentials(text)).toBe(shown);
  });

  it("never keeps a password of an address that git would use", () => {
    for (const url of ["https://u:hunter2@h/p", "http://:hunter2@h/p", "https://hunter2@h", "ssh://u:hunter2@h:1/p@q"])
      expect([withoutCredentials(`x ${url} y`).includes("hunter2"), JSON.stringify(remoteAddress(url)).includes("hunter2")]).toEqual([
        false,
        false,
      ]);
  });
});
