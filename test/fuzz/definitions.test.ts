import { expect, it } from "vitest";
import { fuzzDefinitions } from "./definitions.ts";

it("a definition with any text is read or refused", () => {
  const seed = Number(process.env["SEED"] ?? 1);
  console.log(`seed ${seed}`);
  const { files, crashes, usable } = fuzzDefinitions({ seed, count: 2_500 });
  expect({ files, crashes }).toEqual({ files: 2_500, crashes: [] });
  expect(usable).toBeGreaterThan(250);
});
