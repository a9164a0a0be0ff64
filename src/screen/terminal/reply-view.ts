// Shows a streaming reply: finished blocks are printed above the live part at once, and the open block stays in it. No text is shown twice.
import type { Block } from "../markdown/block.ts";
import { createBlockReader } from "../markdown/block-reader.ts";
import { type Highlight, type Look, renderBlock } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { gap as blank, type Rendered } from "./screen.ts";

export type ReplyViewSetup = {
  style: Style;
  /** Prints finished lines. */
  add: (lines: Rendered) => void;
  /** Whether the text above the reply ends with an empty line. */
  isAfterGap: () => boolean;
  /** The rows that the open block may use; longer code is printed above line by line. */
  room: () => number;
  /** Undefined until highlighting is loaded; the first call starts loading. */
  highlight: () => Highlight | undefined;
};

export interface ReplyView {
  text(delta: string): void;
  /** The reply is complete; the part that was not streamed is shown. */
  whole(texts: string[]): void;
  /** The text so far is void, because a new attempt begins. */
  broke(): void;
  /** Prints the open text so far if it fills its rows: what is printed next would appear above it, out of sight. */
  makeRoom(width: number): void;
  /** The reply has ended. */
  stop(): void;
  openLines(width: number): string[];
  /** Whether text of a reply has come that is not complete. */
  isStreaming(): boolean;
}

const render = (blocks: Block[], look: Look) => blocks.flatMap((block) => renderBlock(block, look));

export function createReplyView({ style, add, isAfterGap, room, highlight }: ReplyViewSetup): ReplyView {
  const reader = createBlockReader();
  let streamed = "";
  /** Whether a part of this reply was printed. */
  let begun = false;
  let gap = false;
  /** Whether other text was printed since. */
  let apart = false;

  const colours = (blocks: Block[]) => (blocks.some(isColoured) ? highlight() : undefined);
  const inProgress = highlightInProgress();
  const show = (blocks: Block[]) => {
    const shown: Block[] = [];
    for (const block of blocks) {
      if (block.kind === "gap") gap = true;
      else {
        if (!begun || apart) add(blank);
        else if (gap) shown.push({ kind: "gap" });
        shown.push(block);
        begun = true;
        gap = false;
        apart = false;
      }
    }
    colours(shown); // loads it before it is needed
    if (shown.length > 0) add((width) => render(shown, { style, width, highlight: colours(shown) }));
  };
  const forget = () => {
    reader.end();
    streamed = "";
    begun = false;
    gap = false;
    apart = false;
  };
  const finish = () => {
    show(reader.end());
    if (begun) add(blank);
    forget();
  };
  const openLines = (width: number) => {
    const blocks = reader.open().filter(({ kind }) => kind !== "gap");
    if (blocks.length === 0) return [];
    return [
      ...((gap && !apart) || !((begun && !apart) || isAfterGap()) ? [""] : []),
      ...render(blocks.map(lastOf), { style, width, highlight: inProgress(colours(blocks)) }),
    ];
  };
  return {
    text(delta) {
      streamed += delta;
      show(reader.feed(delta, room()));
    },
    whole(texts) {
      const all = texts.join("\n\n");
      const rest = all.startsWith(streamed) ? all.slice(streamed.length) : undefined;
      if (streamed === "") show(reader.feed(all, room()));
      else if (rest !== undefined) show(reader.feed(rest, room()));
      else {
        // The shown text differs from the stored one: the person must see what the agent continues with.
        finish();
        add(() => [style.dim("  the part of this reply that was kept:")]);
        show(reader.feed(all, room()));
      }
      finish();
    },
    broke() {
      if (begun) add(() => ["", style.dim("  the reply broke off here; it starts again")]);
      forget();
    },
    stop: finish,
    makeRoom(width) {
      if (openLines(width).length < room()) return;
      const head = reader.cut();
      show(head);
      apart = head.length > 0;
    },
    openLines,
    isStreaming: () => streamed !== "",
  };
}

function isColoured(block: Block): boolean {
  return block.kind === "code" && block.language !== "";
}

/** Highlights unfinished code again after every few new lines; the last line waits until it is complete. */
function highlightInProgress(): (highlight: Highlight | undefined) => Highlight | undefined {
  let known: { code: string; count: number; pieces: ReturnType<Highlight> } | undefined;
  return (highlight) =>
    highlight &&
    ((lines, language) => {
      const whole = lines.length - 1;
      const beginning = (count: number) => `${language}\n${lines.slice(0, count).join("\n")}\n`;
      if (!known || whole - known.count >= Math.max(3, known.count / 6) || whole < known.count || known.code !== beginning(known.count)) {
        known = { code: beginning(whole), count: whole, pieces: whole > 0 ? highlight(lines.slice(0, whole), language) : [] };
      }
      return known.pieces && [...known.pieces, ...lines.slice(known.count).map((text) => [{ text, kind: undefined }])];
    });
}

/** Only the end of a long open block is visible, so only that is rendered. */
const mostDrawn = 3_000;

function lastOf(block: Block): Block {
  if (block.kind !== "paragraph" && block.kind !== "item" && block.kind !== "quote" && block.kind !== "code") return block;
  let left = mostDrawn;
  const lines: string[] = [];
  for (const line of block.lines.toReversed()) {
    if (left <= 0) break;
    lines.unshift(line.slice(-left).replace(/^[\udc00-\udfff]/, ""));
    left -= line.length + 1;
  }
  return { ...block, lines: block.kind === "code" ? lines : lines.with(-1, withoutBegunLink(lines.at(-1) ?? "")) };
}

/** A link whose address still streams is its text so far: otherwise its marks would stand there for a moment. */
function withoutBegunLink(line: string): string {
  return line.replace(/(?<!\w)!?\[([^[\]]*)(?:\](?:\([^()\s]*)?)?$/, "$1");
}
