// Conversations constructed from the SDK's types and the provider's documentation, not recorded: the tests have no access to a model. Each
// is played over HTTP against a server that refuses what the provider refuses (api-rules.ts), with the real tools on a real folder.
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Agent } from "../../src/agent/agent.ts";
import { runTurns } from "../../src/agent/loop.ts";
import type { AssistantMessage, ModelRequest, ToolResultBlock } from "../../src/agent/ports/model.ts";
import { compact } from "../../src/agent/requests/compaction.ts";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { anthropicModel } from "../../src/edge/model/anthropic.ts";
import { extending } from "../bench/long-session.ts";
import { type Answer, refusal, replyEvents, sse, startMessagesApi, streamed, text, toolUse } from "../messages-api.ts";
import { png } from "../pictures.ts";
import { toolsFor } from "../tools/agent.ts";
import { type Tree, tree } from "../tools/tree.ts";
import { agentOf, typed } from "./agent-kit.ts";

type Block = AssistantMessage["content"][number];

let folder: Tree;
beforeEach(() => {
  folder = tree({ "src/a.ts": "export const one = 1;\nexport const two = 2;\n", "src/b.ts": "export const three = 3;\n" });
});
afterEach(() => folder.remove());

const thought = (n: number, words = `Thought ${n}.`): Block => ({ type: "thinking", thinking: words, signature: `signature-${n}` });
const hidden = (n: number): Block => ({ type: "redacted_thinking", data: `sealed-${n}` });

type Played = {
  agent: Agent;
  requests: ModelRequest[];
  refused: string[];
  ending: object;
  say(text: string): Promise<object>;
  sent(): ModelRequest[];
};

/** Answers one typed line with these replies, in order. `before` runs before each request. */
async function play(replies: Answer[], { before, ...more }: Partial<Agent> & { before?: (agent: Agent) => void } = {}): Promise<Played> {
  const api = await startMessagesApi({ reply: replies });
  onTestFinished(api.close);
  const tools = await toolsFor(folder.path);
  const { agent, queue } = agentOf(anthropicModel({ apiKey: "key", baseURL: api.url }), {
    modelName: "claude-opus-5-5",
    maxTokens: 16_000,
    tools,
    schemas: toolSchemas(tools),
    ...more,
  });
  const { take } = agent.inbox;
  agent.inbox.take = (turn) => {
    before?.(agent);
    return take(turn);
  };
  const say = async (text: string) => {
    queue.push(typed(text));
    return (await runTurns(agent, new AbortController().signal)).ending;
  };
  const sent = () => api.requests.map(({ body }) => body);
  const ending = await say("go on");
  return { agent, requests: sent(), refused: api.refused, ending, say, sent };
}

/** The content that the model wrote, as the last request repeats it, one list for each message. */
function replies(requests: ModelRequest[]): Block[][] {
  return (requests.at(-1)?.messages ?? []).flatMap(({ role, content }) => (role === "assistant" ? [content as Block[]] : []));
}

function results(requests: ModelRequest[]): ToolResultBlock[] {
  return (requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    (content as (Block | ToolResultBlock)[]).flatMap((block) => (block.type === "tool_result" ? [block] : [])),
  );
}

const done = text("Done.");

