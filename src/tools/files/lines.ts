// Text as lines, in the form shown to models and users.

/** Lines without their ends (LF or CRLF); a final line end starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `17<tab>text` for each line, counting from `first`; long lines are cut. */
export function numbered(lines: string[], first: number): string[] {
  return lines.map((line, index) => `${first + index}\t${cutLine(line, maxLineLength)}`);
}

/** Whether `numbered` shows only a part of this line. */
export function isCut(line: string): boolean {
  return line.length > maxLineLength;
}

/** The beginning of a line, and how much is missing. */
export function cutLine(line: string, max: number): string {
  return line.length <= max ? line : `${line.slice(0, max).toWellFormed()}… (+${line.length - max} characters)`;
}

/** Characters shown of one line: a minified file must not fill the context window. */
const maxLineLength = 2000;

/** The first lines that fit into `maxBytes`, counting a line end for each. */
export function withinBytes(lines: string[], maxBytes: number): string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > maxBytes;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** Counts the lines that differ, ignoring a common beginning and a common end. */
export function changedLines(before: string[], after: string[]): { added: number; removed: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { added: after.length - head - tail, removed: before.length - head - tail };
}
