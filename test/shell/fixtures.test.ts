import { describe, expect, it } from "vitest";
import { decideCase } from "../../src/settings/policy-case.ts";
import { type PolicyCase, policyCases } from "../policy-cases.ts";

const world = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", real: async (path: string) => path, exists: () => false };

async function wrong(cases: PolicyCase[]) {
  const found: { name: string; command: string; result: unknown }[] = [];
  for (const { name, expect: expected, ...rest } of cases) {
    const result = await decideCase(rest, world);
    const decision = "error" in result ? "error" : result.decision;
    const right = expected === "not-allow" ? decision === "ask" || decision === "deny" : decision === expected;
    if (!right) found.push({ name, command: rest.call.input.command, result });
  }
  return found;
}

describe("the fixtures", () => {
  it("have no attack that is allowed", async () => {
    const cases = ["shell", "further"].flatMap((name) => policyCases(`attacks/${name}`));
    expect(cases.length).toBeGreaterThanOrEqual(400);
    expect(await wrong(cases)).toEqual([]);
  });

  it.each(["everyday", "everyday-trades"])("%s has at most two commands in a hundred that are asked needlessly", async (name) => {
    const cases = policyCases(name);
    expect(cases.length).toBeGreaterThanOrEqual(200);
    expect((await wrong(cases)).length).toBeLessThanOrEqual(cases.length * 0.02);
  });
});
