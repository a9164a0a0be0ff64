import { expect, it } from "vitest";
import type { SecretName } from "../../../src/secrets/values/names.ts";
import { isSecretValue, type ValueContext } from "../../../src/secrets/values/values.ts";

const places: [SecretName, ValueContext][] = [
  ["password", "quoted"],
  ["token", "quoted"],
  ["password", "in configuration"],
  ["password", "in program"],
  ["password", "near name"],
];

it.each([
  ["hK92jLq8x", ["password quoted", "token quoted", "password in configuration", "password near name"]],
  ["tiger7Panda", ["password quoted", "password in configuration"]],
  ["correct horse battery staple", ["password quoted"]],
  ["enter your password", []],
  ["./path/to/key.pem", []],
  ["https://a.example/x", []],
  ["2024-01-02", []],
  ["1.2.3", []],
  ["getPassword()", []],
  ["config.db.password", []],
  ["MAX_TOKEN_LENGTH", []],
  [
    "8f14e45fceea167a5a36dedd4bea2543",
    ["password quoted", "token quoted", "password in configuration", "password in program", "password near name"],
  ],
  ["application/json", []],
  ["abc", []],
  ["hunter", []],
  ["Secret123!", []],
  ["#password-field", []],
  ["string", []],
  ["0x52908400098527886E0F7030069857D2EE4169E7", []],
  ["pk_live_abcdef123456", []],
  ["user@example.org", []],
  ["letmein", ["password quoted"]],
  ["sunshine", ["password quoted", "password in configuration"]],
])("isSecretValue() takes %s for a secret as %j", (value, expected) => {
  expect(places.filter(([name, context]) => isSecretValue(value, name, context)).map((place) => place.join(" "))).toEqual(expected);
});

it("isSecretValue() takes nothing that is too long to be one", () => {
  expect(isSecretValue("a1B2".repeat(2_000), "token", "quoted")).toBe(false);
});
