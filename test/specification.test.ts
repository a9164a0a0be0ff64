// docs/specification.md: every test and every file that it names exists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Row = { statement: string; where: string; shownBy: string };

const rows = readFileSync("docs/specification.md", "utf8")
  .split("\n")
  .filter((line) => /^\| (?!statement )/.test(line))
  .map((line): Row => {
    const [, statement = "", where = "", shownBy = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { statement, where, shownBy };
  });
const titlesIn = (cell: string) => [...cell.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
const filesIn = (cell: string) => [...cell.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path);

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts") && name !== "specification.test.ts")
  .map((name) => readFileSync(join("test", name), "utf8"))
  .join("\n");

describe("docs/specification.md", () => {
  it("names tests and files that there are", () => {
    expect(rows.flatMap(({ shownBy }) => titlesIn(shownBy)).filter((title) => !tests.includes(`"${title}"`))).toEqual([]);
    expect(rows.flatMap(({ where }) => filesIn(where)).filter((path) => !existsSync(path))).toEqual([]);
  });

  it("says of each statement where it is, and what shows it, or that it is not yet", () => {
    const isOpen = ({ where, shownBy }: Row) => titlesIn(shownBy).length === 0 || filesIn(where).length === 0;
    const open = rows.filter((row) => isOpen(row) && row.where !== "not yet" && row.where !== "");
    expect(open.map(({ statement }) => statement)).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });
});
