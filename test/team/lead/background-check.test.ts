import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { backgroundCheck } from "../../../src/team/lead/background-check.ts";
import { type Lead, runLead } from "../../../src/team/lead/lead.ts";
import type { Checked } from "../../../src/team/lead/merged-work.ts";

const passed: Checked = { kind: "told", text: "It passes.", failed: false };
const stopped: Checked = { kind: "told", text: "It was stopped.", failed: true };
const whenAborted = (signal: AbortSignal) =>
  new Promise<Checked>((resolve) => signal.addEventListener("abort", () => resolve(stopped), { once: true }));

describe("backgroundCheck()", () => {
  it("runs one check at a time, and keeps what it found for the revision that it began at", async () => {
    const checks: ((checked: Checked) => void)[] = [];
    const check = backgroundCheck(
      () => new Promise((resolve) => void checks.push(resolve)),
      () => [],
    );
    expect([check.of(1), check.of(1), check.of(2), checks.length]).toEqual([undefined, undefined, undefined, 1]);
    checks[0]?.(passed);
    await check.ended();
    expect([check.of(1), check.of(2), checks.length]).toEqual([passed, undefined, 2]);
  });

  it("is aborted by each of its signals, and by its end", async () => {
    const person = new AbortController();
    const check = backgroundCheck(whenAborted, () => [person.signal]);
    check.of(1);
    person.abort();
    await check.ended();
    expect(check.of(1)).toEqual(stopped);
    const other = backgroundCheck(whenAborted, () => []);
    other.of(1);
    await other.stop();
    expect(other.of(1)).toEqual(stopped);
  });
});

describe("runLead()", () => {
  const done: Task = {
    id: "task-1",
    title: "One",
    description: "",
    status: "completed",
    assigned_to: "ada",
    dependencies: [],
    created_at: "",
  };

  /** All tasks are completed and the check never ends by itself. `lines`: whether the user has typed, by the number of the poll. */
  function checking(lines: (poll: number) => boolean) {
    const ending = new AbortController();
    const seen = { polls: 0, checks: 0, aborted: 0 };
    const session = {
      say: () => {},
      inputWaits: () => lines(seen.polls),
      waitingMail: () => [],
      setState: () => {},
      status: () => ({ turns: 0 }),
      setPaused: () => {},
      setStalled: () => {},
      get agent(): never {
        throw new Error("a turn begins");
      },
    } as unknown as Lead["session"];
    const ended = runLead({
      session,
      poll: async () => void seen.polls++,
      check: async (signal) => {
        seen.checks++;
        const checked = await whenAborted(signal);
        seen.aborted++;
        return checked;
      },
      running: () => [],
      clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: async () => {}, random: () => 0 },
      readList: () => ({ version: 1, revision: 1, next_id: 2, tasks: [done] }),
      statusOf: () => undefined,
      waitingMailOf: () => [],
      changed: async () => {
        if (seen.polls === 5) ending.abort();
      },
      compaction: { waits: () => false, make: async () => {} },
      notBegun: [],
      endWhenDone: true,
      onCompleted: () => {},
      onProviderWait: () => {},
      logWait: () => {},
      onNotice: () => {},
      ending: ending.signal,
      turnSignal: () => new AbortController().signal,
    });
    return { seen, ended };
  }

  it("polls on while the merged work is tested, and Ctrl-C ends the test", async () => {
    const { seen, ended } = checking(() => false);
    expect([await ended, seen]).toEqual([
      { how: "interrupted", last: undefined, stalled: [], unchecked: true },
      { polls: 5, checks: 1, aborted: 1 },
    ]);
  });

  it("gives a typed line its turn while the merged work is tested", async () => {
    const { seen, ended } = checking((poll) => poll === 3);
    await expect(ended).rejects.toThrow("a turn begins");
    expect(seen).toEqual({ polls: 3, checks: 1, aborted: 1 });
  });
});
