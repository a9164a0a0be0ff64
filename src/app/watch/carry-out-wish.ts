// What the person wants of a row on the watch screen: answers its question, or goes to its pane. Returns what came of it, in one sentence.
import { askerWords } from "../../board/messages/requests.ts";
import type { Answer } from "../../permissions/questions/question.ts";
import type { Style } from "../../screen/style.ts";
import { placeText } from "../../screen/team/team-status.ts";
import { openPane } from "../../screen/terminal/pane.ts";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { WatchRow } from "../../screen/watch/row.ts";
import type { WatchView, Wish } from "../../screen/watch/watch-view.ts";
import { placeOf } from "../../team/place.ts";
import { personRequests, teamRequests } from "../../team/requests.ts";
import { teamGrants } from "../../team/team-grants.ts";
import { answerFor, outcomeWords, type PersonRequests } from "../../team/teammate/ask-person.ts";
import type { World } from "../world.ts";
import type { Gathering } from "./gather.ts";

type Around = { gathering: Gathering; view: WatchView; terminal: Terminal; style: Style };

export async function carriedOut(
  world: World,
  { wish, ...around }: Around & { wish: Exclude<Wish, { kind: "leave" }> },
  signal: AbortSignal,
): Promise<string> {
  return wish.kind === "answer" ? answered(world, { row: wish.row, ...around }, signal) : shown(world, wish.row, around.gathering);
}

/** By the same durable request as everywhere: the first answer wins, and no agent can give one. */
async function answered(
  world: World,
  { row, gathering, view, terminal, style }: Around & { row: WatchRow },
  signal: AbortSignal,
): Promise<string> {
  const owner = await world.edges.actingAgent();
  if (owner !== undefined) return `Only a person can answer, and ${visibleLine(owner)} started this process.`;
  const found = row.question && openIn(row.question, gathering);
  const request = found?.requests.pending().find((one) => one.id === row.question?.request);
  if (!found || !request) return `The question of ${visibleLine(row.fullName)} is not open any more.`;
  const goOn = view.lend();
  const pane = openPane({ terminal, write: () => {}, style, name: "watch", now: gathering.ports.clock.monotonicMs });
  try {
    const { also, reach, requests, keepForTeam } = found;
    const asking = { asker: askerWords(request), also: also(request.from), canWait: true, reach };
    const answer = await pane.put?.({ question: request.question, ...asking }, signal);
    if (!answer) return "The question was left open.";
    const settled = await answerFor({ requests, keepForTeam }, { id: request.id, answer, by: "command" });
    return settled?.won
      ? `Answered for ${visibleLine(row.fullName)}.`
      : visibleLine(settled ? outcomeWords(settled.outcome, request.from) : "the question is gone");
  } finally {
    pane.close();
    goOn();
  }
}

/** `also`: where else it is open. */
type OpenIn = {
  requests: PersonRequests;
  also: (from: string) => string;
  reach: "team" | "session";
  keepForTeam: (answer: Answer) => Promise<void>;
};

function openIn({ in: place }: NonNullable<WatchRow["question"]>, { ports, board: boardOf }: Gathering): OpenIn {
  if ("folder" in place) {
    const also = () => `also in session ${place.session.slice(0, 8)}`;
    return { requests: personRequests(place.folder, ports), also, reach: "session", keepForTeam: async () => {} };
  }
  const board = boardOf(place.team);
  const grants = teamGrants({ ...ports, now: () => ports.clock.now() }, board.layout);
  const also = (from: string) => `team ${place.team}, also in ${from}'s pane`;
  return { requests: teamRequests({ board, ...ports }), also, reach: "team", keepForTeam: grants.keep };
}

/** Inside the tmux that the pane is in, it is selected; elsewhere the command is named that shows it, or where it is. */
async function shown(world: World, row: WatchRow, { board: boardOf }: Gathering): Promise<string> {
  const { pane, pid, folder, command, root, kind } = row;
  if (pane && world.env["TMUX"]?.startsWith(`${pane.socket},`)) {
    const how = await world.edges.showPane(pane, world.env);
    return how === "gone" ? "Its pane is not there any more." : `${visibleLine(row.fullName)} is shown.`;
  }
  const team = kind === "team" ? row.name.replace(/^team /, "") : kind === "member" ? root?.replace(/^team /, "") : undefined;
  if (pane && team !== undefined) return `See it: ${world.command} team attach --team ${visibleLine(team)}`;
  if (pane) return `See it: tmux -S ${pane.socket} attach \\; switch-client -t ${pane.pane}`;
  if (command !== undefined) return `In ${visibleLine(folder)}: ${world.command} ${visibleLine(command)}`;
  if (team !== undefined) {
    const board = boardOf(team);
    const read = board.record();
    const lead = board.holder("lead");
    const leadPid = lead?.kind === "alive" ? lead.pid : null;
    if (read.ok) return placeText(placeOf(read.record), { team, leadPid, command: world.command });
  }
  return pid === null ? "It has no terminal of its own." : `It runs in a terminal outside tmux: process ${pid}, in ${visibleLine(folder)}.`;
}
