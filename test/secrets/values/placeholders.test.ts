import { describe, expect, it } from "vitest";
import { isPlaceholder } from "../../../src/secrets/values/placeholders.ts";

describe("isPlaceholder()", () => {
  it.each([
    "changeme",
    "your-api-key",
    "<token>",
    "xxxxxxxx",
    "\u0024{TOKEN}",
    "$TOKEN",
    "{{ token }}",
    "%TOKEN%",
    "process.env.TOKEN",
    "********",
    "123456",
    "12345678",
    "abcdefgh",
    "mysecretkey",
    "password123",
    "hunter2",
    "sk-test-example",
    "AKIAIOSFODNN7EXAMPLE",
    "null",
    "true",
    "none",
    "aaaaaaaa",
    "vault:secret/x",
    "op://vault/item",
    "arn:aws:secretsmanager:x",
    "test",
    "qwerty",
    "deadbeefdeadbeef",
    "TODO",
    "fake-key-1",
    "REDACTED",
    "os.environ['X']",
    "get_secret('x')",
    "file:/run/secrets/x",
    "\u0024{{ secrets.X }}",
    "!Ref X",
    "ENC[abc]",
  ])("takes %s for no secret", (value) => expect(isPlaceholder(value)).toBe(true));

  it.each(["hK92jLq8x", "8f14e45fceea167a5a36dedd4bea2543", "correct-horse", "s3cr3t", "P@ssw0rd", "Tr0ub4dor&3", "zK8-wPq3-Lm92"])(
    "takes %s for a secret",
    (value) => expect(isPlaceholder(value)).toBe(false),
  );
});
