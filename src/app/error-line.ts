// One line of ours on standard error: the program's name, then a sentence that continues in lower case.

/** These begin a sentence; any other word with a capital may be a name. */
const beginsSentence = /^(?:Cannot|No|Team|The|There|This|Which)\b/;

export function errorLine(sentence: string): string {
  return `tool: ${sentence.replace(beginsSentence, (word) => word.toLowerCase())}\n`;
}
