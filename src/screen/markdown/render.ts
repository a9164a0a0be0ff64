// Renders a block of Markdown as lines of a terminal. Text to copy has no decoration: code has only its indentation.
import type { Style, Syntax } from "../style.ts";
import type { Block } from "./block.ts";
import { foldSpans } from "./fold.ts";
import { inlineSpans, type Span } from "./inline.ts";
import { tableLines } from "./table.ts";

/** Splits lines of code into pieces of one kind each; undefined for an unknown language. */
export type Highlight = (lines: string[], language: string) => Piece[][] | undefined;
export type Piece = { text: string; kind: Syntax | undefined };

export type Look = { style: Style; width: number; highlight: Highlight | undefined };

const codeIndent = 4;

/** Lines of code may be wider than the width: the terminal wraps them, so that they can be copied unchanged. */
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

/** Limits the indent so that deep nesting leaves room for text. */
function indentOf(indent: number, width: number): number {
  return Math.min(indent, Math.floor(width / 3));
}

/** Keeps the backticks of code if there are no colours to mark it. */
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