describe("arguments as other tools name them", () => {
  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ["Read", "file_path", { file_path: "src/a.ts" }, /one = 1/],
    ["Edit", "file_path", { file_path: "src/a.ts", old_string: "one = 1", new_string: "one = 11" }, /src\/a\.ts/],
    ["Write", "file_path", { file_path: "src/c.ts", content: "x\n" }, /src\/c\.ts/],
    ["Bash", "timeout, description", { command: "echo said", timeout: 5_000, description: "Say something" }, /said/],
    ["Grep", "output_mode, -A, -i", { pattern: "TWO", output_mode: "content", "-A": 1, "-i": true, "-n": true }, /two = 2/],
    ["Grep", "output_mode", { pattern: "three", output_mode: "files_with_matches" }, /src\/b\.ts/],
    ["Glob", "path", { pattern: "*.ts", path: "src" }, /a\.ts/],
  ])("%s: %s", async (name, _names, input, expected) => {
    const before = name === "Edit" ? [[toolUse("Read", { path: "src/a.ts" }, "t0")]] : [];
    const { requests, refused, ending } = await play([...before, [toolUse(name, input, "t1")], done]);
    expect([refused, ending]).toEqual([[], { kind: "done" }]);
    const last = results(requests).at(-1);
    expect([last?.is_error, JSON.stringify(last?.content)]).toEqual([undefined, expect.stringMatching(expected)]);
  });

  it("that are unknown are refused by name, and the call runs nothing", async () => {
    const { requests, ending } = await play([[toolUse("Bash", { command: "touch x", shell: "zsh" }, "t1")], done]);
    expect(ending).toEqual({ kind: "done" });
    expect(results(requests)).toMatchObject([
      { is_error: true, content: expect.stringContaining('"shell" is not an argument of it; it takes command') },
    ]);
  });
});

describe("several calls in one reply", () => {
  it("have their results together and in order, whatever each result is", async () => {
    const calls = [
      toolUse("Read", { path: "src/a.ts" }, "t1"),
      toolUse("Read", { path: "none.ts" }, "t2"),
      toolUse("NoSuchTool", {}, "t3"),
      toolUse("Glob", { pattern: "**/*.ts" }, "t4"),
    ];
    const { requests, refused } = await play([[text("I look."), ...calls], done]);
    expect(refused).toEqual([]);
    expect(results(requests).map(({ tool_use_id: id, is_error = false }) => [id, is_error])).toEqual([
      ["t1", false],
      ["t2", true],
      ["t3", true],
      ["t4", false],
    ]);
  });
});

describe("images", () => {
  it("are shown in the result of the call that read them, beside others", async () => {
    folder.put("a.png", png(4, 2));
    folder.put("none.png", "<html>");
    const calls = ["a.png", "none.png"].map((path, n) => toolUse("Read", { path }, `t${n}`));
    const { requests, refused } = await play([calls, done]);
    expect(refused).toEqual([]);
    expect(results(requests)).toMatchObject([
      { content: [{ type: "text" }, { type: "image", source: { media_type: "image/png", data: png(4, 2).toString("base64") } }] },
      { is_error: true },
    ]);
  });

  it("that the provider refuses are left out, earlier ones stay, and the conversation continues", async () => {
    folder.put("a.png", png(4, 2));
    const read = (id: string) => toolUse("Read", { path: "a.png" }, id);
    const no = refusal(400, "invalid_request_error", "messages.4.content.0.tool_result.content.1.image: Could not process image");
    const { requests, ending, say, sent } = await play([read("t1"), read("t2"), no, done, done]);
    expect(ending).toEqual({ kind: "done" });
    expect(results(requests).map(({ content }) => JSON.stringify(content).match(/"image"|not shown: the provider refuses/g))).toEqual([
      ['"image"'],
      ["not shown: the provider refuses"],
    ]);
    expect(await say("and now?")).toEqual({ kind: "done" });
    expect(extending(sent().slice(3))).toBe(1);
  });

  it("that are not what is refused stay, and the refusal ends the run", async () => {
    folder.put("a.png", png(4, 2));
    const no = refusal(400, "invalid_request_error", "tools.3.name: too long");
    const { requests, ending } = await play([toolUse("Read", { path: "a.png" }, "t1"), no]);
    expect(ending).toEqual({ kind: "fault", reason: "Request refused (400): tools.3.name: too long." });
    expect(requests.length).toBe(2);
  });

  it("that become too many for the provider make room by a summary", async () => {
    folder.put("a.png", png(3_000, 1));
    const read = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => toolUse("Read", { path: "a.png" }, `t${from + n}`));
    const weighs = (tokens: number) => ({ usage: { input_tokens: tokens } });
    const turns = [streamed(read(0, 20), weighs(2_000)), streamed(read(20, 1), weighs(40_000))];
    const { requests, refused, ending } = await play([...turns, text("I read twenty images."), done]);
    expect(ending).toEqual({ kind: "done" });
    expect(refused).toEqual([expect.stringContaining("many-image requests")]);
    expect(JSON.stringify(requests.at(-1)).match(/"type":"image"/g)).toHaveLength(1);
  });
});

