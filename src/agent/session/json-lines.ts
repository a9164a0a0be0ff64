// Files of JSON Lines that a kill may interrupt in the middle of a line: such a line is left out, and the next one begins on its own.

/** What precedes a line that is appended to a file with these bytes. */
export const beginningOfLine = (bytes: Buffer | undefined): "" | "\n" => (bytes && bytes.length > 0 && bytes.at(-1) !== 0x0a ? "\n" : "");

/** The values of the whole lines. Their shape is the writer's. */
export const jsonLines = <Value>(text: string): Value[] => text.split("\n").flatMap((line) => jsonLine<Value>(line));

/** The value of a line; none of an empty or a torn one. */
export function jsonLine<Value>(line: string): Value[] {
  if (line === "") return [];
  try {
    return [JSON.parse(line) as Value];
  } catch {
    return [];
  }
}
