// Finds commands that a program is told to run: after a wrapper, as shell text, between -exec and ";".
import { wrappers } from "../tables/wrappers.ts";
import { endOfRun } from "../uses/looks.ts";
import { namesCommands } from "../uses/marks.ts";
import { runsFile, type Word } from "../words/analysis.ts";
import { subcommandPrograms } from "../words/invocation.ts";
import { appended, found, literal, unknownWord } from "../words/literal.ts";
import { type Given, joined, runText, runWords } from "./given.ts";
import { shell, shells } from "./given-to-shell.ts";
import { wrapped } from "./given-to-wrapper.ts";

/** Follows every command that the program is known to run, and records where it may run something else. */
export function givenCommands(given: Given): void {
  const { program, words } = given;
  const name = program.replace(/\.exe$/i, "");
  if (/^git-./.test(name)) given.command.possibleCommands.push([literal("git"), literal(name.slice(4)), ...words.slice(1)]);
  const runner = runners.get(name);
  runner?.(given);
  if (runner) return;
  also.get(name)?.(given);
  const at = leadsOn.has(name) ? (given.sub ?? (words[1]?.value?.startsWith("-") ? undefined : 1)) : undefined;
  if (at !== undefined && leads(name, at, given)) return;
  const wrapper = wrappers.get(name);
  if (wrapper) wrapped(wrapper, 1, given);
  else if (!given.looks) commandBehind(given);
}

/** Any other may be a wrapper: `unshare -r bash -c make`. Of one with subcommands only a shell counts; of the tree no program does. */
function commandBehind(given: Given): void {
  const { words, program, sub } = given;
  const mayWrap = !subcommandPrograms.has(program);
  const isRun = ({ value = "" }: Word, next: Word | undefined) => {
    const [, name = ""] = /^(?:\/.*\/)?([^/]+)$/s.exec(value) ?? [];
    const isShell = shells.has(name) && (!next || /^-\w*c$/.test(next.value ?? ""));
    return isShell || (mayWrap && name !== "." && (wrappers.has(name) || runners.has(name))); // a dot is a folder here
  };
  const at = words.findIndex((word, index) => index > 0 && index !== sub && isRun(word, words[index + 1]));
  if (at !== -1) runWords(words.slice(at), given);
}

/** Whether its second word, or its second and third, make it a wrapper. */
function leads(name: string, at: number, given: Given): boolean {
  const begin = `${name} ${given.words[at]?.value}`;
  const said = [begin, `${begin} ${given.words[at + 1]?.value}`];
  const which = said.findIndex((one) => wrappers.has(one));
  const isShort = (row: string) => said.some((one) => row.startsWith(one) && /^[^ ]/.test(row.slice(one.length)));
  if (which !== -1) wrapped(wrappers.get(said[which]!)!, at + 1 + which, given);
  else if ([...wrappers.keys()].some(isShort)) given.unclear(`${name} may take its words for longer ones`); // `npm exe`
  return which !== -1;
}

const leadsOn = new Set([...wrappers.keys()].flatMap((names) => (names.includes(" ") ? names.split(" ")[0]! : [])));

type Follow = (given: Given) => void;

const source: Follow = ({ unclear }) => unclear(runsFile);
const evaluate: Follow = (given) => runText(joined(given.words.slice(1)), "given to eval", given);
const trap: Follow = (given) => runText(given.words.slice(1).find(({ value }) => value !== "--")?.value, "given to trap", given);
const own = { eval: evaluate, trap, source, ".": source, find, gfind: find, fd, fdfind: fd };
const runners = new Map<string, Follow>([...[...shells].map((name): [string, Follow] => [name, shell]), ...Object.entries(own)]);

/** Additions for programs that the tables cover otherwise. */
const also = new Map<string, Follow>(Object.entries({ git, yarn: scriptOrProgram, yarnpkg: scriptOrProgram, bun: scriptOrProgram }));

function git(given: Given): void {
  const { words, sub, verb } = given;
  if (words.slice(1, sub).some(({ value = "" }) => namesCommands.test(value) || /^(?:--config-env=)?core\.attributesfile\b/i.test(value)))
    given.unclear("it changes what commands of git do or show");
  // Other names for `git push`.
  if (sub !== undefined && ["send-pack", "http-push", "subtree"].includes(verb ?? ""))
    given.command.possibleCommands.push([words[0]!, literal("push"), ...words.slice(sub + 1)]);
}

/** A name that is not a script is run as a program. */
function scriptOrProgram({ words, command }: Given): void {
  const named = words.findIndex(({ value }, at) => at > 0 && !value?.startsWith("-") && value !== "run");
  if (named > 0) command.possibleCommands.push(words.slice(named));
}

function find(given: Given): void {
  const { words, state, unclear } = given;
  for (let at = 1; at < words.length; at++) {
    const value = words[at]!.value;
    if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? "")) continue;
    const end = endOfRun(words, at);
    if (words.slice(at + 1, end).some(({ value }) => value === undefined))
      unclear("where the command that find runs ends is not known before it runs");
    // A found name begins with its root, so it is an option only if the root may be one; -execdir puts "./" before it.
    const inner = words.slice(at + 1, end).map((word) => {
      const mark = word.value?.indexOf("{}") ?? -1;
      return mark === -1 ? word : word.value === "{}" ? found : unknownWord(word.text, word.value!.slice(0, mark));
    });
    const folders = value!.includes("dir") ? [undefined] : state.folders;
    if (inner.length > 0) runWords(inner, { ...given, state: { ...state, stdin: {}, folders } });
    else unclear("what find runs is not known before it runs");
    at = end;
  }
}

function fd(given: Given): void {
  const at = given.words.findIndex(({ value }) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(value ?? ""));
  if (at === -1) return;
  const inner = given.words.slice(at + 1).map((word) => (/\{[./]*\}/.test(word.value ?? "") ? appended : word));
  if (inner.length > 0) runWords([...inner, appended], given);
}
