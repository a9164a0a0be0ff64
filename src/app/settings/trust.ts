// Asks whether the user trusts what this repository's settings request, and prints a notice if nobody can be asked.

import { hookWarnings } from "../../hooks/configured.ts";
import { choiceStep } from "../../screen/questions/choice-step.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { type LoadedSettings, type SettingsFlags, serverMistakes } from "../../settings/files.ts";
import { recordTrust, trustQuestion, trustWord, whyHeld } from "../../settings/trust.ts";
import { checkModel, nothingStarted } from "../agent-model.ts";
import { LeftBeforeStart, type World } from "../world.ts";
import { openSettings } from "./open-settings.ts";

/**
 * `ending`: aborts when the person leaves instead of answering. `declined`: the content that the person has refused since the program started.
 * `onAsk`: called when the person is asked, with the settings as they are until then.
 */
export type TrustSetup = {
  world: World;
  pane: Pane;
  style: Style;
  ending: AbortController;
  declined: { hash?: string };
  onAsk?: (settings: LoadedSettings) => void;
};

/** The settings as far as the person trusts them, after asking about anything undecided. Throws UsageError as openSettings does, and LeftBeforeStart. */
export async function trustedSettings(place: TrustSetup, flags: SettingsFlags): Promise<LoadedSettings> {
  const settings = await openSettings(place.world, flags);
  return (await asksForTrust(place, settings)) ? openSettings(place.world, flags) : settings;
}

/**
 * Remembers a yes. Returns true if the settings must be read again. A session without a model ends before the question: a repository never chooses
 * the provider, so no answer could change that.
 */
async function asksForTrust({ world, pane, style, ending, declined, onAsk }: TrustSetup, settings: LoadedSettings): Promise<boolean> {
  const { trust, effective, root, hash } = settings;
  if (trust.state === "trusted") return false;
  const question = trustQuestion(effective.held, { root, trust });
  if (!question || (hash !== undefined && declined.hash === hash)) return false;
  await checkModel(world, settings);
  pane.print(style.state("needs_you", `${style.symbol("needs_you")} ${visibleLine(question.title)}`), 2);
  // Whoever is asked sees all that the answer covers; where it can cover nothing, the beginning says enough.
  const lines = hash === undefined ? question.lines.slice(0, shownUncovered) : question.lines;
  const more = question.lines.length - lines.length;
  pane.print(
    [
      ...lines.map(({ text, isNew }) => (isNew ? `  ${style.state("needs_you", "new")} ` : "      ") + visibleLine(text)),
      ...(more > 0 ? [style.dim(`      and at least ${more} more: ${world.command} permissions`)] : []),
      ...(question.never > 0 ? [style.dim(`  ${neverCounts(question.never, world.command)}`)] : []),
    ].join("\n"),
    8,
  );
  if (hash === undefined) {
    pane.warn("Cannot trust this repository: it brings more than one answer can cover. It may only forbid, as before.");
    return false;
  }
  onAsk?.(settings);
  const trusts = await pane.question(
    choiceStep({ title: "Trust this repository?", choices, marked: 1, atEscape: false, escapeHint: "Esc no", style }),
    ending.signal,
  );
  if (trusts === undefined) throw new LeftBeforeStart(nothingStarted("Interrupted, before you said whether to trust this repository."));
  if (!trusts) {
    declined.hash = hash;
    return false;
  }
  await keepTrust(world, { root, hash, shown: question.shown });
  return true;
}

const shownUncovered = 10;

/** Remembers the person's yes to what they were shown. */
export async function keepTrust(
  { edges, configDir }: World,
  { root, hash, shown }: Pick<LoadedSettings, "root"> & { hash: string; shown: string[] },
): Promise<void> {
  const [disk, clock] = await Promise.all([edges.disk(), edges.clock()]);
  recordTrust(disk, { configDir, root, hash, shown, at: clock.now() });
}

export const neverCounts = (count: number, command: string) =>
  `${count} more never ${count === 1 ? "counts" : "count"} from a repository, whatever you answer: ${command} permissions`;

const choices = [
  { words: ["y", "yes"], label: "yes, as it is now; you are asked again when any of this changes", value: true },
  { words: ["n", "no"], label: "no, it may only forbid", value: false },
];

/** For runs without a screen: what is held back, and settings that never have an effect. */
export function settingsNotices(settings: LoadedSettings, command: string): string[] {
  return [...heldNotice(settings, command), ...ineffectiveSettings(settings)];
}

/** Settings that have no effect. */
export function ineffectiveSettings(settings: LoadedSettings): string[] {
  return [...serverMistakes(settings), ...hookWarnings(settings)];
}

function heldNotice({ trust, effective, hash }: LoadedSettings, command: string): string[] {
  const waiting = effective.held.filter(({ neverGranted }) => !neverGranted).length;
  const word = trustWord(trust);
  if (word === "trusted" || waiting === 0) return [];
  const things = waiting === 1 ? "1 thing is" : `${waiting} things are`;
  const list = `To list what is held back: ${command} permissions`;
  if (hash === undefined)
    return [`At least ${things} held back. This project cannot be trusted: it brings more than one answer, or --trust, can cover. ${list}`];
  return [`${things} held back, because this project ${whyHeld[word]}. To trust it: --trust, or answer in a session. ${list}`];
}
