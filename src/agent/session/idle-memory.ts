// A session that waits for its person or for mail gives back the memory that its last turn needed.
import type { Session } from "./session.ts";

export type IdleMemory = {
  /** Something goes on: memory stays as it is. */
  busy(): void;
  /** Nothing goes on from now: memory is given back after a while. */
  idle(): void;
};

/** From when `memory` is there until the process ends. */
export async function freeMemoryWhenIdle(session: Pick<Session, "listen">, memory: Promise<IdleMemory>): Promise<void> {
  const { busy, idle } = await memory;
  idle();
  session.listen(({ type }) => {
    if (type === "request") busy();
    if (type === "ended") idle();
  });
}
