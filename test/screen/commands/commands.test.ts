import { expect, it } from "vitest";
import { readSlashLine, unknownCommandText } from "../../../src/screen/commands/commands.ts";

it("suggests similar commands for an unknown one, and says how to send the line to the agent", () => {
  const commands = ["model", "hooks", "clear"].map((name) => ({ name, summary: "", run: () => {} }));
  const answer = (line: string) => {
    const read = readSlashLine(line, commands);
    return read?.kind === "unknown" ? unknownCommandText(read) : read?.kind;
  };
  const advice = "To send a line that begins with a slash, put a space before it.";
  expect([answer("/tools"), answer("/modle"), answer("/new"), answer(" /nope")]).toEqual([
    `There is no command /tools. /help lists them all. ${advice}`,
    `There is no command /modle. Did you mean /model? ${advice}`,
    `There is no command /new. Did you mean /clear? ${advice}`,
    undefined,
  ]);
});

it("runs a command by its name in any case, or by its alias", () => {
  const commands = [{ name: "exit", alias: "quit", summary: "", run: () => {} }];
  const named = (line: string) => {
    const read = readSlashLine(line, commands);
    return read?.kind === "command" ? read.command.name : read?.kind;
  };
  expect(["/exit", "/Exit", "/quit", "/QUIT now", "/quite", "/q/x"].map(named)).toEqual([
    "exit",
    "exit",
    "exit",
    "exit",
    "unknown",
    undefined,
  ]);
});
