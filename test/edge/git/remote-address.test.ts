// Addresses of remotes, as git writes them and as they may be printed.
import { expect, it } from "vitest";
import { isLoopback, remoteAddress, withoutCredentials } from "../../../src/edge/git/remote-address.ts";

it.each([
  ["https://github.com/acme/app.git", { scheme: "https", host: "github.com", port: "", path: "acme/app" }],
  ["https://bob:pw@Forge.test:8443/acme/app/", { scheme: "https", host: "forge.test", port: "8443", path: "acme/app" }],
  ["git@github.com:acme/app.git", { scheme: "ssh", host: "github.com", port: "", path: "acme/app" }],
  ["git+ssh://git@forge.test:2222/acme/app", { scheme: "ssh", host: "forge.test", port: "2222", path: "acme/app" }],
  ["https://forge.test/a%20b/c%zz", { scheme: "https", host: "forge.test", port: "", path: "a%20b/c%zz" }],
  ["/repo/app.git", undefined],
  ["ext::sh -c x", undefined],
  ["file:///repo/app.git", undefined],
])("remoteAddress(%j) is %j", (url, address) => {
  expect(remoteAddress(url)).toEqual(address);
});

it("withoutCredentials() removes names, passwords, tokens and control characters", () => {
  expect(withoutCredentials("fatal: https://bob:pw@forge.test/a and http://x@y@forge.test/b")).toBe(
    "fatal: https://forge.test/a and http://forge.test/b",
  );
  expect(withoutCredentials(`?token=abc&x=1 ghp_${"a".repeat(20)} \u001b[31mred\u001b[0m\u0007`)).toBe("?token=[hidden]&x=1 [hidden] red");
});

it("isLoopback() is true for this machine only", () => {
  expect(["127.0.0.1", "localhost", "[::1]", "127.0.0.1.test", "forge.test"].map(isLoopback)).toEqual([true, true, true, false, false]);
});
