import { describe, expect, it } from "vitest";
import { judgePlan, type Unit, unitSchema } from "../../../src/batch/plan/plan.ts";
import { planOf, unit } from "../plans.ts";

const judge = (...changed: Unit[]) => judgePlan({ units: [...planOf(5).units, ...changed] });

describe("judgePlan()", () => {
  it("accepts 5 to 30 independent units", () => {
    expect([5, 30].map((count) => judgePlan(planOf(count)))).toEqual([{ kind: "good" }, { kind: "good" }]);
  });

  it("reports 4 units as too few, which is no mistake, and 31 as too many", () => {
    expect([judgePlan(planOf(4)), judgePlan(planOf(31))]).toEqual([
      { kind: "too_few", units: 4 },
      { kind: "refused", reasons: ["There are 31 units, and a batch has at most 30: make a coarser plan."] },
    ]);
  });

  it("names units of one phase that may change the same file, and allows them in two phases", () => {
    const overlap = unit("all", { files: ["src/*.js"], test: "npm test" });
    expect(judge(overlap)).toMatchObject({ kind: "refused" });
    expect(judge(overlap)).toMatchObject({
      reasons: expect.arrayContaining([
        'Units "u1" and "all" of phase 1 may both change src/u1.js: make them one, or put one into a later phase.',
      ]),
    });
    expect(judge({ ...overlap, phase: 2, needs: ["u1", "u5"] })).toEqual({ kind: "good" });
  });

  it("requires a unit's needs in an earlier phase, and names a cycle", () => {
    const [a, b] = [unit("a", { phase: 2, needs: ["b"] }), unit("b", { phase: 3, needs: ["a"] })];
    expect(judge(a, b)).toEqual({
      kind: "refused",
      reasons: [
        'Unit "a" of phase 2 needs "b" of phase 3: put it into a later phase. The two need each other: make them one unit, or cut the work differently.',
      ],
    });
    expect(judge(unit("a", { needs: ["a"] }), unit("b", { needs: ["gone"] }))).toEqual({
      kind: "refused",
      reasons: ['Unit "a" needs itself.', 'Unit "b" needs "gone", which is not in the plan.'],
    });
  });

  it("refuses files outside the repository and ids that are used twice", () => {
    expect(judge(unit("u1", { files: ["lib/x.js"] }), unit("out", { files: ["../x", "/etc/x", ".git/config"] }))).toEqual({
      kind: "refused",
      reasons: [
        'The id "u1" is used twice: give each unit its own.',
        ...["../x", "/etc/x", ".git/config"].map(
          (path) => `"${path}" of unit "out" is not below the repository's root: name paths from there.`,
        ),
      ],
    });
  });
});

describe("unitSchema", () => {
  it.each(["npm test && rm x", "node --test test/*.js", "echo $HOME", "a\nb", "", "(npm test)"])("refuses the test command %j", (test) => {
    expect(unitSchema.safeParse(unit("a", { test })).success).toBe(false);
  });

  it.each(["../x", "Upper", "a/b", "", "-x", "a".repeat(41)])("refuses the id %j, because it is part of a branch and a folder", (id) => {
    expect(unitSchema.safeParse(unit(id)).success).toBe(false);
  });
});
