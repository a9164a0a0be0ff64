// Fits text to the terminal of a person: the one function by which commands wrap what they print.
import type { Output } from "../world.ts";

/** Wraps lines at words to the terminal's width, below the column in which their text begins; a file gets them whole. */
export async function fitted({ isTTY, columns }: Pick<Output, "isTTY" | "columns">, text: string): Promise<string> {
  const lines = text.split("\n");
  if (!isTTY || lines.every((line) => line.length <= columns)) return text;
  const { columnsOf, wrap } = await import("../../screen/line-widths.ts");
  const hangOf = (line: string) => {
    const before = columnsOf(taskRow.exec(line)?.[0] ?? firstColumn.exec(line)?.[0] ?? indent.exec(line)?.[0] ?? "");
    return before > columns / 2 ? leastHang : Math.max(leastHang, before);
  };
  return lines.map((line) => (onlyCommand.test(line) ? line : wrap(line, columns, hangOf(line)))).join("\n");
}

const leastHang = 2;

/** Such a line is left to the terminal to wrap: a command with a line break in it cannot be pasted, nor can JSON. */
const onlyCommand = /^To [^.:]+: |^ *\{|^ {2,}(?:[^|]* \| )?(?:[A-Z_]+=\S+ )?(?:tool|node \S+) (?!.* {2})/;

const esc = "\u001b";
/** The columns before the text of a task's row, with their colours; its further lines begin below the text. */
const taskRow = new RegExp(`^task-\\d+ +\\S+ \\S* +(?:${esc}\\[[\\d;]*m +)?`);
/** The same of any other row whose first column is followed by two blanks. */
const firstColumn = new RegExp(`^(?:${esc}\\[[\\d;]*m)* *\\S+(?: \\S+)*? {2,}`);
const indent = new RegExp(`^(?:${esc}\\[[\\d;]*m)* *`);
