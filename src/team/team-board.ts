// The board as one teammate uses it between its turns: claiming, blocking, sending. What the list refuses is an answer here, not an error.

import type { Board } from "../board/board.ts";
import type { BoardDisk } from "../board/disk.ts";
import type { UpdateRequest } from "../board/tasks/moves.ts";
import { updateTask } from "../board/tasks/tasks.ts";
import { errorText } from "../wording/error-text.ts";
import type { TeamBoard } from "./teammate/teammate.ts";

export type TeamBoardSetup = {
  board: Board;
  disk: BoardDisk;
  name: string;
  /** Hears once of each new reason why the list cannot be read or a message cannot be sent. */
  onProblem: (reason: string) => void;
  /** Called at each failed attempt to write a message, and once when all are written: to be shown in the status. */
  onUnsent: (to: string | undefined) => void;
  now: () => Date;
};

export function teamBoard({ board, disk, name, onProblem, onUnsent, now }: TeamBoardSetup): TeamBoard {
  let told = "";
  const tell = (reason: string) => {
    if (reason !== told) onProblem(reason);
    told = reason;
  };
  /** Messages that the disk refused, in order. What is sent later goes behind them. */
  const unsent: Draft[] = [];
  const sendWaiting = () => {
    const waited = unsent.length > 0;
    for (let first = unsent[0]; first; first = unsent[0]) {
      const sent = board.send({ from: name, ...first });
      if (!sent.ok) tell(sent.reason);
      if (!sent.ok && faults.has(sent.code)) return onUnsent(first.to);
      unsent.shift();
    }
    if (waited) onUnsent(undefined);
  };
  const update = async (request: UpdateRequest) => {
    const change = await board.tasks.change((view) => updateTask({ ...view, teammates: [] }, request, { name, role: "teammate" }));
    if (!change.ok && faults.has(change.code)) tell(change.reason);
    return change.ok;
  };
  return {
    tasks() {
      sendWaiting();
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
      unsent.push(draft);
      sendWaiting();
    },
    logWait({ reason, holds, againMs }) {
      try {
        board.log({ kind: "member_waits", by: name, at: now().toISOString(), member: name, reason, holds, again_ms: againMs });
      } catch (error) {
        tell(`Cannot tell the team that ${name} waits: ${errorText(error)}`);
      }
    },
    keepReport(text) {
      const path = `${board.layout.member(name)}/report-${now().toISOString().replaceAll(":", "-")}.md`;
      disk.replace(path, text);
      return path;
    },
  };
}

type Draft = Parameters<TeamBoard["send"]>[0];

const faults = new Set(["lock_timeout", "list_damaged", "write_failed"]);
