// The teammates on the lead's screen: who needs the person and where; with the in-process display also what they do, and one of them in the foreground.
import { transcriptPath } from "../agent/transcript.ts";
import { createFocusSwitch, focusKey } from "../screen/focus.ts";
import type { Pane } from "../screen/pane.ts";
import type { Hint } from "../screen/status-line.ts";
import type { Style } from "../screen/style.ts";
import { endedInForegroundLine, needsYouLine, teamLineHang } from "../screen/team-lines.ts";
import { teammateLine } from "../screen/teammate-lines.ts";
import type { Terminal } from "../screen/terminal.ts";
import { leadTitle } from "../screen/title.ts";
import { type Display, type Focusable, focusable } from "../team/display.ts";
import type { Launch } from "../team/launch.ts";
import type { Staff } from "../team/staff.ts";
import type { MemberStatus } from "../team/status.ts";
import { followTranscripts } from "../team/transcripts.ts";
import type { Member } from "./member.ts";
import type { World } from "./world.ts";

export type LeadTeammates = {
  /** Says what is new. */
  look(): void;
  /** True when the key was for a teammate. */
  onKey(key: string): boolean;
  /** What the status line says about keys. */
  hint(): Hint | undefined;
  /** The terminal is the lead's alone again. */
  close(): void;
};

export type LeadTeammatesSetup = {
  world: Pick<World, "configDir">;
  launch: Launch;
  member: Pick<Member, "disk">;
  staff: Staff;
  display: Display;
  pane: Pane;
  terminal: Terminal;
  style: Style;
};

export function showTeammates(setup: LeadTeammatesSetup): LeadTeammates {
  const { staff, pane, style } = setup;
  const inside = focusable(setup.display);
  if (inside) return showInside(setup, inside);
  const place = setup.display.kind === "iterm2" ? "in its tab" : "in its pane";
  const waiting = watchWaiting(staff, (name) => pane.print(needsYouLine(name, `answer ${place}`, style), teamLineHang));
  const hint = () => {
    const [first] = waiting.names();
    return first === undefined ? undefined : { text: `${first} needs you, ${place}`, urgent: true };
  };
  return { look: waiting.look, onKey: () => false, hint, close: () => {} };
}

function showInside({ world, launch, member, staff, pane, terminal, style }: LeadTeammatesSetup, display: Focusable): LeadTeammates {
  const running = () => staff.names().filter((name) => staff.supervisor.running().includes(name));
  const focus = createFocusSwitch({
    terminal,
    hold: pane.hold,
    names: staff.names,
    next: (last) => waiting.names()[0] ?? following(running(), last),
    attach(name, view) {
      const place = staff.place(name);
      return place && display.attach(place, view);
    },
    onEnd: (name) => pane.print(endedInForegroundLine(name, style), teamLineHang),
  });
  const waiting = watchWaiting(staff, (name) => {
    const numbered = staff.names().indexOf(name) + 1;
    pane.print(needsYouLine(name, `press ${focusKey.name}${numbered <= 9 ? ` or Alt-${numbered}` : ""}`, style), teamLineHang);
    focus.say("\x07");
  });
  const transcripts = followTranscripts(member.disk, (session) => transcriptPath(world.configDir, launch.cwd, session));
  let shownTitle = "";
  const title = (text: string) => {
    if (text !== shownTitle) focus.say(leadTitle(text));
    shownTitle = text;
  };
  return {
    look() {
      for (const { name, event } of transcripts(teammatesOf(staff))) {
        const line = teammateLine(name, event, style);
        if (line !== undefined) pane.print(line, teamLineHang);
      }
      waiting.look();
      const first = waiting.names()[0] ?? (leadWaits(staff) ? "lead" : undefined);
      title(first ? `${style.symbol("needs_you")} ${first} needs you: ${focusKey.name}` : `team ${launch.team}`);
    },
    onKey: focus.onKey,
    hint() {
      const [first] = waiting.names();
      if (first) return { text: `${first} needs you: ${focusKey.name}`, urgent: true };
      const name = focus.next();
      return name ? { text: `${focusKey.name}: show ${name}`, urgent: false } : undefined;
    },
    close() {
      focus.close();
      title("");
    },
  };
}

/** Who waits for a person, in order of joining; `onNew` is called once for each time. */
function watchWaiting(staff: Staff, onNew: (name: string) => void) {
  let known: string[] = [];
  const names = () =>
    teammatesOf(staff)
      .filter(({ name, state }) => state === "waiting_permission" && staff.supervisor.running().includes(name))
      .map(({ name }) => name);
  return {
    names,
    look() {
      const now = names();
      const added = now.filter((name) => !known.includes(name));
      known = now;
      for (const name of added) onNew(name);
    },
  };
}

/** Its question is on its own screen, which a teammate in the foreground covers. */
function leadWaits(staff: Staff): boolean {
  return staff.statuses().some(({ name, state }) => name === "lead" && state === "waiting_permission");
}

function teammatesOf(staff: Staff): MemberStatus[] {
  return staff.statuses().filter(({ name }) => name !== "lead");
}

/** The one after `last`, and after the final one the first. */
function following(names: string[], last: string | undefined): string | undefined {
  return names[(last === undefined ? 0 : names.indexOf(last) + 1) % Math.max(1, names.length)];
}
