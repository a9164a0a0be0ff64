import { describe, expect, it } from "vitest";
import { planTable } from "../../../src/screen/batch/batch-plan.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { planOf, unit } from "../../batch/plans.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const view = { style, basis: { units: [], planning: undefined, model: "any" }, instruction: "Replace the logger." };
const long = "node --test test/invoices.test.js test/ledger.test.js test/a-name-that-is-longer-than-any-terminal-has-columns.test.js";
const plan = {
  units: [
    unit("a", { test: long }),
    unit("b", { files: ["src/log.js", "src/b.js"], test: "npm test" }),
    unit("c", { test: long }),
    unit("d", { test: "node --test test/d-\u001b[2K.test.js --with --many --arguments --so --that --it --is --cut" }),
  ],
};

describe("planTable()", () => {
  it.each([40, 80, 100])(
    "leaves out the column of tests where not all of them fit, and lists each in full once (columns: %s)",
    (columns) => {
      const lines = planTable(plan, { ...view, columns }).split("\n");
      expect(lines.filter((line) => line.startsWith("  tests of "))).toEqual([
        `  tests of 1, 3: ${long}`,
        "  tests of 2: npm test",
        "  tests of 4: node --test test/d-\\x1b[2K.test.js --with --many --arguments --so --that --it --is --cut",
      ]);
      expect(lines.filter((line) => line.startsWith("  files of "))).toContain("  files of 2: src/log.js, src/b.js");
      expect(lines.find((line) => line.startsWith("  2  "))).toMatch(/ src\/log\S* /);
    },
  );

  it("uses all columns before it cuts anything", () => {
    const wide = { ...view, columns: 200 };
    expect(
      planTable(plan, wide)
        .split("\n")
        .filter((line) => line.startsWith("  tests of ")),
    ).toEqual([]);
    const title = "Move each amount of the report to the one formatter that knows currencies";
    expect(planTable({ units: [unit("a", { title }), unit("b")] }, { ...view, columns: 160 })).toContain(title);
  });

  it("is only the table if everything fits into it", () => {
    expect(planTable(planOf(6), { ...view, columns: 160 }).split("\n")).toHaveLength(8);
  });

  it("has one line for a unit whose test is its own, so that six units are one screen of 24 rows with their question", () => {
    const units = Array.from({ length: 6 }, (_, at) =>
      unit(`u${at}`, { files: [`src/${at}.js`, `test/${at}.js`], test: `node --test test/${at}.js` }),
    );
    const lines = planTable({ units }, { ...view, columns: 80 }).split("\n");
    expect(lines.slice(-6, -4)).toEqual([
      "  tests of 1: node --test test/0.js  files: src/0.js, test/0.js",
      "  tests of 2: node --test test/1.js  files: src/1.js, test/1.js",
    ]);
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  it("says a test that all units share once, for all", () => {
    const same = { units: [unit("a", { test: long }), unit("b", { test: long })] };
    expect(
      planTable(same, { ...view, columns: 80 })
        .split("\n")
        .at(-1),
    ).toBe(`  tests of all: ${long}`);
  });
});
