// A block of Markdown as lines of a terminal. What can be copied stands without decoration: code has nothing but its indentation.
import type { Style, Syntax } from "../style.ts";
import type { Block } from "./block.ts";
import { foldSpans } from "./fold.ts";
import { inlineSpans, type Span } from "./inline.ts";
import { tableLines } from "./table.ts";

/** The lines of code in pieces of one kind each; undefined for a language that is not known. */
export type Highlight = (lines: string[], language: string) => Piece[][] | undefined;
export type Piece = { text: string; kind: Syntax | undefined };

export type Look = { style: Style; width: number; highlight: Highlight | undefined };

const codeIndent = 4;

/** Lines of code may be wider than the width: the terminal breaks them, so that they are copied as they are. */
export function renderBlock(block: Block, look: Look): string[] {
  const { style, width } = look;
  const fold = (text: string, first: string, hang = first) =>
    foldSpans(spelledCode(inlineSpans(text), style), { width, first, hang, paint: style.prose });
  switch (block.kind) {
    case "gap":
      return [""];
    case "heading":
      return foldSpans(
        inlineSpans(block.text).map(({ text, as }) => ({ text, as: ["strong", ...as] })),
        { width, first: "", hang: "", paint: style.prose },
      );
    case "paragraph":
      return fold(block.lines.join("\n"), " ".repeat(indentOf(block.indent, width)));
    case "item": {
      const indent = " ".repeat(indentOf(block.indent, width));
      const head = `${indent}${/^\d/.test(block.marker) ? block.marker : style.bullet} `;
      return fold(block.lines.join("\n"), head, " ".repeat(head.length));
    }
    case "quote": {
      const bar = `${" ".repeat(indentOf(block.indent, width))}${style.separator} `;
      return fold(block.lines.join("\n"), bar);
    }
    case "code":
      return codeLines(block, look);
    case "table":
      return tableLines(block, look);
    case "rule":
      return [style.dim(style.rule.repeat(Math.min(width, 40)))];
  }
}

/** Deep nesting leaves room for text. */
function indentOf(indent: number, width: number): number {
  return Math.min(indent, Math.floor(width / 3));
}

/** Where code cannot be told by its colour, it keeps its marks. */
function spelledCode(spans: Span[], style: Style): Span[] {
  return style.colour ? spans : spans.map((span) => (span.as.includes("code") ? { ...span, text: `\`${span.text}\`` } : span));
}

function codeLines(block: Extract<Block, { kind: "code" }>, { style, highlight }: Look): string[] {
  const { before, lines, language } = block;
  const coloured = language && style.colour ? highlight?.([...before, ...lines], language)?.slice(before.length) : undefined;
  const indent = " ".repeat(block.indent + codeIndent);
  return lines.map((line, index) => {
    const pieces = coloured?.[index] ?? [{ text: line, kind: undefined }];
    const text = pieces.map((piece) => (piece.kind ? style.syntax(piece.text, piece.kind) : piece.text)).join("");
    return line.trim() === "" ? "" : `${indent}${text}`;
  });
}
