// Fits text to the terminal of a person: the one function by which commands wrap what they print.
import type { Output } from "../world.ts";

type Terminal = Pick<Output, "isTTY" | "columns">;

/** Wraps lines at words to the terminal's width, below the column in which their text begins; a file gets them whole. */
export async function fitted(to: Terminal, text: string): Promise<string> {
  return fittedLines(to, text.split("\n"), 2);
}

/** The same for help, whose paragraphs have line breaks of their own: they are taken out before. */
export async function fittedHelp(to: Terminal, text: string): Promise<string> {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const before = lines.at(-1);
    if (before !== undefined && continues(before, line)) lines[lines.length - 1] = `${before} ${line.trimStart()}`;
    else lines.push(line);
  }
  return fittedLines(to, lines, 0, text);
}

async function fittedLines({ isTTY, columns }: Terminal, lines: string[], leastHang: number, text = lines.join("\n")): Promise<string> {
  if (!isTTY || text.split("\n").every((line) => line.length <= columns)) return text;
  const { columnsOf, wrap } = await import("../../screen/line-widths.ts");
  const hangOf = (line: string) => {
    const own = columnsOf(indent.exec(line)?.[0] ?? "");
    const before = columnsOf(taskRow.exec(line)?.[0] ?? firstColumn.exec(line)?.[0] ?? "");
    return Math.max(leastHang, before > columns / 2 ? own + 2 : before || own);
  };
  return lines.map((line) => (onlyCommand.test(line) ? line : wrap(line, columns, hangOf(line)))).join("\n");
}

/** No line of help that ends before is continued. */
const shortestBroken = 95;

function continues(before: string, line: string): boolean {
  if (before.length < shortestBroken || line.trim() === "" || onlyCommand.test(before) || onlyCommand.test(line)) return false;
  const column = (firstColumn.exec(before) ?? indent.exec(before) ?? [""])[0].length;
  return !firstColumn.test(line) && column === (indent.exec(line)?.[0].length ?? 0);
}

/** Such a line is left to the terminal to wrap: a command with a line break in it cannot be pasted, nor can JSON. */
const onlyCommand = /^To [^.:]+: |^ *\{|^ {2,}(?:[^|]* \| )?(?:[A-Z_]+=\S+ )?(?:tool|node \S+) (?!.* {2})/;

const esc = "\u001b";
/** The columns before the text of a task's row, with their colours; its further lines begin below the text. */
const taskRow = new RegExp(`^task-\\d+ +\\S+ \\S* +(?:${esc}\\[[\\d;]*m +)?`);
/** The same of any other row whose first column is followed by two blanks. */
const firstColumn = new RegExp(`^(?:${esc}\\[[\\d;]*m)* *\\S+(?: \\S+)*? {2,}`);
const indent = new RegExp(`^(?:${esc}\\[[\\d;]*m)* *`);
