import { describe, expect, it } from "vitest";
import { mayNameSecrets, secretName } from "../../../src/secrets/values/names.ts";

const passwords = [
  "password",
  "DB_PASSWORD",
  "dbPassword",
  "passwords",
  "userPwd",
  "pw",
  "password2",
  "DB_PASSWORD_PROD",
  "mysqlRootPassword",
  "smtp_pass",
  "contraseña",
  "REGISTRY_PASSWORD",
];
const phrases = ["JWT_SECRET", "session_secret", "SECRET_KEY"];
const tokens = [
  "clientSecret",
  "API_KEY",
  "apiKey",
  "apikeys",
  "access_token",
  "OPENWEATHER_KEY",
  "primaryKey",
  "PRIVATE_KEY",
  "FIELD_ENCRYPTION_KEY",
  "AWS_SECRET_ACCESS_KEY",
  "api_hash",
  "erlang_cookie",
  "x-honeycomb-team",
  "pat",
  "GH_PAT",
];

describe("secretName()", () => {
  it.each(passwords)("knows %s for a password, which may be any text", (name) => expect(secretName(name)).toBe("password"));
  it.each(phrases)("knows %s for a phrase, which may be some words", (name) => expect(secretName(name)).toBe("phrase"));
  it.each(tokens)("knows %s for a token, which is generated", (name) => expect(secretName(name)).toBe("token"));
  it.each([
    "password_hash",
    "password_reset_url",
    "PASSWORD_MIN_LENGTH",
    "client_secret_id",
    "publicKey",
    "PUBLIC_API_KEY",
    "tokenType",
    "token_count",
    "max_tokens",
    "csrf_token",
    "idempotency_key",
    "openweather_key",
    "key",
    "private_key_path",
    "aws_access_key_id",
    "pusher_app_key",
    "HASH_SALT",
    "salt",
    "path",
    "compass",
    "passing",
    "keyboard",
    "secretary",
    "tokenizer",
    "pattern",
    "registry_url",
    "hostname",
    "author",
  ])("knows %s for harmless", (name) => expect(secretName(name)).toBeUndefined());
});

describe("mayNameSecrets()", () => {
  it("misses no text in which there is such a name", () => {
    expect([...passwords, ...phrases, ...tokens].filter((name) => !mayNameSecrets(`{ "${name}": "value" }`))).toEqual([]);
  });

  it("passes over most other texts", () => {
    expect(["the path of this file", "a list of members", "export function compare()"].filter(mayNameSecrets)).toEqual([]);
  });
});
