import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rendered } from "./kit.ts";

const bold = (text: string) => `\x1b[1m${text}\x1b[0m`;

describe("Markdown on a terminal", () => {
  it.each([
    ["a heading without its marks, bold", "## Title ##", [bold("Title")]],
    ["a heading that is underlined", "Title\n=====\ntext", [bold("Title"), "text"]],
    ["emphasis, where it is emphasis", "**a** _b_ snake_case_name 2 * 3 * 4", [`${bold("a")} \x1b[3mb\x1b[0m snake_case_name 2 * 3 * 4`]],
    ["what is not closed, as it is written", "**bold? `code? [text](", ["**bold? `code? [text]("]],
    ["a link as its text and its address", "see [it](https://a.example/x_y_z)", ["see \x1b[4mit\x1b[0m (https://a.example/x_y_z)"]],
    ["an address once", "[https://a.example](https://a.example) <https://b.example>", ["https://a.example https://b.example"]],
    ["a backslash's character as text", "\\*no\\* \\# C:\\dir", ["*no* # C:\\dir"]],
    ["line breaks as they are", "one\ntwo", ["one", "two"]],
    ["a paragraph folded at words", "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii", ["aaaa bbbb cccc dddd eeee ffff gggg hhhh", "iiii"]],
    [
      "a list with its lines under each other",
      "- one two three four five six seven eight nine\n  1. ten",
      ["• one two three four five six seven", "  eight nine", "  1. ten"],
    ],
    [
      "a table with its figures below each other where it asks for that",
      "| part | lines |\n|------|------:|\n| a | 5 |\n| b | 1,200 |",
      [`${bold("part")}  ${bold("lines")}`, "────  ─────", "a         5", "b     1,200"],
    ],
    ["a quote", "> said\n> so", ["│ said", "│ so"]],
    ["code with nothing but its indentation", "```\n  if x {\n\n}\n```", ["      if x {", "", "    }"]],
    ["code in a list", "- a\n  ```\n  x\n  ```", ["• a", "      x"]],
    ["a long line of code as it is", `\`\`\`\n${"x".repeat(60)}\n\`\`\``, [`    ${"x".repeat(60)}`]],
    ["code by its indentation", "text\n\n    code *is* code\n\ntext", ["text", "", "    code *is* code", "", "text"]],
    ["a table in columns", "| a | bb |\n|---|:--:|\n| ccc | d\\|e |", [`${bold("a")}    ${bold("bb")}`, "───  ───", "ccc  d|e"]],
    ["no table where the second row says nothing", "a | b\nc | d", ["a | b", "c | d"]],
    ["words of scripts without blanks, folded anywhere", "日本語".repeat(8), [`${"日本語".repeat(6)}日本`, "語日本語"]],
  ])("has %s", (_what, text, lines) => {
    expect(rendered(text)).toEqual(lines);
  });

  it("folds a table's cells, and falls back to lines if there is no room", () => {
    const table = "| name | what it does |\n|---|---|\n| parser | reads every field of a record |";
    expect(rendered(table, { width: 30 })).toEqual([
      `${bold("name")}    ${bold("what it does")}`,
      "──────  ──────────────────────",
      "parser  reads every field of a",
      "        record",
    ]);
    expect(rendered(table, { width: 12 })).toEqual([
      `${bold("name: ")}parser`,
      `${bold("what it")}`,
      `  ${bold("does:")}`,
      "  reads",
      "  every",
      "  field of a",
      "  record",
      "",
    ]);
  });

  it("has no escape sequence on a dumb terminal", () => {
    expect(
      rendered("# a\n\n**b** `c` [d](https://e.example)\n\n```ts\nconst x = 1;\n```", { env: { TERM: "dumb" } }).join("\n"),
    ).not.toContain("\x1b");
  });

  it("colours code without changing it", () => {
    const code = ['const a = `x`; // <b> & "c"', "/* two", "lines */ f();"];
    const lines = rendered(`\`\`\`ts\n${code.join("\n")}\n\`\`\``, { env: {} });
    const bare = lines.map((line) => stripVTControlCharacters(line).slice(4));
    expect(bare).toEqual(code);
    expect(lines[0]).toContain("\x1b[35mconst\x1b[0m");
    expect(lines[2]).toContain("\x1b[2mlines */\x1b[0m");
  });

  it("colours code in parts as it colours the whole", () => {
    const text = `\`\`\`js\n/* a\n${"b\n".repeat(20)}c */ let d;\n\`\`\``;
    expect(rendered(text, { env: {}, room: 3 })).toEqual(rendered(text, { env: {} }));
  });

  it("is the same however the input is split", () => {
    const parts = [
      "# h\n",
      "text ",
      "**b",
      "**",
      "`c`",
      "\n",
      "\n\n",
      "- i\n",
      "  ",
      "1. j\n",
      "> q\n",
      "```\n",
      "code\n",
      "| a | b |\n",
      "|---|---|\n",
      "---\n",
      "é漢👩‍👩‍👧",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (chosen, size) => {
        const text = chosen.join("");
        expect(rendered(text, { size })).toEqual(rendered(text));
      }),
    );
  });

  it("shows a line of 200,000 characters, all of it", () => {
    const line = "0123456789".repeat(20_000);
    expect(rendered(line, { size: 5_000 }).join("")).toBe(line);
  });
});
