import { expect, it } from "vitest";
import { errorLine, incidentLines } from "../../../src/app/print/error-line.ts";

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

it("a run that is not simply done gives a line for each denial and failure, with whose it is where it is another's", () => {
  const denial = { tool: "Bash", subject: "npm test\u001b[2J", reason: "It would be allowed by --allow 'Bash(npm test)'." };
  expect(
    incidentLines(
      {
        permission_denials: [
          { agent: "tool", ...denial },
          { agent: "ada", ...denial },
          { agent: "ada", ...denial },
        ],
        failures: [
          { agent: "tool", item: "the session", error: "The key is refused.\nAsk for another." },
          { agent: "tool", item: "src/a.ts", error: "It does not parse." },
          { agent: "ada", item: "look", error: "It crashed." },
        ],
      },
      "tool",
    ),
  ).toEqual([
    "tool: denied Bash npm test\\x1b[2J: It would be allowed by --allow 'Bash(npm test)'.\n",
    "tool: ada: denied Bash npm test\\x1b[2J: It would be allowed by --allow 'Bash(npm test)'. (2 times)\n",
    "tool: the key is refused.\n",
    "tool: src/a.ts: It does not parse.\n",
    "tool: ada: look: It crashed.\n",
  ]);
});
