import { describe, expect, it } from "vitest";
import { lastingText, parseRule, type Rule, ruleText } from "../../src/permissions/rules.ts";

const places = { cwd: "/repo", home: "/home/me", folder: "/repo" };
const rule = (text: string): Rule => {
  const parsed = parseRule(text, places);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.rule;
};
const file = (path: string): Rule => ({ tool: "Edit", kind: "file", path });

describe("ruleText()", () => {
  it.each<[Rule, string]>([
    [rule("Edit(//repo/src/**)"), "Edit(src/**)"],
    [rule("Edit(//repo/**)"), "Edit(./**)"],
    [rule("Edit(//repo/src/*.ts)"), "Edit(src/*.ts)"],
    [file("/repo/src/a.ts"), "Edit(src/a.ts)"],
    [file("/repo/package.json"), "Edit(./package.json)"],
    [file("/repo/src/a [1].ts"), "Edit(src/a \\[1\\].ts)"],
    [file("/repo/!x/a"), "Edit(\\!x/a)"],
    [file("/repo/~/a"), "Edit(./~/a)"],
    [file("/repository/a/b"), "Edit(//repository/a/b)"],
    [rule("Read(//etc/hosts)"), "Read(//etc/hosts)"],
    [rule("Edit(*.ts)"), "Edit(*.ts)"],
    [rule("Edit"), "Edit"],
    [rule("Bash(git push *)"), "Bash(git push *)"],
  ])("%o is %s", (given, text) => {
    expect(ruleText(given, places)).toBe(text);
  });
});

describe("lastingText()", () => {
  it("means the same in any directory", () => {
    expect(
      ["Edit(src/**)", "Edit(./a b.ts)", "Edit(/web/x.ts)", "Edit(*.ts)", "Edit", "Bash(make src/x)"].map((text) =>
        lastingText(text, "/repo/web"),
      ),
    ).toEqual(["Edit(//repo/web/src/**)", "Edit(//repo/web/a b.ts)", "Edit(/web/x.ts)", "Edit(*.ts)", "Edit", "Bash(make src/x)"]);
  });
});
