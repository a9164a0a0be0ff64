// `/rewind`, and Esc twice: the person picks one of their lines and sees what going back would do to files; the session continues from there.

import { keptByChoice } from "../../../agent/rewind/plan-files.ts";
import {
  planRewind,
  putFilesBack,
  type RewindPlan,
  type RewindPoint,
  rewindPoints,
  rewoundEvent,
  shownPath,
} from "../../../agent/rewind/rewind.ts";
import { choiceStep } from "../../../screen/questions/choice-step.ts";
import { shortened, visibleLine } from "../../../screen/visible-text.ts";
import { isUnderWay } from "../../../subagents/record.ts";
import { duration, plural } from "../../../wording/figures.ts";
import { rewindId } from "../../changes/rewind-sets.ts";
import type { Solo } from "../open-session.ts";
import type { Attended } from "./attended.ts";
import type { Live } from "./live-session.ts";
import { isBusy } from "./live-state.ts";

export interface SessionRewind {
  /** Lets the person choose. */
  ask(): Promise<void>;
  waits(): boolean;
  /** Carries out the choice between two runs of turns. */
  make(): Promise<void>;
}

export function sessionRewind(attended: Attended, solo: Solo, live: Pick<Live, "state" | "leaving">): SessionRewind {
  const { pane, style, world, nowMs, wake } = attended;
  const { kept } = solo.work;
  const { cwd } = world;
  const { leaving } = live;
  let waiting: { point: RewindPoint; files: boolean } | undefined;
  const plan = (point: RewindPoint) => planRewind(point, { events: solo.events(), noted: solo.session.noted(), kept, cwd });

  return {
    async ask() {
      const obstacle = isBusy(live.state) ? "it is at work. Esc interrupts it" : agentsAtWork(solo);
      if (obstacle) return pane.warn(`Cannot go back now: ${obstacle}.`);
      const points = rewindPoints(solo.events()).toReversed();
      if (points.length === 0) return pane.print(style.dim("  There is no earlier message to go back to."), 2);
      const items = points.map((point) => ({
        label: shortened(visibleLine(point.text), longestLabel),
        hint: `${duration(Math.max(0, nowMs() - Date.parse(point.at)))} ago`,
        point,
      }));
      const picked = await pane.pick(items, { title: "Go back to before this message", signal: leaving });
      if (!picked) return;
      const files = await confirmed(await plan(picked.point), attended, leaving);
      if (files === undefined) return;
      waiting = { point: picked.point, files };
      wake.notify();
    },
    waits: () => waiting !== undefined,
    async make() {
      if (!waiting) return;
      const { point, files } = waiting;
      waiting = undefined;
      const planned = await plan(point);
      const { agent } = solo.session;
      const event = rewoundEvent(files ? planned : conversationAlone(planned), { cwd, at: agent.clock.now().toISOString() });
      await agent.written?.(new AbortController().signal);
      agent.emit(event);
      for (const { path, why } of kept ? await putFilesBack(event, kept) : []) {
        const text = `${shownPath(path, cwd)} was not restored: ${why}`;
        solo.session.note({ source: { kind: "harness" }, text, shown: "" });
        pane.warn(`${visibleLine(text)}.`);
      }
      pane.typeIn(point.text);
      const isRepository = event.putBack.length > 0 && (await world.edges.usableRepository(cwd)).kind !== "unusable";
      if (isRepository) pane.print(style.dim(`  What was undone: /changes ${rewindId(solo.session.id)}`), 2);
    },
  };
}

const longestLabel = 70;

/** Running agents prevent a rewind: their reports would enter a conversation that did not start them. */
function agentsAtWork({ agents }: Solo): string | undefined {
  const working = agents.host.list().filter(isUnderWay);
  return working.length === 0 ? undefined : `${plural(working.length, "agent")} at work in the background. /tasks stop ends one`;
}

const conversationAlone = (plan: RewindPlan): RewindPlan => ({
  ...plan,
  putBack: [],
  left: [...plan.putBack.map(({ path }) => ({ path, why: keptByChoice })), ...plan.left],
});

/** Whether to restore files too; undefined if the person cancels. Not asked if only the conversation changes. */
async function confirmed(plan: RewindPlan, { pane, style, world }: Attended, leaving: AbortSignal): Promise<boolean | undefined> {
  const { putBack, left, commands } = plan;
  if (putBack.length === 0 && left.length === 0 && commands === 0) return true;
  const named = ({ path }: { path: string }) => visibleLine(shownPath(path, world.cwd));
  const lines = [
    ...putBack.map((file) => `  ${named(file)}  ${file.to === null ? "would be removed: it did not exist then" : "would be restored"}`),
    ...left.map((file) => style.state("needs_you", `  ${named(file)}  is kept as it is: ${visibleLine(file.why)}`)),
    ...(commands > 0
      ? [`  ${plural(commands, "command")} ran since; what ${putBack.length > 0 ? "else " : ""}commands do is not undone.`]
      : []),
  ];
  pane.print(`\nGoing back to before "${shortened(visibleLine(plan.point.text), longestLabel)}":\n${lines.join("\n")}`, 4);
  const choices = [
    { words: ["y", "yes"], label: putBack.length > 0 ? "go back, files too" : "go back", value: "all" as const },
    ...(putBack.length > 0 ? [{ words: ["c"], label: "the conversation alone", value: "conversation" as const }] : []),
    { words: ["n", "no"], label: "stay", value: "stay" as const },
  ];
  const step = choiceStep({ title: "Go back?", choices, atEscape: "stay" as const, escapeHint: "Esc stays", style });
  const given = await pane.question(step, leaving);
  return given === undefined || given === "stay" ? undefined : given === "all";
}
