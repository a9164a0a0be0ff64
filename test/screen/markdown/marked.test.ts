// Compares our Markdown parser with the lexer of `marked`, a dependency of pi-tui: equal on what models write. We keep ours because that
// lexer parses the whole text each time (14 ms for each piece of a reply of 200 KB, and half a minute for 60 KB of `*a `) where ours takes
// a piece as it arrives; because it shows HTML, entities and reference links, which a terminal has no use for; and because of the faults
// below.
import { lexer, type Token } from "marked";
import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/screen/markdown/block.ts";
import { createBlockReader } from "../../../src/screen/markdown/block-reader.ts";
import { type Emphasis, inlineSpans, type Span } from "../../../src/screen/markdown/inline.ts";
import { seeded } from "../../process/seeded.ts";

/** Spans as one line: adjacent ones of one kind joined, kinds in alphabetical order. */
function joined(spans: Span[]): string {
  const parts: { text: string; as: string }[] = [];
  for (const { text, as } of spans) {
    const kinds = [...new Set(as)]
      .filter((kind) => kind !== "address" && kind !== "link")
      .toSorted()
      .join(",");
    const last = parts.at(-1);
    if (last?.as === kinds) last.text += text;
    else if (text !== "") parts.push({ text, as: kinds });
  }
  return parts.map(({ text, as }) => (as === "" ? text : `<${as}>${text}</>`)).join("");
}

const kinds: Partial<Record<string, Emphasis>> = { strong: "strong", em: "emphasis", del: "strike" };

/** The tokens of marked as our spans: a link is its text and its address. */
function spansOf(tokens: Token[], as: Emphasis[] = []): Span[] {
  return tokens.flatMap((token): Span[] => {
    const kind = kinds[token.type];
    if (kind && "tokens" in token) return spansOf(token.tokens ?? [], [...as, kind]);
    if (token.type === "codespan") return [{ text: token["text"], as: [...as, "code"] }];
    if (token.type === "link") {
      const label = spansOf(token.tokens ?? [], as);
      const text = label.map((span) => span.text).join("");
      return text === token["href"] ? [{ text, as }] : [...label, { text: ` (${token["href"]})`, as }];
    }
    if ("tokens" in token && token.tokens) return spansOf(token.tokens, as);
    return [{ text: "text" in token ? token.text : token.raw, as }];
  });
}

type Plain = { kind: string; text: string };

/** The tokens of marked as our blocks: each list item as a block, followed by the blocks inside it. */
function blocksOf(tokens: Token[]): Plain[] {
  return tokens.flatMap((token): Plain[] => {
    switch (token.type) {
      case "space":
        return [];
      case "heading":
        return [{ kind: `heading ${token["depth"]}`, text: joined(spansOf(token.tokens ?? [])) }];
      case "list":
        return token["items"].flatMap((item: { tokens: Token[] }) => {
          const [first, ...rest] = item.tokens;
          return [{ kind: "item", text: first && "tokens" in first ? joined(spansOf(first.tokens ?? [])) : "" }, ...blocksOf(rest)];
        });
      case "blockquote":
        return [
          {
            kind: "quote",
            text: blocksOf(token.tokens ?? [])
              .map(({ text }) => text)
              .join("\n"),
          },
        ];
      case "code":
        return [{ kind: "code", text: `${token["lang"] ?? ""}:${token["text"].replace(/\n$/, "")}` }];
      case "table": {
        const rows = [token["header"], ...token["rows"]] as { tokens: Token[] }[][];
        return [{ kind: "table", text: rows.map((row) => row.map((cell) => joined(spansOf(cell.tokens))).join("|")).join("\n") }];
      }
      case "hr":
        return [{ kind: "rule", text: "" }];
      default:
        return [{ kind: "paragraph", text: joined(spansOf("tokens" in token ? (token.tokens ?? []) : [token])) }];
    }
  });
}

function ours(text: string): Plain[] {
  const reader = createBlockReader();
  return [...reader.feed(text, 10_000), ...reader.end()].filter(({ kind }) => kind !== "gap").map(plainOf);
}

function plainOf(block: Block): Plain {
  const inside = (lines: string[]) => joined(inlineSpans(lines.join("\n")));
  if (block.kind === "heading") return { kind: `heading ${block.level}`, text: inside([block.text]) };
  if (block.kind === "code") return { kind: "code", text: `${block.language}:${block.lines.join("\n")}` };
  if (block.kind === "table") {
    const rows = [block.head, ...block.rows];
    return { kind: "table", text: rows.map((row) => row.map((cell) => inside([cell])).join("|")).join("\n") };
  }
  return { kind: block.kind, text: "lines" in block ? inside(block.lines) : "" };
}

