import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import type { Session } from "../../../src/agent/session/session.ts";
import { openPresence } from "../../../src/app/session/presence.ts";
import { runningPath } from "../../../src/app/watch/running-sessions.ts";
import { memoryWorld } from "../memory-world.ts";

const at = "2026-01-02T03:04:05.000Z";

/** A session of which others see only what it tells its listeners. */
function toldSession(): { session: Session; tell: (event: AgentEvent) => void } {
  const listeners: ((event: AgentEvent) => void)[] = [];
  const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const session = {
    id: "s1",
    agent: { name: "tool", modelName: "claude-sonnet-5", history: { count: { tokens: () => 0 } } },
    totals: () => ({ turns: 0, usage, costUsd: 0 }),
    listen: (listener: (event: AgentEvent) => void) => listeners.push(listener),
  } as unknown as Session;
  return { session, tell: (event) => void listeners.map((listener) => listener(event)) };
}

it("shows at once that work begins and ends, what it is a moment later, and several changes as one", async () => {
  const writes: string[] = [];
  const { world, disk } = memoryWorld({ edges: { ownPane: async () => undefined } });
  const path = runningPath(world.configDir, "s1");
  const shown = () => {
    const { state, doing } = JSON.parse(disk.files.get(path) ?? "{}");
    return `${state} ${doing}`;
  };
  const { replace } = disk;
  disk.replace = (to, text, options) => {
    replace(to, text, options);
    if (to === path) writes.push(`${shown()} ${options?.durable}`);
  };
  const presence = await openPresence(world, { kind: "attended" });
  const { session, tell } = toldSession();
  presence.begin(session, []);
  await Promise.resolve();
  writes.length = 0;
  tell({ type: "request", turn: 1, retryCount: 0, at });
  tell({ type: "tool_started", id: "1", name: "Read", subject: "a.ts", at });
  tell({ type: "tool_started", id: "2", name: "Read", subject: "b.ts", at });
  expect(writes).toEqual(["working  false"]);
  await new Promise(setImmediate);
  expect(writes).toEqual(["working  false", "working Read b.ts false"]);
  tell({ type: "ended", ending: { kind: "done" }, text: "", at });
  expect(shown()).toBe("idle ");
  tell({ type: "request", turn: 2, retryCount: 0, at });
  tell({ type: "tool_started", id: "3", name: "Read", subject: "c.ts", at });
  presence.end();
  await new Promise(setImmediate);
  expect(disk.files.has(path)).toBe(false);
});
