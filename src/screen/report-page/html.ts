// Builds HTML in which no text can become markup: every part of a template is escaped unless a template made it.
import { visibleText } from "../visible-text.ts";

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | readonly Part[];

/**
 * In a part that is not HTML, every character with a meaning in text or in a quoted attribute is escaped, and invisible characters are spelled out.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]!) : "")).join(""));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escaped(visibleText(part));
  return part.map(textOf).join("");
}

const meanings: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => meanings[character]!);
}
