// The YAML text of a script, whose errors are reported with file, line and path.
import { readYaml, type YamlPath } from "../../disk/yaml-text.ts";

/** A script that cannot be played or continued. The message names file, line and place. */
export class ScriptError extends Error {
  override name = "ScriptError";
}

export type Path = YamlPath;
export type Problem = { path: Path; message: string };
export type Source = { value: unknown; lineOf: (path: Path) => number; error: (problems: Problem[]) => ScriptError };

/** Throws ScriptError if it is not YAML. */
export function openSource(file: string, text: string): Source {
  const read = readYaml(text);
  if (!read.ok) throw new ScriptError(`${file}:${read.line}: ${read.reason}`);
  const { value, lineOf } = read;
  const show = ({ path, message }: Problem) => `${file}:${lineOf(path)}: ${[pathText(path), message].filter(Boolean).join(": ")}`;
  return { value, lineOf, error: (problems) => new ScriptError(problems.map(show).join("\n")) };
}

function pathText(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
