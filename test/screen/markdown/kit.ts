// Markdown as terminal lines, parsed in pieces.
import { createBlockReader } from "../../../src/screen/markdown/block-reader.ts";
import { createHighlight } from "../../../src/screen/markdown/highlight.ts";
import { renderBlock } from "../../../src/screen/markdown/render.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { piecesOf } from "../session-kit.ts";

type Options = { width?: number; size?: number; env?: Record<string, string>; room?: number };

export function rendered(text: string, { width = 40, size = 10_000, env = { NO_COLOR: "1" }, room = 1_000 }: Options = {}): string[] {
  const reader = createBlockReader();
  const blocks = [...piecesOf(text, size).flatMap((piece) => reader.feed(piece, room)), ...reader.end()];
  const look = { style: createStyle({ LANG: "C.UTF-8", ...env }), width, highlight: createHighlight() };
  return blocks.flatMap((block) => renderBlock(block, look));
}
