// A YAML text that keeps the line of each value, so that errors can name it.

import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { errorText } from "../../wording/error-text.ts";

export type YamlPath = readonly PropertyKey[];

/**
 * `lineOf`: the line of the value at that path, or of the deepest existing value above it; in a map, the line of the key. Counted from 1.
 */
export type YamlText = { ok: true; value: unknown; lineOf: (path: YamlPath) => number } | { ok: false; line: number; reason: string };

/** Never throws. Refuses more aliases than a person writes, because a few lines of them can expand to gigabytes. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
    const [syntax] = document.errors;
    if (syntax) return { ok: false, line: lines.linePos(syntax.pos[0]).line, reason: syntax.message };
    return { ok: true, value: document.toJS(), lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
  } catch (error) {
    return { ok: false, line: 1, reason: errorText(error) }; // too many aliases, or nested too deeply
  }
}

function offsetOf(document: Document, path: YamlPath): number {
  const parent = path.length > 0 ? document.getIn(path.slice(0, -1), true) : undefined;
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const node = pair ? pair.key : document.getIn(path, true);
  const range = typeof node === "object" && node !== null && "range" in node ? (node.range as [number] | undefined) : undefined;
  if (range) return range[0];
  return path.length > 0 ? offsetOf(document, path.slice(0, -1)) : 0;
}
