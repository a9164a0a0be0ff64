import { describe, expect, it } from "vitest";
import { secretFile } from "../../src/secrets/formats/files.ts";
import { scanText } from "../../src/secrets/secrets.ts";
import { seeded } from "../process/seeded.ts";
import { draw, halves } from "./labelled.ts";
import { score } from "./score.ts";

const token = `ghp_${draw("base62", 36, seeded(3))}`;

describe("scanText()", () => {
  it("reports what was found where, and shows no more than its beginning", () => {
    expect(scanText(`a\nb = "${token}"\n`)).toEqual([
      { kind: "github-token", line: 2, start: 7, end: 47, masked: "ghp_… (40 characters)" },
    ]);
  });

  it.each([...halves, "families"] as const)("classifies the labelled lines of the %s", async (half) => {
    const { recall, precision } = await score(half, { seed: 1 });
    expect([recall >= 0.98, precision >= 0.98]).toEqual([true, true]);
  });

  it("takes linear time on long lines", () => {
    const random = seeded(5);
    const long = [
      draw("base64", 300_000, random),
      "a.".repeat(150_000),
      "password=".repeat(30_000),
      `"token": "${"x".repeat(200_000)}`,
      " ".repeat(200_000),
    ];
    const ms = long.map((text) => {
      const started = performance.now();
      scanText(text);
      return performance.now() - started;
    });
    expect(ms.filter((time) => time > 10_000)).toEqual([]);
    expect(scanText(`${"x".repeat(50_000)} ${token} ${"y".repeat(50_000)}`).map(({ kind }) => kind)).toEqual(["github-token"]);
  });
});

it("secretFile() recognizes files by their names", () => {
  const kinds = [".env", "a/.env.local", ".env.example", "id_rsa", "id_rsa.pub", "server.key", "cert.pem", ".netrc", "env.ts"].map((path) =>
    secretFile(path, "x"),
  );
  expect(kinds).toEqual(["env-file", "env-file", undefined, "key-file", undefined, "key-file", undefined, "credentials-file", undefined]);
});
