// Parses the rows of a Markdown table (https://github.github.com/gfm/#tables-extension-).

/** Whether this is the row below the head, which makes the lines a table. */
export function isDelimiterRow(line: string): boolean {
  return line.includes("|") && /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/.test(line);
}

/** Which columns that row asks to be aligned on their right. */
export const rightOf = (delimiters: string): boolean[] => cellsOf(delimiters).map((cell) => /^-+:$/.test(cell));

/** The cells of a row; `\|` is a bar in a cell. */
export function cellsOf(line: string): string[] {
  const cells: string[] = [""];
  for (const part of line
    .trim()
    .replace(/^\|/, "")
    .match(/\\\||\||[^|\\]+|\\/g) ?? []) {
    if (part === "|") cells.push("");
    else cells.push(`${cells.pop()}${part === "\\|" ? "|" : part}`);
  }
  const trimmed = cells.map((cell) => cell.trim());
  return trimmed.at(-1) === "" ? trimmed.slice(0, -1) : trimmed;
}
