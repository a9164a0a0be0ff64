// Rules for a teammate that shares its tree with others: edits of another task's files are refused, and new files of others are announced.
import type { TranscriptEvent } from "../../agent/events.ts";
import { newFilesMail } from "../../agent/new-files.ts";
import type { Permit } from "../../agent/ports/permit.ts";
import type { Reports } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Board } from "../../board/board.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { editPermit } from "../../team/teammate/edit-permit.ts";
import { othersFiles } from "../../team/teammate/others-files.ts";

export type SharedTreeOrder = {
  board: Board;
  name: string;
  cwd: string;
  work: Pick<Workspace, "fileInTree" | "writtenFiles">;
  disk: Pick<BoardDisk, "size">;
  /** The earlier events of its conversation. */
  past: readonly TranscriptEvent[];
};

export type SharedTree = {
  guardEdits: (permit: Permit) => Permit;
  /** Delivered with the next turn; they do not start one. */
  newFiles: Reports;
};

export function sharedTree({ board, name, cwd, work, disk, past }: SharedTreeOrder): SharedTree {
  const exists = (path: string) => disk.size(`${cwd}/${path}`) !== undefined;
  const told = past.flatMap((event) => (event.type === "input" ? event.inputs.map(({ text }) => text) : []));
  const made = () => {
    const read = board.tasks.read();
    return read.ok ? othersFiles(read.list.tasks, name) : [];
  };
  return {
    guardEdits: (permit) => editPermit(permit, { board, agent: name, written: work.writtenFiles, inTree: work.fileInTree, exists }),
    newFiles: { ...newFilesMail({ others: "teammates", made, exists, told }), waits: () => false },
  };
}
