// Lines of ours on standard error: the program's name, then a sentence that continues in lower case.
import { type ReportedIncidents, wholeSession } from "../../agent/result/outcome.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { counted } from "../../wording/counted.ts";

/** These begin a sentence; any other word with a capital may be a name. */
const beginsSentence = /^(?:Cannot|No|Nothing|Team|The|There|This|Which)\b/;

export function errorLine(sentence: string): string {
  return `tool: ${visibleText(sentence).replace(beginsSentence, (word) => word.toLowerCase())}\n`;
}

/**
 * What kept a run from being simply done: a line for each denial and failure, with whose it is and the rule or the reason. `self`: the agent that
 * needs no name here.
 */
export function incidentLines({ permission_denials: denials, failures }: ReportedIncidents, self?: string): string[] {
  const named = (agent: string, ...parts: string[]) => [...(agent === self ? [] : [agent]), ...parts].map(visibleLine).join(": ");
  const denied = denials.map(({ agent, tool, subject, reason }) => named(agent, `denied ${tool} ${subject}`.trim(), reason));
  const failed = failures.map(({ agent, item, error }) => {
    const [reason = ""] = error.split("\n", 1);
    return named(agent, ...(item === wholeSession || item === agent ? [] : [item]), reason);
  });
  return counted([...denied, ...failed]).map(errorLine);
}
