// A team on a real disk, in a folder that is deleted after the test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Board, openBoard } from "../../src/board/board.ts";
import { createTeam } from "../../src/board/create-team.ts";
import type { BoardPorts } from "../../src/board/tasks/task-file.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";

export const ports: BoardPorts = { disk, lock: lock(), clock };

export type TemporaryTeam = Disposable & { board: Board; folder: string };

/** Team `atlas` with lead, ann and bo. `changes` replaces some of the ports. */
export function temporaryTeam(changes: Partial<BoardPorts> = {}): TemporaryTeam {
  const root = mkdtempSync(join(tmpdir(), "board-"));
  const folder = join(root, "atlas");
  const created = createTeam(ports, folder, { name: "atlas", cwd: "/repo", members: ["lead", "ann", "bo"] });
  if (!created.ok) throw new Error(created.reason);
  const board = openBoard({ ...ports, ...changes }, folder);
  return { board, folder, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
