// Claims and completes tasks until all are completed. Arguments: team folder, agent, `ours` or `stock` (the lock), the path of a file that
// starts it.
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { lock as stockLock } from "proper-lockfile";
import { openBoard } from "../../src/board/board.ts";
import type { Lock } from "../../src/board/disk.ts";
import type { Actor } from "../../src/board/tasks/task.ts";
import { nextClaim, updateTask } from "../../src/board/tasks/tasks.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";

const [folder = "", agent = "", kind = "ours", start = ""] = process.argv.slice(2);
const actor: Actor = { name: agent, role: "teammate" };
const board = openBoard({ disk, lock: kind === "stock" ? stock() : lock(), clock }, folder);
const update = (request: Parameters<typeof updateTask>[1]) =>
  board.tasks.change((view) => updateTask({ ...view, teammates: [] }, request, actor));

writeFileSync(`${start}.${agent}`, "");
while (!existsSync(start)) await pause(1);
for (;;) {
  const claim = await board.tasks.change((view) => {
    const next = nextClaim(view.tasks, agent);
    return next && updateTask({ ...view, teammates: [] }, { id: next.id, status: "in_progress" }, actor);
  });
  if (claim?.ok) await update({ id: claim.task.id, status: "completed", summary: "done" });
  else if (claim) throw new Error(claim.reason);
  else if (everythingIsDone()) break;
  else await pause(2);
}

function everythingIsDone(): boolean {
  const read = board.tasks.read();
  return read.ok && read.list.tasks.every(({ status }) => status === "completed");
}

/** proper-lockfile with its defaults and the waits from its documentation; after a timeout it tries again. */
function stock(): Lock {
  const withLock: Lock["withLock"] = async (path, work) => {
    for (;;) {
      const release = await stockLock(path, { retries: { retries: 50, minTimeout: 1, maxTimeout: 50, randomize: true } }).catch(locked);
      if (!release) continue;
      try {
        return work();
      } finally {
        await release();
      }
    }
  };
  return { ...lock(), withLock };
}

function locked(error: unknown): undefined {
  if ((error as { code?: string }).code === "ELOCKED") return undefined;
  throw error;
}
