import { expect, it } from "vitest";
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { fuzzRedaction } from "./redaction.ts";

it("leaves no nine characters of a planted secret, and puts every byte back", async () => {
  const seed = 1 + Math.floor(Date.now() % 1_000_000);
  expect(await fuzzRedaction(150, { seed, scanner: secretScanner() }), `seed ${seed}`).toEqual([]);
});
