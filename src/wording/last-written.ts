// Lines of output that were written over, such as progress.

/** The part of a line that a terminal would still show: what follows the last carriage return, apart from those at its end. */
export function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.slice(0, end).lastIndexOf("\r") + 1, end);
}