const words = [
  "word",
  "**bold**",
  "*it*",
  "`code`",
  "[l](https://a.example/x)",
  "~~gone~~",
  "snake_case_name",
  "2 * 3",
  "https://a.example/y",
];
const more = [
  "\\*esc\\*",
  "<https://b.example/z>",
  "**a *b* c**",
  "`` a`b ``",
  "_it_",
  "__bo__",
  "**open",
  "(*x*)",
  "a*b*c",
  "[**b** c](https://c.example)",
  "`a*b*`",
  "x_y_z",
  "*a **b** c*",
  "C:\\dir",
  "5 < 6 && 7 > 3",
];
const fragments = [
  "# Title",
  "## Second *one* ##",
  "Under\n=====",
  "text of one line",
  "two lines\nof **text**",
  "- one\n- two `x`",
  "* a\n* b\n* c",
  "1. one\n2. two",
  "- a\n  - b\n  - c",
  "> said\n> so",
  "```ts\nconst a = 1;\n\n# no title\n```",
  "~~~\ncode\n~~~",
  "| a | b |\n|---|---|\n| 1 | *2* |",
  "---",
  "***",
  "text\n\n    indented\n    code\n\ntext",
  "1. a\n   ```sh\n   ls\n   ```\n2. b",
];

function pick(random: () => number, from: string[], most: number): string[] {
  return Array.from({ length: 1 + Math.floor(random() * most) }, () => from[Math.floor(random() * from.length)]!);
}

describe("our Markdown compared with the lexer of marked", () => {
  const random = seeded(11);
  const lines = Array.from({ length: 300 }, () => pick(random, [...words, ...more], 5).join(" "));
  const documents = Array.from({ length: 300 }, () => `${pick(random, fragments, 6).join("\n\n")}\n`);

  it("has the same spans in 300 lines", () => {
    const different = lines.flatMap((line) => {
      const [theirs, own] = [joined(spansOf(lexer(line))), joined(inlineSpans(line))];
      return theirs === own || isMisread(line) ? [] : [{ line, theirs, own }];
    });
    expect(different).toEqual([]);
    expect(lines.filter(isMisread).length).toBeLessThan(60);
  });

  it("has the same blocks in 300 documents", () => {
    const different = documents.flatMap((text) => {
      const [theirs, own] = [blocksOf(lexer(text)), ours(text)];
      return JSON.stringify(theirs) === JSON.stringify(own) ? [] : [{ text, theirs, own }];
    });
    expect(different).toEqual([]);
  });

  it.each([
    ["emphasis between code with a backtick and other code", "`` a`b `` **bold** `c`", "<code>a`b</> <strong>bold</> <code>c</>"],
    ["a rest of two marks before one (the rule of three)", "**open a*b*c", "**open a<emphasis>b</>c"],
  ])("reads as CommonMark, and marked does not, %s", (_what, text, expected) => {
    expect(joined(inlineSpans(text))).toBe(expected);
    expect(joined(spansOf(lexer(text)))).not.toBe(expected);
  });

  it.each([
    ["line breaks as they are", "one\ntwo", "one\ntwo"],
    ["HTML as text", "a <b>c</b> d", "a <b>c</b> d"],
    ["entities as text", "a &amp; b", "a &amp; b"],
    ["references as text", "see [1][ref]", "see [1][ref]"],
    ["three marks as both", "***both***", "<emphasis,strong>both</>"],
    ["one tilde as text", "~one~", "~one~"],
  ])("shows on a terminal %s", (_what, text, expected) => {
    expect(joined(inlineSpans(text))).toBe(expected);
  });

  it.each([
    ["a quote ends a list", "- a\n\n> q\n\n    code", ["item", "quote", "code"]],
    ["code ends a list", "- a\n\n```\nx\n```\n\n    code", ["item", "code", "code"]],
    ["what is indented below an item belongs to it", "- a\n\n  > q\n\n    more", ["item", "quote", "paragraph"]],
  ])("%s", (_what, text, expected) => {
    expect(ours(text).map(({ kind }) => kind)).toEqual(expected);
  });
});

/** Faults of marked, each shown by a test of its own below. */
function isMisread(line: string): boolean {
  return /`` a`b ``.*`|\*\*open.*a\*b\*c/.test(line);
}
