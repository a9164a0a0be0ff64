import { describe, expect, it } from "vitest";
import { allowsFor, programOf } from "../../src/batch/test-commands.ts";

describe("allowsFor()", () => {
  it("gives one rule to commands with the same beginning, and exact rules to others", () => {
    expect(allowsFor(["node --test a.js", "npm test", "node --test b.js"])).toEqual(["Bash(node --test:*)", "Bash(npm test)"]);
  });
});

describe("programOf()", () => {
  it("skips variables, and returns nothing for a quoted word", () => {
    expect(["npm test", "CI=1 ./check a", '"my tests" a', "CI=1"].map(programOf)).toEqual(["npm", "./check", undefined, undefined]);
  });
});
