// Shows a running team on the lead's screen: each event once, and each teammate's state as the title of its pane.
import type { TeamEvent } from "../../board/event.ts";
import type { TaskList } from "../../board/tasks/task.ts";
import { teamLineHang } from "../../screen/events/team-lines.ts";
import { paneTitle } from "../../screen/status/status-line.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import type { Staff } from "../../team/lead/staff.ts";
import type { Member } from "./member/member.ts";

export type TeamWatch = {
  /** Prints new events and updates the titles. */
  refresh(): void;
  /** Skips the events so far, which were shown before the team was resumed. */
  passOver(): void;
  /** Undefined while it cannot be read; the person is told once. */
  list(): TaskList | undefined;
  events: TeamEvent[];
};

type TeamWatchSetup = { member: Member; staff: Staff; pane: Pane; style: Style; line: (event: TeamEvent) => string | undefined };

export function watchTeam({ member, staff, pane, style, line }: TeamWatchSetup): TeamWatch {
  const { board } = member;
  const follower = board.follow();
  const events: TeamEvent[] = [];
  let told = "";
  const list = () => {
    const read = board.tasks.read();
    if (!read.ok && told !== read.reason) pane.warn(read.reason);
    told = read.ok ? "" : read.reason;
    return read.ok ? read.list : undefined;
  };
  return {
    list,
    events,
    passOver: () => void events.push(...follower.next()),
    refresh() {
      for (const event of follower.next()) {
        events.push(event);
        const text = line(event);
        if (text !== undefined) pane.print(text, teamLineHang);
      }
      const tasks = list()?.tasks ?? [];
      for (const name of staff.supervisor.running()) {
        const status = staff.statusOf(name);
        const title = status ? paneTitle(status, tasks, style) : name;
        staff.label(name, title).catch(() => {}); // the pane may just have closed; the next refresh tries again
      }
      pane.refresh();
    },
  };
}
