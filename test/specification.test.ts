// docs/specification.md: every file and test that it names exists, and what it says of a test can be read in that test.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksOf, faultOf, rowsOf } from "./trace.ts";

const page = readFileSync("docs/specification.md", "utf8");
const rows = rowsOf(page);
const filesIn = (cell: string) => [...cell.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path);

const blocks = new Map<string, string[]>();
for (const name of readdirSync("test", { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".test.ts") || name === "specification.test.ts") continue;
  for (const [title, found] of blocksOf(readFileSync(join("test", name), "utf8")))
    blocks.set(title, [...(blocks.get(title) ?? []), ...found]);
}

describe("docs/specification.md", () => {
  it("names files that there are", () => {
    expect(rows.flatMap(({ where }) => filesIn(where)).filter((path) => !existsSync(path))).toEqual([]);
  });

  it("says what each test that it names asserts, in words of that test", () => {
    expect(rows.flatMap(({ claims }) => claims.flatMap((claim) => faultOf(claim, blocks.get(claim.title)) ?? []))).toEqual([]);
  });

  it("has for each statement a place and a test with a sentence, or says that no test shows it, and counts these", () => {
    const open = rows.filter(({ where, claims, unshown }) => unshown === undefined && (claims.length === 0 || filesIn(where).length === 0));
    expect(open.map(({ statement }) => statement)).toEqual([]);
    expect(rows.flatMap(({ broken }) => broken)).toEqual([]);
    const unshown = rows.filter((row) => row.unshown !== undefined).length;
    expect(page).toContain(`\n${unshown} statements have no honest test: their rows say \`no test shows this\`, and why.\n`);
    expect(rows.length).toBeGreaterThan(100);
  });
});

describe("what a row says of a test", () => {
  const source = `
    const ends = [["exit", 3]];
    describe("a team", () => {
      tool("ends by itself", { with: "a budget" });
      it("ends with 3", () => expect(code).toBe("denied"));
      it.each(ends)("ends by %s", (how, code) => expect(how).toEqual(code));
      it("ends with 4", { timeout: 9 }, async () => { expect(said).toContain("a budget"); });
    });`;
  const fault = (title: string, sentence: string) => faultOf({ title, sentence }, blocksOf(source).get(title));

  it("is right if all that it quotes is in the test, or in a list that it names", () => {
    expect([fault("ends with 3", 'asserts `"denied"`'), fault("ends by %s", 'asserts `["exit", 3]`')]).toEqual([undefined, undefined]);
    expect(fault("a team", "asserts `denied` and `a budget`")).toBeUndefined();
  });

  it("is wrong if it quotes another test, its own title, hardly anything or nothing, or if there is no such test", () => {
    expect(fault("ends with 3", "asserts `a budget`")).toBe('"ends with 3": the test does not have `a budget`.');
    expect(fault("ends with 3", "asserts `denied`, and `exit`")).toBe('"ends with 3": the test does not have `exit`.');
    expect(fault("ends with 4", "asserts `ends with 4`")).toBe('"ends with 4": the test does not have `ends with 4`.');
    expect(fault("ends with 4", "asserts `a`")).toBe('"ends with 4": `a` is too short to be found only where it is meant.');
    expect(fault("ends with 4", "asserts that it ends")).toBe('"ends with 4": the sentence quotes nothing of the test.');
    expect(fault("ends with 5", "asserts `a budget`")).toBe('There is no test "ends with 5".');
    expect(fault("ends by itself", "asserts `a budget`")).toBe('There is no test "ends by itself".');
  });

  it("is read from the page with its title, and a row without a test from its mark", () => {
    const row = (shownBy: string) => rowsOf(`| statement | where |\n|---|---|\n| It ends | \`src/main.ts\` | ${shownBy} | |`)[0];
    const ends = { statement: "It ends", where: "`src/main.ts`" };
    expect(row('"a": asserts `x \\| y`<br>"b": asserts `z`')).toEqual({
      ...ends,
      claims: [
        { title: "a", sentence: "asserts `x | y`" },
        { title: "b", sentence: "asserts `z`" },
      ],
      unshown: undefined,
      broken: [],
    });
    expect(row("no test shows this: nobody can")).toEqual({ ...ends, claims: [], unshown: "nobody can", broken: [] });
    expect(row('"a"<br>"b": asserts `z`')).toMatchObject({ broken: ['"a"'] });
    expect(row("")).toMatchObject({ broken: [""] });
  });

  it("is looked for in every test of that title", () => {
    const twice = 'it("one", () => said("first")); describe("two", () => { it("one", () => said("second")); });';
    expect(blocksOf(twice).get("one")).toEqual(['it(, () => said("first"))', 'it(, () => said("second"))']);
    expect(
      ["first", "second"].map((word) => faultOf({ title: "one", sentence: `asserts \`${word}\`` }, blocksOf(twice).get("one"))),
    ).toEqual([undefined, undefined]);
  });
});
