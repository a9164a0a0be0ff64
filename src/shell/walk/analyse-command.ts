// Parses the text of a command and lists every simple command that can run.
import { errorText } from "../../wording/error-text.ts";
import { isHijacking } from "../tables/environment-names.ts";
import type { Analysis, FileUse } from "../words/analysis.ts";
import { parse } from "../words/grammar.ts";
import { misleading } from "../words/misleading.ts";
import { openFile } from "../words/paths.ts";
import type { State, Walk } from "../words/state.ts";
import { collectVariables, noVariables, onlyRuns } from "../words/variables.ts";
import { simpleCommand } from "./simple-command.ts";
import { walkScript } from "./walk.ts";
import { glued } from "./walk-words.ts";

/** A longer text is not parsed. The number of its parts is not limited. */
const mostCharacters = 64 * 1024;

/** Pure; never throws, for any text. */
export function analyseCommand(text: string): Analysis {
  if (text.length > mostCharacters) return { text, commands: [], plain: false, unclear: `it is longer than ${mostCharacters / 1024} KB` };
  const variables = noVariables();
  const walk: Walk = {
    commands: [],
    variables,
    faults: misleading.test(text) ? ["it contains invisible or misleading characters"] : [],
    functions: new Set(),
    seen: new Map(),
    script: (inner, state) => script(walk, inner, state),
    simple: (command, state) => simpleCommand(walk, command, state),
  };
  try {
    script(walk, text, { where: "", folders: [""], known: new Map(), depth: 0 });
  } catch (error) {
    walk.faults.push(`it cannot be parsed (${errorText(error)})`);
  }
  if (variables.counted > variables.visited) walk.faults.push("a part of it was not understood");
  const hijacked = [...variables.indirect].find(isHijacking);
  if (hijacked !== undefined) walk.faults.push(`it changes ${hijacked}, which decides which programs run`);
  for (const command of walk.commands) command.files = command.files.flatMap((use) => stillOpen(use, walk));
  const [unclear] = walk.faults;
  return { text, commands: walk.commands, plain: onlyRuns(variables), ...(unclear !== undefined && { unclear }) };
}

/** Where no redirection opens a file, `/dev/stderr` and its like are what a command is given anyway; else which file it is is not known. */
function stillOpen(use: FileUse, { opensFile }: Walk): FileUse[] {
  if (!openFile.test(use.path ?? "")) return [use];
  return opensFile || /\/fd\/(?![012]$)/.test(use.path!) ? [{ ...use, path: undefined, pattern: undefined }] : [];
}

function script(walk: Walk, text: string, state: State): void {
  const parsed = parse(text);
  // The grammar ends a word here; bash does not.
  if (/\\\s[<>]\(/.test(text)) walk.faults.push("an escaped space precedes a process substitution");
  // The grammar reads the number as a file descriptor; bash reads it as the beginning of a word.
  if (/[\d}][<>]\(/.test(text)) walk.faults.push("a number directly precedes a process substitution");
  // The grammar begins a comment here; bash does not.
  if (/[<>]\(/.test(text) && /\)#/.test(text)) walk.faults.push(glued);
  if (/\$\\\n/.test(text)) walk.faults.push("a line continues after a dollar sign");
  if (parsed.errors?.length) walk.faults.push(`it does not parse: ${parsed.errors[0]!.message}`);
  collectVariables(parsed, walk.variables);
  walkScript(parsed, state, { walk, source: text });
}
