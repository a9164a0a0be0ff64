import { describe, expect, it } from "vitest";
import { allowsFor, programOf } from "../../src/batch/test-commands.ts";

describe("allowsFor()", () => {
  it("gives one rule to commands that begin alike, and names others exactly", () => {
    expect(allowsFor(["node --test a.js", "npm test", "node --test b.js"])).toEqual(["Bash(node --test:*)", "Bash(npm test)"]);
  });
});

describe("programOf()", () => {
  it("passes variables, and says nothing of what is quoted", () => {
    expect(["npm test", "CI=1 ./check a", '"my tests" a', "CI=1"].map(programOf)).toEqual(["npm", "./check", undefined, undefined]);
  });
});
