import { expect, it } from "vitest";
import { errorLine } from "../../src/app/error-line.ts";

it.each([
  ["Cannot read x: there is no such file.", "tool: cannot read x: there is no such file.\n"],
  ["There are no teams yet. Start one.", "tool: there are no teams yet. Start one.\n"],
  ["cannot read x.", "tool: cannot read x.\n"],
  ["Bash does not run here.", "tool: Bash does not run here.\n"],
  ["Theodore is a name.", "tool: Theodore is a name.\n"],
  ["Cannot read \u001b]0;x\u0007: it is empty.", "tool: cannot read \\x1b]0;x\\x07: it is empty.\n"],
])("%j continues after the program's name", (sentence, line) => {
  expect(errorLine(sentence)).toBe(line);
});
