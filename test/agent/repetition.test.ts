// An agent that goes round in circles, through the loop: what counts as the same call, and what does not.
import { describe, expect, it } from "vitest";
import type { Input } from "../../src/agent/events.ts";
import { runTurns } from "../../src/agent/loop.ts";
import type { AssistantMessage } from "../../src/agent/ports/model.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { agentOf, anyTool, call, done, modelOf, replied, say, typed } from "./agent-kit.ts";

type Block = AssistantMessage["content"][number];
type Use = [tool: string, input?: unknown];

/** Runs these calls, one a turn, and says how it ended, after how many requests, and in which of them it was told. */
async function run(uses: Use[][], more: { tools?: AnyTool[]; arrivals?: Record<number, Input>; folder?: string } = {}) {
  let id = 0;
  const calls = uses.map((turn) => replied(turn.map(([name, input = {}]): Block => call(`c${id++}`, name, input))));
  const model = modelOf([...calls, replied([say("Done.")])]);
  const same = anyTool("Same", () => done("nothing"));
  const tools = [same, anyTool("Bash", () => done("nothing")), anyTool("Counts", () => done(`${id++}`)), ...(more.tools ?? [])];
  const outputs = { folder: "/out", begin: () => undefined };
  const { agent, queue, events } = agentOf(model, { tools, outputs });
  const { take } = agent.inbox;
  agent.inbox = { ...agent.inbox, take: (turn) => [...(more.arrivals?.[turn] ? [more.arrivals[turn]] : []), ...take(turn)] };
  queue.push(typed("go"));
  const { ending } = await runTurns(agent, new AbortController().signal);
  const told = events.flatMap((event, at) =>
    event.type === "input" && event.inputs.some(({ text }) => text.includes("same call"))
      ? [events.slice(0, at).filter(({ type }) => type === "reply").length]
      : [],
  );
  return { kind: ending.kind, requests: model.requests.length, told };
}

const times = (count: number, ...turn: Use[]): Use[][] => Array.from({ length: count }, () => turn);

describe("an agent that makes the same call with the same result", () => {
  it("is told after three, and ended after six", async () => {
    expect(await run(times(400, ["Same"]))).toEqual({ kind: "repeats_itself", requests: 6, told: [3] });
  });

  it("is found if two calls take turns, or if it makes them all at once", async () => {
    const inTurn = times(200).flatMap(() => [[["Same", { a: 1 }]], [["Same", { a: 2 }]]] as Use[][]);
    expect(await run(inTurn)).toMatchObject({ kind: "repeats_itself", told: [5, 6] });
    const many = Array.from({ length: 8 }, (): Use => ["Same"]);
    expect(await run(times(9, ...many))).toEqual({ kind: "repeats_itself", requests: 6, told: [3] });
    expect(await run([many, many])).toEqual({ kind: "done", requests: 3, told: [] });
  });

  it("is found although each result names another file of long output", async () => {
    let n = 0;
    const long = anyTool("Long", () => done(`much\n[cut; all of it is in /out/${n++}.txt]`));
    expect(await run(times(20, ["Long"]), { tools: [long] })).toMatchObject({ kind: "repeats_itself", requests: 6 });
  });

  it("is found where a call fails or does not exist", async () => {
    expect(await run(times(20, ["Nope"]))).toMatchObject({ kind: "repeats_itself", requests: 6 });
  });
});

describe("an agent goes on that", () => {
  it.each<[string, Use[][], Parameters<typeof run>[1]?]>([
    ["gets another result each time", times(20, ["Counts"])],
    ["makes another call each time", Array.from({ length: 20 }, (_, n) => [["Same", { n }]])],
    [
      "tries again after each change",
      Array.from({ length: 20 }, (_, n) => [[["Bash", { command: "npm test" }]], [["Same", { n }]]]).flat() as Use[][],
    ],
    ["sleeps before it looks", times(20, ["Bash", { command: "sleep 5; curl -s localhost/health" }])],
    ["waits in a loop", times(20, ["Bash", { command: "until test -e done; do :; done" }])],
    ["uses a tool that waits", times(20, ["Waits"]), { tools: [{ ...anyTool("Waits", () => done("running")), waits: true }] }],
    [
      "is told something in between",
      times(20, ["Same"]),
      { arrivals: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n + 2, typed("again")])) },
    ],
  ])("%s", async (_title, uses, more) => {
    expect(await run(uses, more)).toEqual({ kind: "done", requests: uses.length + 1, told: [] });
  });
});
