import { describe, expect, it } from "vitest";
import { planText, readPlan } from "../../../src/batch/plan/plan-file.ts";
import { planOf, unit } from "../plans.ts";

describe("readPlan()", () => {
  it("reads what was written", () => {
    const text = planText(planOf(5), { instruction: "Replace the logger", head: "a".repeat(40) });
    expect(readPlan(text)).toEqual({ ok: true, plan: planOf(5), instruction: "Replace the logger", verdict: { kind: "good" } });
  });

  it("names the mistakes of a plan, and judges the readable part", () => {
    expect(readPlan("{")).toMatchObject({ ok: false, reasons: [expect.stringMatching(/^It is not JSON: /)] });
    expect(readPlan("[]")).toMatchObject({ reasons: [expect.stringMatching(/^A plan is an object with a list of units/)] });
    expect(readPlan('{"unit":[]}')).toMatchObject({ reasons: ["The plan: units is missing.", 'The plan: unknown key "unit".'] });
    expect(readPlan(JSON.stringify(planOf(31)))).toMatchObject({ ok: true, verdict: { kind: "refused" } });
  });

  it("names all mistakes together, by the unit's number and id", () => {
    const [first, second, third] = [unit("Http"), unit("a", { files: [], phase: 0 }), unit("b", { title: "Red \u001b[31m" })];
    const { test: _, ...untested } = unit("c", { instruction: "x\u0007" });
    const read = readPlan(
      JSON.stringify({ units: [first, { ...second, tests: "x" }, third, untested, unit("d", { files: ["a", "b\nc"] })] }),
    );
    expect(read).toEqual({
      ok: false,
      reasons: [
        'Unit 1 ("Http"): id may have lower-case letters, digits and hyphens, at most 40, and begins with neither a hyphen nor phase-.',
        'Unit 2 ("a"): files must not be empty.',
        'Unit 2 ("a"): phase must be at least 1.',
        'Unit 2 ("a"): unknown key "tests"; a unit has id, title, instruction, files, test, phase, needs.',
        'Unit 3 ("b"): title must be one line without control characters.',
        'Unit 4 ("c"): instruction must have no control characters but line breaks and tabs.',
        'Unit 4 ("c"): test is missing.',
        'Unit 5 ("d"): files 2 must be one line without control characters.',
      ],
    });
  });

  it("names mistakes between units as well as within one", () => {
    const units = [
      unit("a", { test: "" }),
      unit("a", { files: ["../x"] }),
      unit("b", { needs: ["c", "gone"], phase: 0 }),
      unit("c", { needs: ["b", "d"], files: ["lib/*"] }),
      unit("d", { files: ["lib/d.js"] }),
      { id: 7, files: "src" },
      null,
    ];
    const read = readPlan(JSON.stringify({ units }));
    expect(read).toMatchObject({
      reasons: expect.arrayContaining([
        'Unit 1 ("a"): test must not be empty.',
        'Unit 3 ("b"): phase must be at least 1.',
        "Unit 7: it must be an object.",
        'The id "a" is used twice: give each unit its own.',
        '"../x" of unit "a" is not below the repository\'s root: name paths from there.',
        'Unit "b" needs "gone", which is not in the plan.',
        'Unit "c" of phase 1 needs "d" of phase 1: put it into a later phase.',
        expect.stringMatching(/^Units "c" and "d" of phase 1 may both change lib\/d\.js/),
      ]),
    });
    expect(JSON.stringify(read)).not.toMatch(/NaN|needs \\"c\\"|phase 0/); // an invalid phase causes no further problems
  });
});
