// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of entries
import { expect, it } from "vitest";
import { expanded } from "../../src/mcp/expand.ts";

const env = { HERE: "/home/me", EMPTY: "", NESTED: "${HERE}" };
const oauth = { clientId: "${ID:-mine}", clientSecret: "${HERE}", scope: "${HERE}" };

it("fills in variables in every text of an entry, once", () => {
  const args = ["a${HERE}b${HERE}", "${EMPTY:-else}", "[${EMPTY}]", "${GONE:-}", "${GONE:-a:-b c}", "${NESTED}", "$HERE ${not-one} ${}"];
  const stdio = { kind: "stdio" as const, command: "${HERE}/run", args, env: { KEY: "${HERE}", "${HERE}": "x" } };
  expect(expanded(stdio, env)).toEqual({
    ok: true,
    server: {
      kind: "stdio",
      command: "/home/me/run",
      args: ["a/home/meb/home/me", "else", "[]", "", "a:-b c", "${HERE}", "$HERE ${not-one} ${}"],
      env: { KEY: "/home/me", "${HERE}": "x" },
    },
  });
  expect(expanded({ kind: "http", url: "http://${HOST:-localhost}/", headers: { X: "Bearer ${HERE}" }, oauth }, env)).toEqual({
    ok: true,
    server: {
      kind: "http",
      url: "http://localhost/",
      headers: { X: "Bearer /home/me" },
      oauth: { clientId: "mine", clientSecret: "/home/me", scope: "${HERE}" },
    },
  });
});

it("names every variable that is missing without a default", () => {
  const one = { kind: "stdio" as const, command: "${A}", args: ["${A}", "${B:-x}"], env: {} };
  expect(expanded(one, {})).toEqual({ ok: false, reason: "A is not set, and the entry gives no default" });
  expect(expanded({ ...one, env: { C: "${C}" } }, {})).toEqual({
    ok: false,
    reason: "A and C are not set, and the entry gives no default",
  });
});
