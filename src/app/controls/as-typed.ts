// Replaces `tool` in help and errors with the command that starts this program here, so that examples can be pasted.

const commands = "agents|batch|demo|display|doctor|help|hooks|ignore|permissions|privacy|secrets|skills|tasks|team";

/** Matches commands such as `tool team status`. A bare `tool` in a sentence, and `tool completion` in a shell's start file, are left alone. */
const called = new RegExp(String.raw`(?<=^|[\s\`]|(?<!\$)\()tool(?= (?:(?:${commands})\b|--?[a-z]|-- |"|\[|  ))`, "gm");

export function asTyped(text: string, command: string): string {
  return command === "tool" ? text : text.replaceAll(called, () => command);
}
