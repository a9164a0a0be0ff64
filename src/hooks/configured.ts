// The hooks in the settings files: which of them run, why others cannot, and warnings.
import { resolve } from "node:path";
import { scopes } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { alternativesIn, namesIn } from "../settings/hook-matcher.ts";
import { allEntries, type HookEvent, hookText } from "../settings/hook-settings.ts";
import { hooksOf, leftOutOf, type SettingsHook, type SettingsLeftOut } from "../settings/scopes.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { shellWord } from "../wording/shell-word.ts";
import { type EventRow, events } from "./events.ts";

/** `held`: it belongs to a repository that is not trusted. `fault`: why it cannot run. `warning`: in what it does not run as written. */
export type ConfiguredHook = SettingsHook & { held: boolean; fault?: HookFault; warning?: string };
export type ConfiguredHooks = { hooks: ConfiguredHook[]; leftOut: SettingsLeftOut[] };

/** What keeps the program at a path, or of a name that is looked up on PATH, from being run; undefined if nothing does. */
export type ProgramFault = (program: string) => "missing" | "a folder" | "not executable" | "not on PATH" | undefined;
export type HookFault = { program: string; kind: Exclude<ReturnType<ProgramFault>, undefined> };
type ProgramsPlace = { cwd: string; home: string; root: string; faultOf: ProgramFault };

/** In order of precedence. */
export function configuredHooks({ files, trust }: Pick<LoadedSettings, "files" | "trust">): ConfiguredHooks {
  const sorted = files.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
  const hooks = sorted.flatMap(hooksOf).map((hook) => {
    const warning = oddIn(hook);
    const held = trust.state !== "trusted" && (hook.scope === "project" || hook.scope === "local");
    return { ...hook, held, ...(warning !== undefined && { warning }) };
  });
  return { hooks, leftOut: sorted.flatMap(leftOutOf) };
}

/** The same with the faults of the programs that the commands name: bash ends with 126 or 127 for those, which blocks nothing. A held hook has none. */
export function withFaults({ hooks, leftOut }: ConfiguredHooks, { faultOf, ...place }: ProgramsPlace): ConfiguredHooks {
  const faultIn = ({ command, folder, held }: ConfiguredHook): HookFault | undefined => {
    const program = held ? undefined : (namedProgram(command, { ...place, cwd: folder ?? place.cwd }) ?? bareName(command));
    const kind = program === undefined ? undefined : faultOf(program);
    return program !== undefined && kind ? { program, kind } : undefined;
  };
  const examined = hooks.map((hook) => {
    const fault = faultIn(hook);
    return { ...hook, ...(fault && { fault }) };
  });
  return { hooks: examined, leftOut };
}

/** For example `cannot run and blocks nothing: /home/ada/check is missing`. */
export function whyItCannotRun({ program, kind }: HookFault, event: HookEvent): string {
  const { blocks }: EventRow = events[event];
  const todo = kind === "not executable" ? `; chmod +x ${shellWord(program)}` : "";
  return `cannot run${blocks === undefined ? "" : " and blocks nothing"}: ${program} is ${kind}${todo}`;
}

/** One sentence for each hook that does not run as written, and for each that does not run. */
export function hookWarnings(loaded: Pick<LoadedSettings, "files" | "trust">): string[] {
  const { hooks, leftOut } = configuredHooks(loaded);
  const of = (file: string | undefined) => (file === undefined ? "" : ` of ${file}`);
  return [
    ...hooks.flatMap(({ warning, file, ...hook }) => (warning === undefined ? [] : [`The hook ${hookText(hook)}${of(file)}: ${warning}.`])),
    ...leftOut.map((left) =>
      left.what === allEntries
        ? `The hooks for ${left.event}${of(left.file)} ${whyLeftOut(left, ["are", "block"])}.`
        : `The hook ${hookText({ ...left, command: left.what })}${of(left.file)} ${whyLeftOut(left)}.`,
    ),
  ];
}

/** For example `is left out and blocks nothing: its "type" must be "command"`; with other verbs for several. */
export function whyLeftOut({ event, why }: SettingsLeftOut, [is, blocks] = ["is", "blocks"]): string {
  const row: EventRow | undefined = Object.hasOwn(events, event) ? events[event as keyof typeof events] : undefined;
  return `${is} left out${row?.blocks === undefined ? "" : ` and ${blocks} nothing`}: ${why}`;
}

function oddIn({ event, matcher, odd = [] }: SettingsHook): string | undefined {
  const keys = odd.map((key) => `it has the unknown key ${key}, which changes nothing`);
  const never = matcher === undefined ? undefined : oddMatcher(events[event], { event, matcher });
  return [...keys, ...(never === undefined ? [] : [never])].join("; ") || undefined;
}

function oddMatcher({ matches }: EventRow, { event, matcher }: { event: HookEvent; matcher: string }): string | undefined {
  if (!matches) return `${event} has nothing that a matcher is compared with, so it always runs`;
  const { what, known, alsoCalled = {} } = matches;
  if (known.length === 0) return undefined;
  const all = [...known, ...Object.keys(alsoCalled)];
  const names = namesIn(matcher);
  const others = names.filter((name) => !all.includes(name) && !name.startsWith("mcp__"));
  // Nobody means the two tools that stand for those of servers, whose names are like others of other products.
  const spelt = known.filter((name) => !["McpSearch", "McpCall"].includes(name));
  // What only another product has is no mistake beside a name that exists.
  const unknown =
    others.find((name) => nearestName(name, spelt)) ?? (others.length === alternativesIn(matcher).length ? others[0] : undefined);
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, spelt);
  return `${what} is never "${unknown}"; ${near ? `did you mean "${near}"` : `known are ${known.join(", ")}`}`;
}

/**
 * The name of the program that a simple command runs: its words are plain, so that no variable, function or other syntax of the shell can mean
 * something else. Undefined for what bash itself is.
 */
function bareName(command: string): string | undefined {
  const [name, ...words] = command.trim().split(/[ \t]+/);
  const isSimple = /^[A-Za-z][\w.+-]*$/.test(name ?? "") && words.every((word) => /^[\w./@:,+%=-]+$/.test(word));
  return isSimple && !ofBash.has(name!) ? name : undefined;
}

/** Builtins and reserved words (`compgen -bk`). */
const ofBash = new Set(
  "alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while".split(
    " ",
  ),
);

/** The file that a command starts with, if the command names it by a plain path; undefined for programs found on PATH and for shell syntax. */
export function namedProgram(command: string, { cwd, home, root }: { cwd: string; home: string; root: string }): string | undefined {
  const [word = ""] = command.trim().split(/\s/, 1);
  const [, start = "", rest = ""] =
    /^(~(?=\/)|("?)\$(?:(?:TOOL|CLAUDE)_PROJECT_DIR|\{(?:TOOL|CLAUDE)_PROJECT_DIR\})\2(?=\/))?(.*)$/s
      .exec(word)
      ?.filter((_, at) => at !== 2) ?? [];
  if (!/^[\w./@+-]*\/[\w./@+-]+$/.test(rest)) return undefined;
  return resolve(cwd, start === "" ? rest : `${start === "~" ? home : root}${rest}`);
}
