// Generated documents with planted secrets: after redaction no nine characters of a secret are left, and restoring gives the same bytes.

import { createRedactor } from "../../src/secrets/redaction/redactor.ts";
import type { Scanner } from "../../src/secrets/secrets.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";

export type RedactionFault = { seed: number; why: "left" | "changed"; what: string };

/** Checks `count` documents from `seed` on; each fault names the seed of its document. */
export async function fuzzRedaction(count: number, { seed, scanner }: { seed: number; scanner: Scanner }): Promise<RedactionFault[]> {
  const faults: RedactionFault[] = [];
  for (let n = 0; n < count; n++) faults.push(...(await checkDocument(seed + n, scanner)));
  return faults;
}

async function checkDocument(seed: number, scanner: Scanner): Promise<RedactionFault[]> {
  const random = seeded(seed);
  const { bytes, secrets } = makeDocument(random);
  const redactor = createRedactor({ mode: "redact", scanner, variables: [] });
  const clean = await redactor.file("a.txt", bytes);
  const shown = await redactor.text(listing(clean.bytes.toString("latin1"), random));
  const left = secrets.flatMap((secret) =>
    stretches(secret)
      .filter((piece) => bare(shown.text).includes(piece))
      .slice(0, 1),
  );
  const back = redactor.restore("a.txt", clean.bytes);
  return [
    ...left.map((what): RedactionFault => ({ seed, why: "left", what })),
    ...(back.ok && back.bytes.equals(bytes) ? [] : [{ seed, why: "changed" as const, what: back.ok ? "other bytes" : back.reason }]),
  ];
}

type Random = () => number;

/** Lines of all kinds with secrets among them. Each secret appears once with its name, and may appear again in other forms. */
function makeDocument(random: Random): { bytes: Buffer; secrets: string[] } {
  const secrets = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(makers, random)(random));
  const lines: string[] = [];
  for (const { line, secret } of secrets) {
    lines.push(...fillers(random), line);
    for (let again = Math.floor(random() * 3); again > 0; again--) lines.push(...fillers(random), pick(forms, random)(secret, random));
  }
  const end = random() < 0.3 ? "\r\n" : "\n";
  const text = lines.join("\n").replaceAll("\n", end) + (random() < 0.5 ? end : "");
  const odd = random() < 0.1 ? Buffer.from([0xff, 0xe9, 0x0a]) : Buffer.alloc(0);
  return { bytes: Buffer.concat([Buffer.from(text), odd]), secrets: secrets.map(({ secret }) => secret) };
}

const pick = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)]!;

type Planted = { line: string; secret: string };
const named =
  (prefix: string, alphabet: string, size: number, frame: (secret: string) => string) =>
  (random: Random): Planted => {
    const secret = `${prefix}${draw(alphabet, size, random)}`;
    return { secret, line: frame(secret) };
  };

const makers: ((random: Random) => Planted)[] = [
  named("ghp_", "base62", 36, (secret) => `GITHUB_TOKEN=${secret}`),
  named("AKIA", "base32", 16, (secret) => `aws_access_key_id = ${secret}`),
  named("", "base62", 40, (secret) => `"clientSecret": "${secret}",`),
  named("", "password", 0, (secret) => `password = '${secret}'`),
  named("", "hex", 40, (secret) => `api_key: "${secret}"`),
  named("", "jwt", 0, (secret) => `Authorization: Bearer ${secret}`),
  named("", "plainpassword", 0, (secret) => `postgres://app:${secret}@db.internal/app`),
  named("", "pem", 5, (secret) => `-----BEGIN ${"PRIVATE"} KEY-----\n${secret}\n-----END ${"PRIVATE"} KEY-----`),
];

const forms: ((secret: string, random: Random) => string)[] = [
  (secret) => secret,
  (secret) => `${secret}${secret}`,
  (secret) => `log: ${secret} (again)`,
  (secret) => JSON.stringify({ nested: JSON.stringify({ value: `\n${secret}` }) }),
  (secret, random) => secret.slice(0, 9 + Math.floor(random() * secret.length)),
  (secret, random) => secret.slice(Math.floor(random() * secret.length)),
  (secret) => (secret.match(/[\s\S]{1,11}/g) ?? []).join("\n"),
  (secret) => (secret.match(/[\s\S]{1,17}/g) ?? []).join("\n    "),
  (secret) => `https://host/?x=${encodeURIComponent(secret)}`,
];

function fillers(random: Random): string[] {
  return Array.from({ length: Math.floor(random() * 4) }, () =>
    pick(
      [
        "",
        "const answer = 42;",
        `// commit ${draw("hex", 40, random)}`,
        "The quick brown fox, ünïcödé, 日本語",
        "see [secret:password:1] and [secret:x:99]",
        "[secret:",
        "password = process.env.PASSWORD",
        `id: ${draw("uuid", 0, random)}`,
        "x".repeat(Math.floor(random() * 200)),
      ],
      random,
    ),
  );
}

function listing(text: string, random: Random): string {
  if (random() < 0.5) return text;
  return text
    .split("\n")
    .map((line, index) => `${index + 1}\t${line}`)
    .join("\n");
}

const bare = (text: string) => text.replaceAll(/\\[nrt]|[\s\\]/g, "");

/** The common beginning of all web tokens is not secret. */
function stretches(secret: string): string[] {
  const own = bare(secret.replace(/^eyJ[\w-]+\./, ""));
  return Array.from({ length: Math.max(0, own.length - 8) }, (_, at) => own.slice(at, at + 9));
}
