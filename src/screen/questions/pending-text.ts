// The open questions of a team, as `tool team answer` lists them.
import { askerWords, type Request } from "../../board/messages/requests.ts";
import type { Question } from "../../permissions/questions/question.ts";
import type { MemberView, TeamStatus } from "../../team/report/team-status.ts";
import { duration } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { placeText } from "../team/team-status.ts";
import { visibleLine } from "../visible-text.ts";
import { questionText } from "./question-text.ts";

/** `command`: the command that starts this program. */
export type PendingView = { team: string; nowMs: number; style: Style; width: number; command: string };

type Asking = Pick<TeamStatus, "team" | "place"> & { members: Pick<MemberView, "name" | "role" | "state" | "doing" | "how" | "pid">[] };

/** The members that ask in their pane alone, as a lead does before it has a session. */
export const askingInPanes = <Member extends Asking["members"][number]>(members: Member[], pending: Pick<Request<Question>, "from">[]) =>
  members.filter(({ name, state }) => state === "waiting_permission" && !pending.some(({ from }) => from === name));

/** Who asks in a pane alone, what, and where that is. `asking`: askingInPanes(). */
export function inPanesText({ team, place, members }: Asking, { asking, command }: { asking: Asking["members"]; command: string }): string {
  const leadPid = members.find(({ role }) => role === "lead")?.pid ?? null;
  return [
    ...asking.map(
      (member) =>
        `${visibleLine(member.name)} asks a question in its pane${member.doing ? `: ${visibleLine(member.doing)}` : ""}. Answer it there.`,
    ),
    placeText(place, { team, leadPid, command }),
  ].join("\n");
}

export function pendingText(pending: Request<Question>[], { team, nowMs, style, width, command }: PendingView): string {
  return pending
    .map(({ id, from, agent, asked_at, question }) => {
      const since = duration(Math.max(0, nowMs - Date.parse(asked_at)));
      const text = questionText(question, { asker: askerWords({ from, agent }), also: `${since} ago`, style, width }).trimStart();
      return `${text}\n  ${command} team answer ${visibleLine(id)} ${flags(question)} --team ${team}`;
    })
    .join("\n\n");
}

function flags(question: Question): string {
  if (question.kind === "plan") return "--allow once [--edits] | --deny [--reason …]";
  if (question.kind === "choice") return '--choose <number> | --write "…" | --deny';
  const { offers, file, network, sandbox, team } = question;
  const ways = [
    "once",
    offers.length > 0 && "session",
    offers.length > 0 && team && "team",
    file !== undefined && offers.some(({ always }) => always) && "always",
    sandbox && "sandbox",
  ];
  return `--allow ${ways.filter(Boolean).join("|")}${network ? " [--network]" : ""} | --deny [--reason …]`;
}
