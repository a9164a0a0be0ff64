// How to go on with a session that has ended: the same line after a session on a screen and after --print.
import type { World } from "./world.ts";

export const resumeHint = (id: string, command: string) => `Resume this session: ${command} --resume ${id}`;

/** The command that continues a session where this one works. */
export const sessionCommand = ({ command, copyOf }: Pick<World, "command" | "copyOf">) =>
  copyOf === undefined ? command : `${command} --worktree ${copyOf.name}`;
