import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/agent/ports/clock.ts";
import type { Model, ModelOutcome } from "../../../src/agent/ports/model.ts";
import { type OverloadDisk, sharedRetryBudget } from "../../../src/agent/requests/overload.ts";
import { heldBack, withRetries } from "../../../src/agent/requests/retry.ts";
import { seeded } from "../../process/seeded.ts";
import { replied, say } from "../agent-kit.ts";

/** A disk that holds one file, and a clock that the test moves. */
function place() {
  let text: string | undefined;
  let now = 1_000_000;
  const disk: OverloadDisk = {
    read: () => (text === undefined ? undefined : Buffer.from(text)),
    size: () => text?.length,
    replace: (_path, next) => {
      text = next;
    },
  };
  let wall = 1_700_000_000_000;
  const clock: Clock = { now: () => new Date(wall), monotonicMs: () => now, sleep: async () => {}, random: () => 0 };
  return {
    disk,
    clock,
    budget: (boot = "b") => sharedRetryBudget({ disk, path: "overload.json", clock, boot }),
    setBack: (ms: number) => {
      wall -= ms;
    },
    pass: (ms: number) => {
      now += ms;
    },
    write: (next: string) => {
      text = next;
    },
  };
}

describe("a refusal for load", () => {
  it("holds back every agent that shares the file, for as long as the provider asked", () => {
    const { budget, pass } = place();
    const [ada, bo] = [budget(), budget()];
    expect(bo.before()).toBe(0);
    ada.overloaded(8000);
    expect(bo.before()).toBe(8000);
    pass(8000);
    expect(bo.before()).toBe(0);
  });

  it("lets them come back one after the other", () => {
    const { budget } = place();
    const agents = Array.from({ length: 4 }, budget);
    agents[0]?.overloaded(1000);
    expect(agents.map((agent) => agent.before())).toEqual([1000, 1250, 1500, 1750]);
  });

  it("counts once for all that were refused together, and doubles when it continues", () => {
    const { budget, pass } = place();
    const [ada, bo] = [budget(), budget()];
    for (const agent of [ada, bo]) agent.overloaded(undefined);
    expect(ada.before()).toBe(1000);
    pass(1000);
    expect(ada.before()).toBe(0);
    ada.overloaded(undefined);
    expect(ada.before()).toBe(2000);
  });

  it("gives an agent that was waiting a later place when another one is refused meanwhile", () => {
    const { budget, pass } = place();
    const [ada, bo] = [budget(), budget()];
    ada.overloaded(1000);
    expect([ada.before(), bo.before()]).toEqual([1000, 1250]);
    pass(1000);
    expect(ada.before()).toBe(0);
    ada.overloaded(4000);
    pass(250);
    expect(bo.before()).toBeGreaterThanOrEqual(3750);
  });

  it("lets an agent that was not refused yet try soon, unless the provider said how long", () => {
    const { budget, pass } = place();
    const [ada, bo, cy] = [budget(), budget(), budget()];
    for (let again = 0; again < 4; again++) {
      pass(ada.before());
      ada.overloaded(undefined);
    }
    expect(ada.before()).toBe(8000);
    expect(bo.before()).toBe(3000);
    pass(3000);
    expect(bo.before()).toBe(0);
    bo.overloaded(60_000);
    expect(cy.before()).toBe(60_000);
  });

  it("delays no agent for more than two holds, even if another one is refused all the time", () => {
    const { budget, pass } = place();
    const [ada, bo] = [budget(), budget()];
    let waitedMs = 0;
    ada.overloaded(undefined);
    for (let wait = bo.before(); wait > 0 && waitedMs < 600_000; wait = bo.before()) {
      pass(wait);
      waitedMs += wait;
      ada.overloaded(undefined); // each time just before its turn
    }
    expect(waitedMs).toBeLessThanOrEqual(65_000);
  });

  it.each([
    ["is over", JSON.stringify({ boot: "b", until: 900_000, holdMs: 1000, next: 900_000 })],
    ["lies further ahead than any provider asks for", JSON.stringify({ boot: "b", until: 9e12, holdMs: 1000, next: 9e12 })],
    ["is torn", '{ "until": 1000'],
    ["is something else", "[]"],
  ])("does not count when it %s", (_what, text) => {
    const { budget, write } = place();
    write(text);
    expect(budget().before()).toBe(0);
  });

  it.each([3_600_000, -3_600_000])("is as long as the provider asked for when the clock is set back by %i ms meanwhile", (ms) => {
    const { budget, pass, setBack } = place();
    const [first, second] = [budget(), budget()];
    first.overloaded(2_000);
    pass(500);
    setBack(ms);
    expect([first.before(), second.before()].map((waitMs) => waitMs > 0 && waitMs <= 2_000)).toEqual([true, true]);
    pass(2_000);
    expect(first.before()).toBe(0);
  });

  it("does not count when the machine was started again since", () => {
    const { budget } = place();
    budget().overloaded(60_000);
    expect([budget("another").before(), budget().before() > 0]).toEqual([0, true]);
  });

  it("is kept by each agent alone when the disk fails", () => {
    const { clock } = place();
    const broken = () => {
      throw new Error("no space left");
    };
    const budget = sharedRetryBudget({ disk: { read: broken, replace: broken, size: broken }, path: "x", clock, boot: "b" });
    budget.overloaded(1000);
    expect(budget.before()).toBe(0);
  });
});