it("halves of characters, from models or cuts, reach the provider as replacement characters", async () => {
  const half = "\ud83d";
  const { requests, ending } = await play([toolUse("Grep", { pattern: `${half}\\ud83d` }, "t1"), text(`${half}x👍`), done]);
  expect(ending).toEqual({ kind: "done" });
  const [call] = replies(requests)[0] ?? [];
  expect(call).toMatchObject({ input: { pattern: "\ufffd\\ud83d" } });
});

describe("thoughts", () => {
  const high = { effort: "high" } as const;

  it("with and without words go back as they came, in every later request", async () => {
    const first = [thought(1), hidden(1), text("I look."), toolUse("Read", { path: "src/a.ts" }, "t1")];
    const second = [thought(2, ""), toolUse("Read", { path: "src/b.ts" }, "t2")];
    const { requests, refused, ending } = await play([first, second, [thought(3), done]], high);
    expect([refused, ending]).toEqual([[], { kind: "done" }]);
    expect(replies(requests)).toEqual([first, second]);
    expect(extending(requests)).toBe(2);
    expect(requests[0]).toMatchObject({ thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } });
  });

  it("between texts and calls of one reply keep their places", async () => {
    const first = [
      thought(1),
      text("First."),
      thought(2),
      text("Then."),
      toolUse("Glob", { pattern: "*" }, "t1"),
      toolUse("Glob", { pattern: "**" }, "t2"),
    ];
    const { requests, refused } = await play([first, done], high);
    expect([refused, replies(requests)]).toEqual([[], [first]]);
  });

  it("of a model that is given a number of tokens begin each turn that has any", async () => {
    const model = { modelName: "claude-sonnet-4-5", ...high };
    const first = [thought(1), toolUse("Read", { path: "src/a.ts" }, "t1")];
    const { requests, refused } = await play([first, done], model);
    expect(refused).toEqual([]);
    expect(requests.map(({ thinking, max_tokens }) => [thinking, max_tokens])).toEqual([
      [{ type: "enabled", budget_tokens: 16_000 }, 32_000],
      [{ type: "enabled", budget_tokens: 16_000 }, 32_000],
    ]);
  });

  it.each(["claude-sonnet-4-5", "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-4-8"])(
    "can be chosen and given up between any two requests of %s",
    async (modelName) => {
      const look = (n: number, ...before: Block[]) => [...before, toolUse("Read", { path: "src/a.ts" }, `t${n}`)];
      const efforts = ["off", "high", "low", undefined, "high", "off"] as const;
      let n = 0;
      const before = (agent: Agent) => {
        agent.effort = efforts[n++ % efforts.length];
      };
      const answers = [look(0), look(1), look(2), done, look(4, thought(4)), look(5), look(6), done];
      const { say, refused, ending } = await play(answers, { modelName, before });
      expect([ending, await say("again"), refused]).toEqual([{ kind: "done" }, { kind: "done" }, []]);
    },
  );

  it("do not stop a conversation whose tools have changed: it continues without earlier thoughts", async () => {
    const first = [thought(1), toolUse("Read", { path: "src/a.ts" }, "t1")];
    const { agent, say, refused } = await play([first, done, done], high);
    agent.system = "You are ada, an agent with other rules.";
    expect(await say("and now?")).toEqual({ kind: "done" });
    expect(refused).toEqual([expect.stringContaining("what stands before it has changed")]);
  });

  it("of a reply out of which a secret was taken are not sent back, and the provider takes the rest", async () => {
    const first = [thought(1), text("The key is hunter2."), toolUse("Read", { path: "src/a.ts" }, "t1")];
    const withoutKey = (words: string) => words.replace("hunter2", "[secret:KEY:1]");
    const screen: Agent["filter"] = {
      call: async ({ input }) => ({ ok: true, input }),
      text: async (words) => words,
      result: async (result) => ({ result, notices: [] }),
      inputs: async (inputs) => ({ inputs, notices: [] }),
      reply: async (message) => JSON.parse(withoutKey(JSON.stringify(message))),
    };
    const { requests, refused } = await play([first, done], { ...high, filter: screen });
    expect([refused, replies(requests)]).toEqual([[], [[text("The key is [secret:KEY:1]."), first[2]]]]);
  });

  it("of the turn that a compaction keeps are not sent under its summary", async () => {
    const first = [thought(1), toolUse("Read", { path: "src/a.ts" }, "t1")];
    const { agent, say, refused } = await play([text("Hello. ".repeat(200)), text("They said hello."), first, done], high);
    await compact(agent, { cause: "asked", signal: new AbortController().signal });
    expect([await say("look"), refused]).toEqual([{ kind: "done" }, []]);
  });
});

