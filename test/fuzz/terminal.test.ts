import { expect, it } from "vitest";
import { fuzzTerminal } from "./terminal.ts";

it("hostile text reaches the terminal as text", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  console.log(`seed ${seed}`);
  expect(await fuzzTerminal({ seed, count: 600 })).toEqual({ runs: 600, problems: [] });
});
