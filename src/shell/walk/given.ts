// A command with the commands it is told to run, and how to walk through those.
import type { SimpleCommand, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { begun, either, type State, stateInside, type Walk } from "../words/state.ts";

export type Given = Invocation & {
  command: SimpleCommand;
  looks: boolean;
  state: State;
  walk: Walk;
  unclear: (reason: string) => void;
};

/** Walks through text that a shell will run. */
export function runText(script: string | undefined, where: string, { state, walk, command, unclear, program }: Given): void {
  // env splits its text by rules of its own, and goes on with the words behind it.
  if (script === undefined || program === "env") unclear(`what ${program} runs is not known before it runs`);
  if (script === undefined) return;
  if (!grammarians.has(program) && isOtherInSh(script)) unclear("it is text for sh, which parses a part of it differently than bash");
  const inner = stateInside(state, command);
  Object.assign(inner, { where, depth: state.depth + 1, known: new Map(), stdin: undefined, isRun: true });
  walk.script(script, inner);
  if (program === "eval" || program === "trap") state.folders = either(state.folders, inner.folders);
}

/** These parse text as bash does; any other program may pass it to a simpler shell. */
const grammarians = new Set(["bash", "rbash", "eval", "trap"]);

/** Whether sh parses some of it differently: there `[[ a || b ]]` runs b. */
const isOtherInSh = (text: string) => otherInSh.test(text) || text.split("}").some((part) => inBraces.test(part));

/** Braces that expand, or change the value of a variable, up to where they end. */
const inBraces = /^[^{]*\{.*?(?:,|\.\.)|^(?:[^$]|\$(?!\{))*\$\{.*?[/^,@!:]/s;

const otherInSh = /\$['"[]|[<>]\(|\[\[|\(\(|<<<|&>|\|&|;&|\b(function|select|coproc|time|source)\b|\+=|\w\[|^\s*\w+=\(|!\s*\(/m;

/** The words as one text; undefined if one of them is unknown. */
export const joined = (words: Word[]) =>
  words.every(({ value }) => value !== undefined) ? words.map(({ value }) => value).join(" ") : undefined;

/** Walks through words that form a command. */
export function runWords(words: Word[], { state, walk, command, program }: Given, assignments: SimpleCommand["assignments"] = []): void {
  const inner = stateInside(state, command);
  inner.where = `run by ${program}`;
  inner.isRun = true;
  inner.depth++;
  walk.simple(begun(walk, { text: words.map(({ text }) => text).join(" "), words, assignments }, inner), inner);
  if (program === "command" || program === "builtin") state.folders = inner.folders; // they run it in this shell
}
