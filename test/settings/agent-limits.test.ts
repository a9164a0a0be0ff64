import { describe, expect, it } from "vitest";
import { agentSettings, limitsIn } from "../../src/settings/agent-limits.ts";

type Given = Parameters<typeof limitsIn>[0];
const isRepository: Parameters<typeof limitsIn>[1] = (scope) => scope === "project";
const of = (given: Given) => limitsIn(given, isRepository);

describe("limitsIn()", () => {
  it("has a default for each limit", () => {
    expect(of([])).toEqual({
      limits: { depth: 3, atOnce: 10, reportTokens: 1_500, wallClockMinutes: 60, noProgressMinutes: 15, promptBytes: 1_500 },
      refused: [],
    });
  });

  it("takes the strongest of the user's scopes", () => {
    const { limits } = of([
      { scope: "command line", settings: { agents: { depth: 2 } } },
      { scope: "user", settings: { agents: { depth: 5, atOnce: 4 } } },
    ]);
    expect([limits.depth, limits.atOnce]).toEqual([2, 4]);
  });

  it("lets a repository lower a limit and never raise it", () => {
    const { limits, refused } = of([
      { scope: "project", file: "/repo/.tool/settings.json", settings: { agents: { depth: 1, atOnce: 50 } } },
      { scope: "user", settings: { agents: { depth: 2, atOnce: 20 } } },
    ]);
    expect([limits.depth, limits.atOnce]).toEqual([1, 20]);
    expect(refused).toEqual([{ what: expect.stringMatching(/agents\.atOnce: 50.*20/), file: "/repo/.tool/settings.json" }]);
  });

  it("holds a repository to the built-in limit if the user sets none", () => {
    const { limits, refused } = of([{ scope: "project", settings: { agents: { depth: 4, atOnce: 10 } } }]);
    expect([limits.depth, limits.atOnce]).toEqual([3, 10]);
    expect(refused).toHaveLength(1);
  });
});

describe("agentSettings", () => {
  it.each([{ depth: 0 }, { depth: 11 }, { depth: 1.5 }, { atOnce: "3" }, { workerModel: "" }, { dept: 2 }])("refuses %j", (given) =>
    expect(agentSettings.safeParse(given).success).toBe(false),
  );

  it("takes whole numbers within their range, and models", () => {
    const given = { depth: 10, atOnce: 1, coordinatorModel: "m" };
    expect(agentSettings.parse(given)).toEqual(given);
  });
});

it.each([0, 11, 1.5, "3", null])("agentSettings names the range instead of %j", (depth) => {
  const issues = agentSettings.safeParse({ depth }).error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual(["a whole number from 1 to 10"]);
});
