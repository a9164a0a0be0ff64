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
  it.each([40, 80, 100, 200, undefined])("lists below the table what does not fit into it, each text once (columns: %s)", (columns) => {
    const lines = planTable(plan, { ...view, columns }).split("\n");
    expect(lines.filter((line) => /^ {2}(files|tests) of /.test(line)).filter((line) => !line.includes("src/a.js"))).toEqual(
      expect.arrayContaining([
        "  files of 2: src/log.js, src/b.js",
        `  tests of 1, 3: ${long}`,
        "  tests of 4: node --test test/d-\\x1b[2K.test.js --with --many --arguments --so --that --it --is --cut",
      ]),
    );
    expect(lines.filter((line) => line.includes(long))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("  2  "))).toMatch(/ src\/log\S* .* npm test /);
  });

  it("is only the table if everything fits into it", () => {
    expect(planTable(planOf(6), { ...view, columns: 160 }).split("\n")).toHaveLength(8);
  });
});
