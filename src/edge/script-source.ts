// A YAML text whose values are still known by line, so that what is wrong with them can be said with file, line and path.
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";

/** A script that cannot be played, or cannot go on. The message names file, line and place. */
export class ScriptError extends Error {
  override name = "ScriptError";
}

export type Path = readonly PropertyKey[];
export type Problem = { path: Path; message: string };
export type Source = { value: unknown; lineOf: (path: Path) => number; error: (problems: Problem[]) => ScriptError };

/** Throws ScriptError when it is no YAML. */
export function openSource(file: string, text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntax] = document.errors;
  if (syntax) throw new ScriptError(`${file}:${lines.linePos(syntax.pos[0]).line}: ${syntax.message}`);
  const lineOf = (path: Path) => lines.linePos(offsetOf(document, path)).line;
  const show = ({ path, message }: Problem) => `${file}:${lineOf(path)}: ${[pathText(path), message].filter(Boolean).join(": ")}`;
  return { value: document.toJS(), lineOf, error: (problems) => new ScriptError(problems.map(show).join("\n")) };
}

/** Where the value at `path` begins, or the deepest one above it that exists; for a key of a map, the key. */
function offsetOf(document: Document, path: Path): number {
  const parent = path.length > 0 ? document.getIn(path.slice(0, -1), true) : undefined;
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const node = pair ? pair.key : document.getIn(path, true);
  const range = typeof node === "object" && node !== null && "range" in node ? (node.range as [number] | undefined) : undefined;
  if (range) return range[0];
  return path.length > 0 ? offsetOf(document, path.slice(0, -1)) : 0;
}

function pathText(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
