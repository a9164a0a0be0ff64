import { describe, expect, it } from "vitest";
import { changedTests, changedTestsText, type Versions } from "../../src/batch/changed-tests.ts";
import type { ChangedFile } from "../../src/batch/repository.ts";

const nothing: Versions = async () => ({ before: undefined, after: undefined });
const found = async (test: string, files: ChangedFile[], versions = nothing) =>
  (await changedTests({ test }, files, versions)).map(({ path }) => path);
const changed = (path: string): ChangedFile => ({ path, kind: "changed" });

describe("changedTests()", () => {
  it("finds what the command names, and what is a test or decides about tests by its name", async () => {
    const tests = [
      "check/a.js", // only the command says that it is one
      "test/b.test.js",
      "src/a.spec.ts",
      "src/__snapshots__/a.snap",
      "lib/c_test.go",
      "tests/test_d.py",
      "src/test/java/FTest.java",
      "vitest.config.ts",
      "pkg/Makefile",
      ".mocharc.json",
    ];
    const others = ["src/latest.js", "src/contest/a.js", "README.md", "src/attestation.ts", "configure.js"];
    expect(await found("node --test ./check/a.js", [...tests, ...others].map(changed))).toEqual(tests);
  });

  it("takes no file for a test whose syntax alone is checked", async () => {
    const files = [changed("src/sum.js"), changed("check.js")];
    expect(await found("node --check src/sum.js", files)).toEqual([]);
    expect(await found("node --check src/sum.js && node check.js", files)).toEqual(["check.js"]);
    expect(await found("node src/sum.js", files)).toEqual(["src/sum.js"]);
  });

  it("counts a deleted test, and no new one, but a new file that decides about tests", async () => {
    expect(
      await found("npm test", [
        { path: "test/gone.test.js", kind: "deleted" },
        { path: "test/new.test.js", kind: "added" },
        { path: "jest.config.js", kind: "added" },
      ]),
    ).toEqual(["test/gone.test.js", "jest.config.js"]);
  });

  it.each([
    ["another test command", { scripts: { test: "true" } }, ["package.json"]],
    ["settings of a runner", { scripts: { test: "jest" }, jest: { testMatch: [] } }, ["package.json"]],
    ["a dependency", { scripts: { test: "jest" }, devDependencies: { pino: "9" }, version: "2.0.0" }, []],
  ])("judges a package.json by its content: %s", async (_, after, expected) => {
    const versions: Versions = async () => ({ before: JSON.stringify({ scripts: { test: "jest" } }), after: JSON.stringify(after) });
    expect(await found("npm test", [changed("package.json")], versions)).toEqual(expected);
  });

  it("says what was changed in one line", () => {
    const files: ChangedFile[] = [{ path: "test/a.js", kind: "deleted" }, changed("package.json")];
    expect([changedTestsText([]), changedTestsText(files)]).toEqual([undefined, "its test was changed: test/a.js (deleted), package.json"]);
  });
});
