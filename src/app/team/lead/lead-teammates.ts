// The teammates on the lead's screen: which of them need the person, and where. With the in-process display also their activity, and one of them in
// the foreground.
import { transcriptPath } from "../../../agent/session/transcript.ts";
import { askerWords } from "../../../board/messages/requests.ts";
import { endedInForegroundLine, memberLine, teamLineHang } from "../../../screen/events/team-lines.ts";
import { teammateLine } from "../../../screen/events/teammate-lines.ts";
import type { Hint } from "../../../screen/status/status-line.ts";
import type { Style } from "../../../screen/style.ts";
import { createFocusSwitch, focusKey } from "../../../screen/terminal/focus.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { Terminal } from "../../../screen/terminal/terminal.ts";
import { leadTitle } from "../../../screen/terminal/title.ts";
import { type Display, type Focusable, focusable } from "../../../team/display/display.ts";
import type { Launch } from "../../../team/launch.ts";
import { type OthersQuestions, othersQuestions } from "../../../team/lead/others-questions.ts";
import type { Staff } from "../../../team/lead/staff.ts";
import type { MemberStatus } from "../../../team/report/status.ts";
import { followTranscripts } from "../../../team/report/transcripts.ts";
import type { World } from "../../world.ts";
import type { Member } from "../member/member.ts";

export type LeadTeammates = {
  /** Shows what is new. */
  refresh(): void;
  /** True if the key was for a teammate. */
  onKey(key: string): boolean;
  /** The status line's hint about keys. */
  hint(): Hint | undefined;
  /** Returns the terminal to the lead alone. */
  close(): void;
};

export type LeadTeammatesSetup = {
  world: Pick<World, "configDir">;
  launch: Launch;
  member: Pick<Member, "disk" | "requests" | "grants">;
  staff: Staff;
  display: Display;
  pane: Pane;
  terminal: Terminal;
  style: Style;
  onFault: (error: unknown) => void;
};

export function showTeammates(setup: LeadTeammatesSetup): LeadTeammates {
  const inside = focusable(setup.display);
  if (inside) return showInside(setup, inside);
  const place = (name: string) => {
    const way = setup.staff.wayTo(name);
    return way ? `window: ${way}` : setup.display.kind === "iterm2" ? "tab" : "pane";
  };
  const questions = questionsOf(setup, (name) => `also in ${name}'s ${place(name)}`);
  const where = ({ name, aside }: Asker) => `${name} needs you, ${aside ? `in its ${place(name)}` : "above"}`;
  const hint = () =>
    urgent(questions.askers(), where) ?? waits(setup.staff, (name) => `${name} waits for you, in its ${place(name)}`) ?? hangs(setup.staff);
  return {
    refresh() {
      questions.refresh();
      const needed = hint();
      setup.pane.title(needed ? `${setup.style.symbol("needs_you")} ${needed.text}` : `team ${setup.launch.team}`);
    },
    onKey: () => false,
    hint,
    close: questions.close,
  };
}

/** Each question is open here and in the asker's own pane. */
function questionsOf({ member, pane, style, onFault }: LeadTeammatesSetup, also: (name: string) => string): OthersQuestions {
  const { put } = pane;
  return othersQuestions({
    requests: member.requests,
    put: async ({ from, agent, question }, signal) =>
      put?.({ question, asker: askerWords({ from, agent }), also: also(from), canWait: true, reach: "team" }, signal),
    keepForTeam: member.grants.keep,
    say: (asker, text) => pane.print(memberLine(asker, text, style), teamLineHang),
    onFault,
  });
}

type Asker = ReturnType<OthersQuestions["askers"]>[number];

/** A question above the status line precedes one that was put aside. */
function urgent(askers: Asker[], where: (asker: Asker) => string): Hint | undefined {
  const first = askers.find(({ aside }) => !aside) ?? askers[0];
  return first && { text: where(first), urgent: true };
}

/** A teammate that takes no task until the person writes to it. */
function waits(staff: Staff, words: (name: string) => string): Hint | undefined {
  const [first] = waitingForPerson(staff);
  return first === undefined ? undefined : { text: words(first), urgent: true };
}

function hangs(staff: Staff): Hint | undefined {
  const [first] = staff.hung();
  return first && { text: `${first.name} may hang, ${first.words}`, urgent: true };
}

function waitingForPerson(staff: Staff): string[] {
  const running = staff.supervisor.running();
  return staff.statuses().flatMap(({ name, state }) => (state === "waiting_person" && running.includes(name) ? name : []));
}

function showInside(setup: LeadTeammatesSetup, display: Focusable): LeadTeammates {
  const { world, launch, member, staff, pane, terminal, style } = setup;
  const questions = questionsOf(setup, (name) => {
    const number = staff.names().indexOf(name) + 1;
    return `also on ${name}'s screen: ${number <= 9 ? `Alt-${number}` : focusKey.name}`;
  });
  const running = () => staff.names().filter((name) => staff.supervisor.running().includes(name));
  const focus = createFocusSwitch({
    terminal,
    hold: pane.hold,
    names: staff.names,
    next: (last) => waiting()[0]?.name ?? waitingForPerson(staff)[0] ?? following(running(), last),
    attach(name, view) {
      const place = staff.place(name);
      return place && display.attach(place, view);
    },
    onEnd: (name) => pane.print(endedInForegroundLine(name, style), teamLineHang),
  });
  const waiting = () => questions.askers().filter(({ name }) => running().includes(name));
  const transcripts = followTranscripts(member.disk, (session) => transcriptPath(world.configDir, launch.cwd, session));
  const calls = () => {
    const asker = waiting()[0]?.name ?? (leadWaits(staff) ? "lead" : undefined);
    const waiter = waitingForPerson(staff)[0];
    const text = asker ? `${asker} needs you` : waiter && `${waiter} waits for you`;
    return text && `${style.symbol("needs_you")} ${text}: ${focusKey.name}`;
  };
  let shownTitle = "";
  const title = (text: string) => {
    if (text !== shownTitle) focus.say(leadTitle(text));
    shownTitle = text;
  };
  return {
    refresh() {
      for (const { name, event } of transcripts(teammatesOf(staff))) {
        const line = teammateLine(name, event, style);
        if (line !== undefined) pane.print(line, teamLineHang);
      }
      questions.refresh();
      title(calls() ?? `team ${launch.team}`);
    },
    onKey: focus.onKey,
    hint() {
      const needed = urgent(waiting(), ({ name, aside }) => `${name} needs you${aside ? `: ${focusKey.name}` : ", above"}`);
      const waiter = waits(staff, (name) => `${name} waits for you: ${focusKey.name}`) ?? hangs(staff);
      if (needed || waiter) return needed ?? waiter;
      const name = focus.next();
      return name ? { text: `${focusKey.name}: show ${name}`, urgent: false } : undefined;
    },
    close() {
      questions.close();
      focus.close();
      title("");
    },
  };
}

/** Whether its question is hidden by a teammate in the foreground. */
function leadWaits(staff: Staff): boolean {
  return staff.statuses().some(({ name, state }) => name === "lead" && state === "waiting_permission");
}

function teammatesOf(staff: Staff): MemberStatus[] {
  return staff.statuses().filter(({ name }) => name !== "lead");
}

/** The name after `last`; after the final one, the first. */
function following(names: string[], last: string | undefined): string | undefined {
  return names[(last === undefined ? 0 : names.indexOf(last) + 1) % Math.max(1, names.length)];
}
