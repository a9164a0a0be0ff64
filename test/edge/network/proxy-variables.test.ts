import { expect, it } from "vitest";
import { proxyVariables } from "../../../src/edge/network/proxy-variables.ts";

it("names the proxy for programs of each kind, and keeps the person's own options of Java", () => {
  const {
    HTTPS_PROXY,
    no_proxy: none,
    MAVEN_OPTS,
    GRADLE_OPTS,
  } = proxyVariables("http://127.0.0.1:81", { MAVEN_OPTS: "-Xmx4g" }, () => false);
  const java = "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=81 -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=81";
  expect([HTTPS_PROXY, none, MAVEN_OPTS, GRADLE_OPTS]).toEqual(["http://127.0.0.1:81", "localhost,127.0.0.1,::1", `-Xmx4g ${java}`, java]);
});

it("sends to the proxy what a rule names of this machine", () => {
  expect(proxyVariables("http://127.0.0.1:81", {}, (host) => host === "127.0.0.1")["NO_PROXY"]).toBe("localhost,::1");
});
