// A session on a screen, solo or a member's: its state, the commands that the person can type in it, and what its keys do.

import { type AskedCompaction, askedCompaction } from "../../../agent/requests/asked-compaction.ts";
import type { Session } from "../../../agent/session/session.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import type { SlashCommand } from "../../../screen/commands/commands.ts";
import { type SessionControls, sessionCommands } from "../../../screen/commands/session-commands.ts";
import { toBackgroundKey } from "../../../screen/keys/keys.ts";
import type { Style } from "../../../screen/style.ts";
import type { Attached, Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { Completions } from "../../controls/line-editor.ts";
import { changeMode } from "../../controls/mode-control.ts";
import { type PersonsCommands, personsCommands } from "../../controls/persons-command.ts";
import { runSlash } from "../../controls/run-slash.ts";
import type { Waker } from "../../waker.ts";
import { agentsOnScreen } from "../agents/agents-on-screen.ts";
import type { SessionAgents } from "../agents/session-agents.ts";
import type { SessionSkills } from "../session-skills.ts";
import { type LiveState, rulesIn } from "./live-state.ts";

export type LiveParts = {
  pane: Pane;
  style: Style;
  wake: Waker;
  completions: Completions;
  session: Session;
  work: Workspace;
  skills: Pick<SessionSkills, "commands" | "notices" | "inputOf">;
  /** Absent at a lead, which has teammates. */
  agents: SessionAgents | undefined;
  alert: SessionHooks["alert"];
  nowMs(): number;
  /** Aborts when the session ends or gives way to another; its questions and the person's commands end with it. */
  leaving: AbortSignal;
};

export type Live = LiveParts & { state: LiveState; own: PersonsCommands; compaction: AskedCompaction };

export function openLive(parts: LiveParts): Live {
  return {
    ...parts,
    state: { kind: "opening", sinceMs: parts.nowMs() },
    own: personsCommands(parts, parts.leaving),
    compaction: askedCompaction(parts.session.agent, parts.wake.notify),
  };
}

/** From `leaving` there is no way back. */
export function enter(live: Live, kind: LiveState["kind"]): void {
  if (live.state.kind !== "leaving") live.state = { kind, sinceMs: live.nowMs() };
}

/** What a member's loop works with; each of them says what the session does meanwhile. */
export function runnerOf(live: Live) {
  const { wake, compaction, pane } = live;
  return {
    changed(signal: AbortSignal) {
      enter(live, "waiting");
      return wake.next(signal);
    },
    compaction: {
      waits: compaction.waits,
      make(signal: AbortSignal) {
        enter(live, "compacting");
        return compaction.make(signal);
      },
    },
    turnSignal() {
      enter(live, "working");
      return pane.turnSignal();
    },
  };
}

/** What the person can type: the commands of the session, and its skills. Warns of skills that cannot be typed. */
export function liveCommands(live: Live, controls: SessionControls): SlashCommand[] {
  const { skills, pane } = live;
  const taken = sessionCommands(controls).map(({ name }) => name);
  for (const notice of skills.notices(taken)) pane.warn(visibleLine(notice));
  return sessionCommands(
    controls,
    skills.commands(taken, (line) => sayTyped(live, line)),
  );
}

/** Refuses a skill that cannot be used before anything is sent; the skill's text is read when the agent takes the line. */
export async function sayTyped({ session, skills, wake }: Live, line: string): Promise<void> {
  session.say(await skills.inputOf(line));
  wake.notify();
}

export type Typed = {
  commands: SlashCommand[];
  /** Why an expected name is not a command. */
  explain(name: string): string | undefined;
};

/** True if the line was a command, which the agent does not get. */
export function runTyped({ state, pane, style, own }: Live, { commands, explain }: Typed, line: string): boolean {
  return rulesIn[state.kind].runsCommands && (runSlash(line, commands, { pane, style, explain }) || own.run(line));
}

/** Interrupts the person's own commands where no run of turns goes first; the pane interrupts that. */
export function interruptOwn({ state, own }: Live): void {
  if (rulesIn[state.kind].escape === "own_commands") own.interrupt();
}

/** What lines and keys do in every session; `pane.attach` gets it with what only this kind of session does. */
export function liveKeys(live: Live, typed: Typed): Omit<Attached, "statusLine" | "onInterrupt"> & Required<Pick<Attached, "onLine">> {
  const { session, work, agents, own, pane, wake } = live;
  return {
    session,
    wake: wake.notify,
    onLine: (line) => runTyped(live, typed, line),
    onEscape: () => interruptOwn(live),
    onMode: () => changeMode({ work, session, pane }),
    outputLines: () => work.settings().effective.outputLines,
    rings: () => (work.settings().effective.notify ?? "bell") === "bell",
    ...(agents && agentsOnScreen(live, agents)),
    onKey: (key) =>
      key === toBackgroundKey && (agents?.host.toBackground() === true || work.commands.own.toBackground() || own.staysHere()),
  };
}

/** Continues its interrupted agents, and lets their reports wake it. */
export function connectAgents({ agents, session, wake }: Live, resumes?: (id: string) => boolean): void {
  if (!agents) return;
  agents.attach(session, wake.notify, resumes);
}
