// Where teammates are shown, and the keys that lead there from the lead's screen.
import type { Clock } from "../../agent/ports/clock.ts";
import type { Member } from "../../board/team-record.ts";
import { type Display, type DisplayHandle, displayHandle } from "../display/display.ts";

export type MemberPlaces = {
  /** Where it runs, or ran last; undefined when it has never been opened. */
  place(name: string): DisplayHandle | undefined;
  /** The keys that turn from the lead to its place, as they were when they were last asked for; undefined when it is in view. */
  wayTo(name: string): string | undefined;
  /** Asks for the keys; `learnt` resolves when they are known. */
  learn(name: string): void;
  learnt(name: string): Promise<void>;
  /**
   * Shows `text` as the title of its place, unless it is there already. Of several texts the last one stays, however long the display takes. Rejects when
   * it could not be shown: the next call tries again.
   */
  label(name: string, text: string): Promise<void>;
};

/** `shown`: with its place, since a member that is started again has another one. */
type Title = { wanted: string; shown: string | undefined; busy: Promise<void> | undefined };

/** A display starts programs for each title, and a teammate that takes a task changes its state several times in a moment. */
const betweenTitlesMs = 200;

/** Window numbers change as windows open and close. A display that does not answer is asked again with the next label. */
export function memberPlaces(
  { display, clock }: { display: Display; clock: Pick<Clock, "sleep"> },
  recorded: (name: string) => Member | undefined,
): MemberPlaces {
  const ways = new Map<string, string>();
  const learning = new Map<string, Promise<void>>();
  const titles = new Map<string, Title>();
  const place = (name: string) => displayHandle.safeParse(recorded(name)?.display).data;
  const ask = async (name: string) => {
    const handle = place(name);
    const way = handle && (await display.wayTo?.(handle).catch(() => undefined));
    if (way === undefined) ways.delete(name);
    else ways.set(name, way);
  };
  /** One change at a time: two under way could end in the other order, and leave the older one. */
  const catchUp = async (name: string, title: Title) => {
    for (;;) {
      const handle = place(name);
      const next = `${JSON.stringify(handle)} ${title.wanted}`;
      if (!handle || next === title.shown) return;
      await display.label(handle, title.wanted);
      title.shown = next;
      await ask(name);
      await clock.sleep(betweenTitlesMs);
    }
  };
  return {
    place,
    wayTo: (name) => ways.get(name),
    learn: (name) => void learning.set(name, ask(name)),
    learnt: async (name) => learning.get(name),
    label(name, text) {
      const title = titles.get(name) ?? { wanted: text, shown: undefined, busy: undefined };
      titles.set(name, title);
      title.wanted = text;
      title.busy ??= catchUp(name, title).finally(() => {
        title.busy = undefined;
      });
      return title.busy;
    },
  };
}
