// Settings that change while a session runs: restrictions apply from the next call on; additional rights are shown to the user first.
import type { Ask } from "../../permissions/permit.ts";
import type { PermissionQuestion } from "../../permissions/questions/question.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { type Growth, growthBy, growthOf } from "../../settings/growth.ts";
import type { SettingsLook } from "../../settings/live-settings.ts";

export type SettingsChanges = {
  /** The settings in force. */
  settings(): LoadedSettings;
  /** Reads changed settings again. `say` gets notices about growth that cannot be asked about here; without `ask`, about all growth. */
  refresh(say: (text: string) => void, ask: Ask | undefined): Promise<void>;
  /** Asks about what grows, where something waits for that. */
  settle(ask: Ask, signal: AbortSignal): Promise<void>;
  /** The person opens this folder to the session: no file says so, and it counts until the session ends. */
  openFolder(path: string): Promise<void>;
  /** The person is about to add or remove this rule in this session: that is no question. */
  own(edit: { verb: "add" | "remove"; rule: string }): Promise<void>;
};

export type SettingsChangesSetup = {
  poll: () => SettingsLook;
  /** From the next call on these count. Throws the first rule that is wrong. */
  adopt(settings: LoadedSettings): Promise<void>;
  /** The growth that the person has accepted anywhere in the team. */
  team?: AcceptedGrowth | undefined;
  /** The person is asked at the lead, or in the session that started this agent. */
  follows: boolean;
};

/** Lines of `Growth.grown`. */
export type AcceptedGrowth = { list(): string[]; add(lines: string[]): Promise<void> };

export function settingsChanges(first: LoadedSettings, { poll: look, adopt, follows, team }: SettingsChangesSetup): SettingsChanges {
  let current = first;
  let growth: Growth | undefined;
  let asking: Promise<void> | undefined;
  const accepted = new Set<string>();
  const isAccepted = (line: string) => accepted.has(line) || team?.list().includes(line) === true;
  const accept = async (lines: string[]) => {
    for (const line of lines) accepted.add(line);
    if (lines.length > 0) await team?.add(lines);
  };
  const refused = new Set<string>();
  const isNew = ({ grown }: Growth) => grown.some((line) => !refused.has(line));
  const count = async (settings: LoadedSettings) => {
    await adopt(settings);
    current = settings;
  };

  async function put(ask: Ask, signal: AbortSignal): Promise<void> {
    while (growth && isNew(growth) && !signal.aborted) {
      const asked = growth;
      const answer = await ask(growthQuestion(asked), signal);
      if (!answer || signal.aborted) return;
      if (growth !== asked) continue; // they have changed again: the answer was about other content
      growth = undefined;
      if (answer.kind === "no") for (const line of asked.grown) refused.add(line);
      else {
        await accept(asked.grown);
        await count(asked.whole);
        accepted.clear();
      }
    }
  }

  return {
    settings: () => current,
    openFolder(path) {
      const { effective } = current;
      const opened = { path, shown: path, scope: "command line" } as const;
      return count({ ...current, effective: { ...effective, directories: [...effective.directories, opened] } });
    },
    own: (edit) => accept(growthBy(edit, current)),
    async refresh(say, ask) {
      const seen = look();
      if (seen.kind === "changed" && seen.settled) return count(seen.settings);
      if (seen.kind === "broken") say(`The settings have changed, and the rules stay as they were: ${seen.reason}`);
      if (seen.kind !== "changed" && !growth?.grown.some(isAccepted)) return;
      if (seen.kind === "changed" && seen.waits) say(waiting);
      const found = growthOf(current, seen.kind === "changed" ? seen.settings : growth!.whole, isAccepted);
      accepted.clear();
      await count(found.narrowed);
      growth = found.grown.length > 0 ? found : undefined;
      if (growth && isNew(growth) && (follows ? team : !ask)) say(`${given(found.grown)} ${follows ? atLead : uncounted}`);
      if (seen.kind === "changed" && found.later.length > 0)
        say(`The settings have changed. These take effect in a new session: ${found.later.join(", ")}.`);
    },
    async settle(ask, signal) {
      if (follows) return;
      asking ??= put(ask, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error; // unanswered, so it is asked again at the next call
        })
        .finally(() => {
          asking = undefined;
        });
      await asking;
    },
  };
}

const waiting =
  "This project's settings have changed. What they allow waits until you trust them: /permissions lists it, a new session asks.";
const given = (grown: string[]) => `The settings have changed and give agents more than before: ${grown.join("; ")}.`;
const uncounted = "It has no effect in this session, because nobody can be asked.";
const atLead = "The lead asks for it.";

function growthQuestion({ grown }: Growth): PermissionQuestion {
  return {
    kind: "permission",
    tool: "Settings",
    parts: grown.map((text) => ({ text, where: "", allowed: false })),
    change: [],
    moreChange: 0,
    reason: "The settings were changed while this session runs. If that was not you, say no, and they have no effect",
    offers: [],
  };
}
