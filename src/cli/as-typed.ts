// How this program is named in help and in errors: texts are written with `tool`, and printed with what a person types here to start it.

const commands = "agents|batch|demo|display|doctor|help|hooks|ignore|permissions|privacy|secrets|skills|tasks|team";

/** `tool team status` as it works when it is pasted. A bare `tool` in a sentence, and `tool completion` in a start file, stay. */
const called = new RegExp(String.raw`(?<=^|[\s\`]|(?<!\$)\()tool(?= (?:(?:${commands})\b|--?[a-z]|-- |"|\[|  ))`, "gm");

export function asTyped(text: string, command: string): string {
  return command === "tool" ? text : text.replaceAll(called, () => command);
}
