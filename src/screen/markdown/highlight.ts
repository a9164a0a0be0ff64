// Syntax highlighting. Loaded when the first code is shown.
import type { Syntax } from "../style.ts";
import { createEngine } from "./highlight-engine.js";
import type { Highlight, Piece } from "./render.ts";

/** Longer code is not highlighted, because it takes too long. */
const mostCharacters = 40_000;
const longestLine = 2_000;

export function createHighlight(): Highlight {
  const engine = createEngine();
  return (lines, language) => {
    const code = lines.join("\n");
    if (!engine.getLanguage(language) || code.length > mostCharacters) return undefined;
    if (lines.some((line) => line.length > longestLine)) return undefined;
    return pieces(engine.highlight(code, { language, ignoreIllegals: true }).value);
  };
}

const kinds: Record<string, Syntax> = {
  comment: "quiet",
  quote: "quiet",
  meta: "quiet",
  keyword: "keyword",
  literal: "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  tag: "keyword",
  built_in: "name",
  type: "name",
  title: "name",
  attr: "name",
  attribute: "name",
  section: "name",
  property: "name",
  string: "value",
  regexp: "value",
  number: "value",
  symbol: "value",
  bullet: "keyword",
  addition: "added",
  deletion: "removed",
};

/** The engine's HTML as pieces. A tag may span lines, a piece never does. */
function pieces(markup: string): Piece[][] {
  const lines: Piece[][] = [[]];
  const open: (Syntax | undefined)[] = [];
  for (const [, scope, close, text] of markup.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (scope !== undefined) open.push(kinds[scope.split(" ")[0]?.replace("hljs-", "") ?? ""] ?? open.at(-1));
    else if (close) open.pop();
    else {
      for (const [index, part] of (text ?? "").split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (part) lines.at(-1)?.push({ text: unescaped(part), kind: open.at(-1) });
      }
    }
  }
  return lines;
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
