import { expect, it } from "vitest";
import { fuzzTerminal } from "./terminal.ts";

it("hostile text reaches the terminal as text", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  console.log(`seed ${seed}`);
  expect(await fuzzTerminal({ seed, count: 300 })).toEqual({ runs: 300, problems: [] });
});
