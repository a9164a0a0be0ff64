// Runs the hooks of an event in parallel. An event without hooks costs one map lookup.
import type { HookEvent } from "../settings/hook-settings.ts";
import type { SettingsHook } from "../settings/scopes.ts";
import type { CommonInput, EventInput } from "./event-inputs.ts";
import type { RunHook } from "./hook-process.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export type HookRunnerSetup = {
  /** The hooks of the current settings. The list is the same object as long as the settings do not change. */
  hooks: () => readonly SettingsHook[];
  run: RunHook;
  about: () => CommonInput;
  /** The complete environment of a hook. */
  env: () => Record<string, string>;
  onNotice: (text: string) => void;
};

/** `matched`: what matchers are compared with. `without`: a hook to skip. */
export type Occasion<Event extends HookEvent> = {
  event: Event;
  matched?: string;
  input: EventInput<Event>;
  signal: AbortSignal;
  without?: SettingsHook;
};

export interface HookRunner {
  has(event: HookEvent): boolean;
  /** The verdicts in the order of the settings. As soon as a hook blocks, its verdict alone. */
  fire<Event extends HookEvent>(occasion: Occasion<Event>): Promise<Verdict[]>;
}

const defaultTimeoutMs = 60_000;
/** Short, because the person is leaving the session. */
const endTimeoutMs = 5_000;

export function hookRunner({ hooks, run, about, env, onNotice }: HookRunnerSetup): HookRunner {
  const byEvent = indexed(hooks);
  const told = new Set<string>();
  const tell = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    onNotice(text);
  };
  return {
    has: (event) => byEvent().has(event),
    async fire({ event, matched, input, signal, without }) {
      const all = byEvent().get(event) ?? [];
      const matching = all.filter(
        (hook) => hook !== without && (!hook.matcher || (matched !== undefined && hook.matcher.includes(matched))),
      );
      if (matching.length === 0) return [];
      const { cwd, ...rest } = about();
      const text = JSON.stringify({ hook_event_name: event, cwd, ...rest, ...input });
      const verdicts = matching.map(async (hook) => {
        const timeoutMs = hook.timeoutMs ?? (event === "SessionEnd" ? endTimeoutMs : defaultTimeoutMs);
        const end = await run({ command: hook.command, cwd, env: env(), input: text, timeoutMs, signal });
        const verdict = verdictOf(hook, end, timeoutMs);
        verdict.notices.forEach(tell);
        return verdict;
      });
      return firstBlock(verdicts);
    },
  };
}

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
