// The board as one teammate uses it between its turns: claiming, blocking, sending. What the list refuses is an answer here, not an error.
import type { Board } from "../board/board.ts";
import type { BoardDisk } from "../board/disk.ts";
import type { UpdateRequest } from "../board/moves.ts";
import { updateTask } from "../board/tasks.ts";
import type { TeamBoard } from "./teammate.ts";

export type TeamBoardSetup = {
  board: Board;
  disk: BoardDisk;
  name: string;
  /** Hears once of each new reason why the list cannot be read or a message cannot be sent. */
  onProblem: (reason: string) => void;
  now: () => Date;
};

export function teamBoard({ board, disk, name, onProblem, now }: TeamBoardSetup): TeamBoard {
  let told = "";
  const tell = (reason: string) => {
    if (reason !== told) onProblem(reason);
    told = reason;
  };
  const update = async (request: UpdateRequest) => {
    const change = await board.tasks.change((view) => updateTask({ ...view, teammates: [] }, request, { name, role: "teammate" }));
    if (!change.ok && faults.has(change.code)) tell(change.reason);
    return change.ok;
  };
  return {
    tasks() {
      const read = board.tasks.read();
      if (read.ok) {
        told = "";
        return read.list.tasks;
      }
      tell(read.reason);
      return [];
    },
    claim: (id) => update({ id, status: "in_progress" }),
    block: (id, reason) => update({ id, status: "blocked", reason }),
    send(draft) {
      const sent = board.send({ from: name, ...draft });
      if (!sent.ok) tell(sent.reason);
    },
    logWait({ reason, holds }) {
      try {
        board.log({ kind: "member_waits", by: name, at: now().toISOString(), member: name, reason, holds });
      } catch (error) {
        tell(`Cannot tell the team that ${name} waits: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    keepReport(text) {
      const path = `${board.layout.member(name)}/report-${now().toISOString().replaceAll(":", "-")}.md`;
      disk.replace(path, text);
      return path;
    },
  };
}

const faults = new Set(["lock_timeout", "list_damaged", "write_failed"]);