describe("agents under load", () => {
  it("do not retry all at once: attempts stay near the provider's capacity", async () => {
    const agents = 8;
    const { attempts, replies } = await simulate({ agents, recoversAtMs: 60_000 });
    expect(replies).toBe(agents);
    const while_overloaded = attempts.filter((at) => at > 0 && at < 60_000).length;
    expect(while_overloaded).toBeLessThan(agents * 6);
    const inOneSecond = Math.max(
      ...attempts.filter((at) => at > 0).map((from) => attempts.filter((at) => at >= from && at < from + 1000).length),
    );
    expect(inOneSecond).toBeLessThanOrEqual(5);
  });
});

it("a wait for another agent's refusal is shown with that reason", async () => {
  const { budget, clock } = place();
  const held = [3000, 0];
  const shown: unknown[] = [];
  await withRetries(
    { attempt: async () => replied([say("hi")]) },
    { model: "m", max_tokens: 1, system: [], tools: [], messages: [] },
    {
      clock,
      signal: new AbortController().signal,
      onText: () => {},
      onRetry: (retry) => shown.push(retry),
      budget: { ...budget(), before: () => held.shift() ?? 0 },
    },
  );
  expect(shown).toEqual([{ reason: heldBack, waitMs: 3000, retryCount: 0 }]);
});

/**
 * A provider that refuses everybody until a given time, and agents that share a file. Time is simulated: the agent that wakes next runs
 * next.
 */
async function simulate({
  agents,
  recoversAtMs,
}: {
  agents: number;
  recoversAtMs: number;
}): Promise<{ attempts: number[]; replies: number }> {
  const { disk } = place();
  const random = seeded(4);
  const start = 1_000_000;
  let now = start;
  const sleepers: { at: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => new Date(0),
    monotonicMs: () => now,
    random,
    sleep: (ms) => new Promise((wake) => void sleepers.push({ at: now + ms, wake })),
  };
  const attempts: number[] = [];
  const busy: ModelOutcome = { kind: "fault", fault: { verdict: "retry", reason: "Overloaded.", status: 529 } };
  const model: Model = {
    attempt: async () => {
      attempts.push(now - start);
      return now - start < recoversAtMs ? busy : replied([say("hi")]);
    },
  };
  let replies = 0;
  let running = agents;
  for (let n = 0; n < agents; n++) {
    const budget = sharedRetryBudget({ disk, path: "x", clock, boot: "b" });
    const request = { model: "m", max_tokens: 1, system: [], tools: [], messages: [] };
    void withRetries(model, request, { clock, signal: new AbortController().signal, onText: () => {}, budget }).then((outcome) => {
      running--;
      if (outcome.kind === "reply") replies++;
    });
  }
  while (running > 0) {
    await new Promise(setImmediate);
    const next = sleepers.sort((a, b) => a.at - b.at).shift();
    if (!next) continue;
    now = Math.max(now, next.at);
    next.wake();
  }
  return { attempts, replies };
}