describe("replies that end in an unusual way", () => {
  it("are continued after a pause of the provider", async () => {
    const paused = streamed([text("I am half way")], { stop_reason: "pause_turn" });
    const { requests, refused, ending } = await play([paused, done]);
    expect([refused, ending, replies(requests)]).toEqual([[], { kind: "done" }, [[text("I am half way")]]]);
  });

  it.each([
    ["a thought", [thought(1)]],
    ["nothing", []],
    ["blanks", [text(" \n ")]],
  ])("and hold %s alone are answered with a request that the provider takes", async (_what, content) => {
    const { refused, ending } = await play([streamed(content, { stop_reason: "end_turn" }), done]);
    expect([refused, ending]).toEqual([[], { kind: "done" }]);
  });

  it("cut in the middle of a call run what was whole, and the next one has more room", async () => {
    const calls = [toolUse("Read", { path: "src/a.ts" }, "t1"), toolUse("Write", { path: "x", content: "y" }, "t2")];
    const events = replyEvents(calls, { stop_reason: "max_tokens" });
    const lastDelta = events.findLastIndex(({ type }) => type === "content_block_delta");
    const { requests, refused, ending } = await play([{ bytes: sse(events.toSpliced(lastDelta, 1)) }, done]);
    expect([refused, ending, requests.map(({ max_tokens }) => max_tokens)]).toEqual([[], { kind: "done" }, [16_000, 32_000]]);
    expect(results(requests).map(({ tool_use_id: id }) => id)).toEqual(["t1"]);
  });

  it("refused end the run, and the conversation can go on", async () => {
    const { ending, say, refused } = await play([streamed([text("No.")], { stop_reason: "refusal" }), done]);
    expect([ending, await say("something else"), refused]).toEqual([
      { kind: "fault", reason: "The model refused to go on with this conversation." },
      { kind: "done" },
      [],
    ]);
  });

  it("lost to a server error are requested again, and nothing of them stays", async () => {
    const broken = replyEvents([thought(1), text("Half"), toolUse("Write", { path: "lost", content: "x" }, "t0")]).slice(0, -3);
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const { requests, refused, ending } = await play([
      { bytes: sse([...broken, error]) },
      [toolUse("Read", { path: "src/a.ts" }, "t1")],
      done,
    ]);
    expect([refused, ending, replies(requests)]).toEqual([[], { kind: "done" }, [[toolUse("Read", { path: "src/a.ts" }, "t1")]]]);
  });
});

describe("what was sent", () => {
  it("is extended after a change of model and effort, and replaced by a compaction", async () => {
    const { agent, say, sent } = await play([done, done, text("Sum."), done], { effort: "high" });
    agent.modelName = "claude-haiku-5-5";
    agent.effort = "off";
    await say("and now? ".repeat(400));
    const before = sent();
    await compact(agent, { cause: "asked", signal: new AbortController().signal });
    await say("and then?");
    expect([extending(before), before.map(({ model }) => model), extending(sent().slice(-2))]).toEqual([
      1,
      ["claude-opus-5-5", "claude-haiku-5-5"],
      0,
    ]);
  });
});
