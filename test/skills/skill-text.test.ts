import { describe, expect, it } from "vitest";
import { skillPieces } from "../../src/skills/skill-text.ts";

const filled = (body: string, given: string) =>
  skillPieces(body, given)
    .map((piece) => (piece.kind === "text" ? piece.text : `<${piece.command}>`))
    .join("");

describe("skillPieces()", () => {
  it.each([
    ["Review $ARGUMENTS now", "a.ts b.ts", "Review a.ts b.ts now"],
    ["Port $2 to $1.", '"the new API" src/x.ts', "Port src/x.ts to the new API."],
    ["First $1, second '$2', ninth $9.", "one", "First one, second '', ninth ."],
    ["No $ARGUMENTS here", "", "No  here"],
    ["$ARGUMENTS costs $& and $$", "$1 $`", "$1 $` costs $& and $$"],
    ["awk '{print \\$1}' of $1", "x", "awk '{print $1}' of x"],
    ["$10 and $ARGUMENTSX and $1x stay", "a", "$10 and $ARGUMENTSX and $1x stay\n\nArguments: a"],
    ["Do it.", "with care", "Do it.\n\nArguments: with care"],
    ["Do it.", "  ", "Do it."],
  ])("fills %j with %j", (body, given, text) => {
    expect(filled(body, given)).toBe(text);
  });

  it("finds commands with their arguments, but not within words or code blocks", () => {
    const body =
      "Status: !`git status`\n(!`gh pr view $1`) Wow!`code` !!`x` !`two\nlines`\n```\n!`not this`\n```\n~~~sh\n```\n!`nor this`\n~~~\n!`last`";
    expect(skillPieces(body, "12").filter(({ kind }) => kind === "command")).toEqual([
      { kind: "command", command: "git status" },
      { kind: "command", command: "gh pr view 12" },
      { kind: "command", command: "last" },
    ]);
    expect(filled(body, "12")).toBe(
      "Status: <git status>\n(<gh pr view 12>) Wow!`code` !!`x` !`two\nlines`\n```\n!`not this`\n```\n~~~sh\n```\n!`nor this`\n~~~\n<last>",
    );
  });

  it("never turns text of the arguments into a command", () => {
    expect(skillPieces("Look at $ARGUMENTS", "!`rm -rf /`")).toEqual([{ kind: "text", text: "Look at !`rm -rf /`" }]);
    expect(skillPieces("!$1", "`reboot`")).toEqual([{ kind: "text", text: "!`reboot`" }]);
  });
});
