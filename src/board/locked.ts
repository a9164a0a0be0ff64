// The lock of a team. Every change to tasks.json and team.json is made under it, so a decision based on both is still valid when it is written.
import { faultSentence } from "../wording/error-text.ts";
import type { TeamLayout } from "./layout.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { BoardPorts } from "./tasks/task-file.ts";

/**
 * Runs `work` under the team's lock. An error of the disk becomes a refusal that says that `what` could not be changed. An error while the lock is
 * released does not change the result of `work`.
 */
export async function locked<T>(
  { lock, patience }: BoardPorts,
  { layout, what }: { layout: TeamLayout; what: string },
  work: () => T | Refusal,
): Promise<T | Refusal> {
  let done: { result: T | Refusal } | undefined;
  const attempt = async () => {
    try {
      await lock.withLock(layout.lock, () => {
        done = { result: work() };
      });
    } catch (error) {
      if (!done) throw error;
    }
  };
  try {
    await (patience ? patience.untilDone(attempt) : attempt());
    return done!.result;
  } catch (error) {
    if (error instanceof Error && error.name === "LockTimeout") return refuse("lock_timeout", error.message);
    if (error instanceof Error && "code" in error) {
      return refuse("write_failed", `Cannot change ${what}: ${faultSentence(error, "It is unchanged")}`);
    }
    throw error;
  }
}
