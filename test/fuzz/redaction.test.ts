import { expect, it } from "vitest";
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { fuzzRedaction } from "./redaction.ts";

it("leaves no nine characters of a planted secret, and puts every byte back", async () => {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  expect(await fuzzRedaction(Number(process.env["COUNT"] ?? 300), { seed, scanner: secretScanner() }), `seed ${seed}`).toEqual([]);
}, 600_000);
