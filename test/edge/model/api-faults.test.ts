import { describe, expect, it } from "vitest";
import { faultOfConnection, parseRetryAfter } from "../../../src/edge/model/api-faults.ts";

describe("retry-after", () => {
  const now = new Date("2026-11-21T08:00:00Z");
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "86400" }, 86_400_000],
    [{ "retry-after": "Sat, 21 Nov 2026 08:00:30 GMT" }, 30_000],
    [{ "retry-after": "Saturday, 21-Nov-26 08:00:30 GMT" }, 30_000],
    [{ "retry-after-ms": "750" }, 750],
    [{ "retry-after-ms": "12.5", "retry-after": "9" }, 12.5],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9000],
    [{}, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "NaN" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "1e9" }, undefined],
    [{ "retry-after": "99999999999999999999" }, undefined],
    [{ "retry-after": "2026" + "-13-45" }, undefined],
    [{ "retry-after": "Sat, 21 Nov 2026 07:59:59 GMT" }, undefined],
    [{ "retry-after": "Mon, 99 Foo 2026" }, undefined],
  ])("%j waits %s ms", (headers, expected) => {
    expect(parseRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});

describe("a connection that fails", () => {
  it("is fatal if the server's certificate is not trusted, because waiting changes nothing", () => {
    expect(faultOfConnection({ code: "SELF_SIGNED_CERT_IN_CHAIN" }, "https://gateway.example")).toEqual({
      verdict: "fatal",
      reason:
        "The certificate of https://gateway.example is not trusted (SELF_SIGNED_CERT_IN_CHAIN). If a proxy of your own signs for it, set NODE_EXTRA_CA_CERTS to its certificate.",
    });
  });
});
