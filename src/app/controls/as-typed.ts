// Replaces `tool` in help and errors with the command that starts this program here, so that examples can be pasted.

const commands =
  "acp|agents|batch|changes|config|demo|display|doctor|drop|help|hooks|ignore|import|mcp|permissions|place|privacy|secrets|skills|take|tasks|team|watch";

/** Matches commands such as `tool team status`. A bare `tool` in a sentence, and `tool completion` in a shell's start file, are left alone. */
const called = new RegExp(String.raw`(?<=^|[\s\`]|(?<!\$)\()tool(?= (?:(?:${commands})\b|--?[a-z]|-- |"|\[|  ))`, "gm");

export function asTyped(text: string, command: string): string {
  return command === "tool" ? text : text.replaceAll(called, () => command);
}
