// Which process a member is now: by its claim and the process table, never by what a file says of itself.
import type { Board } from "../board/board.ts";
import type { Processes } from "./lead/supervisor.ts";

export type ProcessRef = { pid: number; start: string };

/** `stopped`: by a signal (SIGSTOP, Ctrl-Z): it lives and does nothing. `elsewhere`: on another machine, or in a container that cannot be seen into. */
export type MemberProcess = ({ kind: "running"; stopped: boolean } & ProcessRef) | { kind: "elsewhere"; where: string } | { kind: "none" };

/** The process table, for commands that inspect a team from outside. */
export interface ProcessTable extends Processes {
  /** Undefined when no process of that pid lives. */
  find(pid: number): (ProcessRef & { stopped: boolean }) | undefined;
  /** Living processes that carry this owner's marker. */
  marked(owner: string): ProcessRef[];
  /** Signals that process alone, if its pid has not been reused. */
  signal(process: ProcessRef, signal: "SIGTERM" | "SIGKILL"): void;
}

/** Throws what the lock throws when the claim cannot be read. */
export function memberProcess(board: Pick<Board, "holder">, name: string, table: Pick<ProcessTable, "find">): MemberProcess {
  const holder = board.holder(name);
  if (holder?.kind === "elsewhere") return holder;
  const found = holder && table.find(holder.pid);
  return found ? { kind: "running", ...found } : { kind: "none" };
}

/** The marker TOOL_OWNER of a member and of everything that it starts. */
export const ownerOfMember = ({ session, name }: { session: string; name: string }): string => `${session}:${name}`;
