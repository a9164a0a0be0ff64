// One line of ours on standard error: the program's name, then a sentence that continues in lower case.
import { visibleText } from "../screen/visible-text.ts";

/** These begin a sentence; any other word with a capital may be a name. */
const beginsSentence = /^(?:Cannot|No|Nothing|Team|The|There|This|Which)\b/;

export function errorLine(sentence: string): string {
  return `tool: ${visibleText(sentence).replace(beginsSentence, (word) => word.toLowerCase())}\n`;
}
