// What agents cost, as the built program counts it against a provider on loopback: every request once, whichever agent made it.
import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/agent/result/run-result.ts";
import { call, gate, type Part, provider, toolResults } from "../cast.ts";
import { type Answer, streamed, text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

type Block = Extract<Answer, { type: string }>;

/** An answer of a model at $5 for a million tokens of input, that costs this many cents. */
const costing = (cents: number, ...content: Block[]) =>
  streamed(content, { model: "claude-opus-5", usage: { input_tokens: cents * 2_000, output_tokens: 0 } });

const agent = (name: string, more: Record<string, unknown> = {}) =>
  call("Agent", { description: "look", prompt: "Look.", name, subagent_type: "general", ...more }) as Block;

async function place(cast: Record<string, Part>) {
  const api = await provider(cast);
  const there = teamPlace();
  const print = async (...args: string[]) => {
    const program = there.warm(["--print", "--output-format", "json", "--model", "claude-opus-5", ...args], { env: api.env });
    const { code } = await program.ended;
    return { code, result: JSON.parse(program.stdout() || "{}") as RunResult, stderr: program.stderr() };
  };
  return { api, there, print };
}

/** What the requests that were answered cost, by the list that they were answered from. */
const sumOf = (cents: Record<string, number[]>, requests: (agent: string) => unknown[]) =>
  Object.entries(cents).reduce((sum, [name, each]) => sum + each.slice(0, requests(name).length).reduce((one, two) => one + two, 0), 0) /
  100;

describe("the cost of a session with agents", () => {
  it("is the sum of all requests, those of nested and background agents too, and of a second process", async () => {
    const cents = { tool: [1, 2, 3, 4, 1, 1, 1, 1], ada: [5, 6], cy: [7], bo: [8, 9], di: [10] };
    const said: Record<keyof typeof cents, Block[]> = {
      tool: [agent("bo", { background: true }), agent("ada"), ...Array.from({ length: 6 }, () => text("Done."))],
      ada: [agent("cy"), text("Ada is done.")],
      cy: [text("Cy is done.")],
      bo: [agent("di"), text("Bo is done.")],
      di: [text("Di is done.")],
    };
    const cast = Object.entries(said).map(([name, all]) => [
      name,
      all.map((one, n) => costing(cents[name as keyof typeof cents][n]!, one)),
    ]);
    const { api, print } = await place(Object.fromEntries(cast));
    const first = await print("Work.");
    expect([first.code, first.result.ending, api.requests("di").length, api.requests("cy").length]).toEqual([0, "done", 1, 1]);
    const spentFirst = sumOf(cents, api.requests);
    expect(first.result.cost_usd).toBe(spentFirst);
    const more = await print("--continue", "--budget-usd", String(spentFirst), "More.");
    expect([more.code, more.result.ending, sumOf(cents, api.requests)]).toEqual([4, "budget", spentFirst]);
  });

  it("stops at the budget as soon as the sum of all requests reaches it, and not before", async () => {
    const names = ["a1", "a2", "a3", "a4", "a5"];
    const { api, print } = await place({
      tool: names.map((name) => costing(5, agent(name))),
      ...Object.fromEntries(names.map((name) => [name, [costing(5, text("Done."))]])),
    });
    const { code, result } = await print("--budget-usd", "0.40", "Work.");
    const sent = ["tool", ...names].map((name) => api.requests(name).length);
    expect([code, result.ending, result.cost_usd, sent]).toEqual([4, "budget", 0.4, [4, 1, 1, 1, 1, 0]]);
  });

  it("has the requests of an agent that was killed with its session", async () => {
    const hangs = gate(text("never"));
    const { api, there, print } = await place({
      tool: [costing(5, agent("ada")), costing(5, text("Done."))],
      ada: [costing(5, call("Glob", { pattern: "*" }) as Block), hangs.answer],
    });
    const killed = there.piped(["--print", "--model", "claude-opus-5", "Work."], { env: api.env, input: "" });
    await eventually(() => api.requests("ada").length >= 2);
    process.kill(killed.pid, "SIGKILL");
    await killed.ended;
    const { code, result } = await print("--continue", "--budget-usd", "0.10", "More.");
    expect([code, result.ending, result.cost_usd, api.requests("tool").length]).toEqual([4, "budget", 0, 1]);
    expect(result.reason).toContain("$0.1000 of the budget of $0.1 is spent");
    hangs.open();
  });

  it("starts no agent on a model without a known price if there is a budget", async () => {
    const { api, print } = await place({ tool: [costing(5, agent("ada", { model: "my-own-model" })), costing(5, text("Done."))] });
    const { result } = await print("--budget-usd", "1", "Work.");
    expect(result.cost_usd).toBe(0.1);
    expect(toolResults(api.requests("tool")[1])[0]).toContain('the price of the model "my-own-model" is not known');
    expect(api.requests("ada")).toEqual([]);
  });
});

it.each(["0", "-1", "0.0", "five", "", "NaN", "Infinity", "0,40", "$1"])(
  "refuses a budget of %j before anything is sent",
  async (budget) => {
    const { api, print } = await place({ tool: [text("Done.")] });
    const { code, stderr } = await print(`--budget-usd=${budget}`, "Work.");
    expect([code, stderr, api.requests("tool")]).toEqual([2, expect.stringContaining("It must be a number above 0"), []]);
  },
);
