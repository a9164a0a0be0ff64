// Questions to the person that other processes can answer, as this program's processes open them: a team's, and those of a session.
import type { Clock } from "../agent/ports/clock.ts";
import type { Board } from "../board/board.ts";
import type { BoardDisk, ProcessIdentity } from "../board/disk.ts";
import { openRequests } from "../board/messages/requests.ts";
import { answerSchema, questionSchema } from "../permissions/questions/question.ts";
import type { ProcessTable } from "./member-process.ts";
import type { PersonRequests } from "./teammate/ask-person.ts";

type RequestsPorts = {
  disk: BoardDisk;
  clock: Clock;
  processes: Pick<ProcessTable, "isAlive"> & { self(): ProcessIdentity };
};
export type TeamRequestsPorts = RequestsPorts & { board: Pick<Board, "layout"> };

export const teamRequests = ({ board, ...ports }: TeamRequestsPorts): PersonRequests => personRequests(board.layout.requests, ports);

export function personRequests(folder: string, { disk, clock, processes }: RequestsPorts): PersonRequests {
  return openRequests({ disk, clock, lives: (process) => lives(process, processes) }, folder, {
    question: questionSchema,
    answer: answerSchema,
  });
}

/** What runs on another machine, or where it cannot be seen into, is not guessed to be gone. */
function lives(process: ProcessIdentity, processes: RequestsPorts["processes"]): boolean {
  const here = processes.self();
  if (process.machine !== here.machine) return true;
  if (process.boot !== here.boot) return false;
  return process.namespace !== here.namespace || processes.isAlive(process);
}

/** Calls of that member that waited for the person's answer when its process ended: they have done nothing yet. */
export function unansweredCalls(requests: Pick<PersonRequests, "unanswered">, name: string): string[] {
  return requests.unanswered(name).flatMap((question) => ("call" in question && question.call !== undefined ? question.call : []));
}
