// Runs the hooks of an event in parallel. An event without hooks costs one map lookup.
import type { RulePlaces } from "../permissions/paths/path-rules.ts";
import { readMatcher } from "../settings/hook-matcher.ts";
import type { HookEvent } from "../settings/hook-settings.ts";
import { namesOfTool } from "../settings/other-tool-names.ts";
import type { SettingsHook } from "../settings/scopes.ts";
import { errorText } from "../wording/error-text.ts";
import type { CommonInput, EventInput } from "./event-inputs.ts";
import { type EventRow, events } from "./events.ts";
import type { RunHook } from "./hook-process.ts";
import { withOtherNames } from "./other-names.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export type HookRunnerSetup = {
  /** The hooks of the current settings. The list is the same object as long as the settings do not change. */
  hooks: () => readonly SettingsHook[];
  run: RunHook;
  about: () => CommonInput;
  /** The complete environment of a hook. */
  env: () => Record<string, string>;
  /** Where path patterns of matchers begin. */
  places: () => RulePlaces;
  onNotice: (text: string) => void;
};

/** `matched`: what matchers are compared with. `call`: the call that it is about, under our names. `without`: a hook to skip. */
export type Occasion<Event extends HookEvent> = {
  event: Event;
  matched?: string;
  call?: { tool: string; input: unknown };
  input: EventInput<Event>;
  signal: AbortSignal;
  without?: SettingsHook;
};

export interface HookRunner {
  has(event: HookEvent): boolean;
  /** The working directory of hooks. */
  cwd(): string;
  /** Why a hook has ended the turn since this was last asked. */
  stopped(): string | undefined;
  /** The verdicts in the order of the settings. As soon as a hook blocks, its verdict alone. */
  fire<Event extends HookEvent>(occasion: Occasion<Event>): Promise<Verdict[]>;
}

const defaultTimeoutMs = 60_000;
/** Short, because the person is leaving the session. */
const endTimeoutMs = 5_000;

export function hookRunner({ hooks, run, about, env, places, onNotice }: HookRunnerSetup): HookRunner {
  const byEvent = indexed(hooks);
  const told = new Set<string>();
  let stopped: string | undefined;
  const tell = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    onNotice(text);
  };
  const verdict = async (hook: SettingsHook, text: string, signal: AbortSignal): Promise<Verdict> => {
    const timeoutMs = hook.timeoutMs ?? (hook.event === "SessionEnd" ? endTimeoutMs : defaultTimeoutMs);
    const { command, sandboxed } = hook;
    const how = { env: env(), input: text, timeoutMs, signal, ...(sandboxed && { sandboxed }) };
    const came = verdictOf(hook, await run({ command, cwd: hook.folder ?? about().cwd, ...how }), timeoutMs);
    came.notices.forEach(tell);
    if (!hook.unwaited) stopped ??= came.stopsTurn;
    return came;
  };
  return {
    has: (event) => byEvent().has(event),
    cwd: () => about().cwd,
    stopped() {
      const why = stopped;
      stopped = undefined;
      return why;
    },
    async fire({ event, matched, call, input, signal, without }) {
      const all = (byEvent().get(event) ?? []).filter((hook) => hook !== without);
      const fitting = await Promise.all(all.map((hook) => fits(hook, { event, matched, call, places })));
      const matching = all.filter((_, index) => fitting[index]);
      if (matching.length === 0) return [];
      const { cwd, ...rest } = about();
      const text = JSON.stringify({ hook_event_name: event, cwd, ...rest, ...withOtherNames(input) });
      for (const hook of matching.filter(({ unwaited }) => unwaited))
        void verdict(hook, text, signal).catch((error: unknown) => tell(errorText(error)));
      return firstBlock(matching.filter(({ unwaited }) => !unwaited).map((hook) => verdict(hook, text, signal)));
    },
  };
}

type Met = { event: HookEvent; matched: string | undefined; call: Occasion<HookEvent>["call"]; places: () => RulePlaces };

/** Whether the hook's matcher and its rule fit; one without either fits everything. A matcher says nothing at an event without such values. */
async function fits({ matcher, only, folder }: SettingsHook, { places, ...others }: Met): Promise<boolean> {
  const met: Met = { ...others, places: () => ({ ...places(), ...(folder !== undefined && { cwd: folder, folder }) }) };
  const { matches }: EventRow = events[met.event];
  if (matcher !== undefined && matches && !(await meets(matcher, matches, met))) return false;
  return only === undefined || (matches !== undefined && (await meets(only, matches, met)));
}

async function meets(
  text: string,
  { alsoCalled = {} }: NonNullable<EventRow["matches"]>,
  { matched = "", call, places }: Met,
): Promise<boolean> {
  const read = readMatcher(text, places());
  if (!read.ok || read.matcher.length === 0) return true; // the settings leave out what cannot be read
  const others = Object.entries(alsoCalled).flatMap(([name, means]) => (means === matched ? [name] : []));
  const names = call ? namesOfTool(call.tool, call.input) : [matched, ...others];
  const answers = read.matcher.map(async (alternative) => {
    if (alternative.kind === "name") return names.includes(alternative.name);
    const { pattern } = alternative;
    if (pattern && names.some((name) => pattern.test(name))) return true;
    if (alternative.kind === "pattern") return false;
    return call ? (await loadConcerns()).concerns(alternative.rule, call, places()) : alternative.rule.tool === matched;
  });
  return (await Promise.all(answers)).includes(true);
}

/** The whole grammar of the shell is behind it. */
const loadConcerns = () => import("../permissions/commands/command-decision.ts");

/** Rebuilds the index only when the settings have changed. */
function indexed(hooks: () => readonly SettingsHook[]): () => ReadonlyMap<HookEvent, SettingsHook[]> {
  let of: readonly SettingsHook[] | undefined;
  let map = new Map<HookEvent, SettingsHook[]>();
  return () => {
    const now = hooks();
    if (now === of) return map;
    of = now;
    map = new Map();
    for (const hook of now) map.set(hook.event, [...(map.get(hook.event) ?? []), hook]);
    return map;
  };
}

function firstBlock(verdicts: Promise<Verdict>[]): Promise<Verdict[]> {
  const blocked = verdicts.map(async (verdict) => {
    const known = await verdict;
    return known.blocks === undefined ? new Promise<Verdict[]>(() => {}) : [known];
  });
  return Promise.race([...blocked, Promise.all(verdicts)]);
}
