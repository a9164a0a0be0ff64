import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newFilesMail } from "../../../../src/agent/new-files.ts";
import type { Message, Model, ModelOutcome, ModelReply, ModelRequest, ToolSchema, UserMessage } from "../../../../src/agent/ports/model.ts";
import { withCacheMarks } from "../../../../src/agent/requests/cache-marks.ts";
import { type ScriptedOptions, scriptedModel } from "../../../../src/edge/model/scripted/scripted-model.ts";
import { ScriptError } from "../../../../src/edge/model/scripted/source.ts";
import { resumedInput } from "../../../../src/team/prompt.ts";

const tool = (name: string, properties: Record<string, unknown>, required: string[]): ToolSchema => ({
  name,
  description: `${name}.`,
  input_schema: { type: "object", properties, required, additionalProperties: false },
});
const someTools = [
  tool("Read", { path: { type: "string" }, limit: { type: "integer" } }, ["path"]),
  tool("Bash", { command: { type: "string" } }, ["command"]),
  tool(
    "TaskUpdate",
    { id: { type: "string" }, status: { enum: ["blocked", "completed"] }, tags: { type: "array", items: { type: "string" } } },
    ["id"],
  ),
];

/** One agent's conversation with a script, stored as the loop stores it. */
function conversation(
  text: string,
  { agent = "ada", tools = someTools, ...options }: Partial<ScriptedOptions> & { agent?: string; tools?: ToolSchema[] } = {},
) {
  const model = scriptedModel({ file: "demo.yaml", text, ...options });
  const messages: Message[] = [];
  const request = (): ModelRequest =>
    withCacheMarks({
      model: "any",
      max_tokens: 100,
      system: [{ type: "text", text: `You are ${agent}, a teammate.\n\nWork.` }],
      tools,
      messages: [...messages],
    });
  const ask = (retryCount = 0, player: Model = model) =>
    player.attempt(request(), { signal: new AbortController().signal, retryCount, onText: () => {} });

  return {
    messages,
    request,
    ask,
    /**
     * Adds tool results for the last reply's calls, then the inputs, to the last user message; sends the request; keeps the reply. Returns
     * it in short form.
     */
    async turn(...inputs: (string | { results: string })[]): Promise<string> {
      const last = messages.at(-1);
      const calls = last?.role === "assistant" ? last.content.filter((block) => block.type === "tool_use") : [];
      const results = inputs.flatMap((input) => (typeof input === "string" ? [] : input.results));
      const content: UserMessage["content"] = [
        ...calls.map(({ id }, n) => ({ type: "tool_result" as const, tool_use_id: id, content: results[n] ?? "ok" })),
        ...inputs.flatMap((input) => (typeof input === "string" ? { type: "text" as const, text: input } : [])),
      ];
      if (last?.role === "user") messages[messages.length - 1] = { role: "user", content: [...last.content, ...content] };
      else messages.push({ role: "user", content });
      const outcome = await ask();
      if (outcome.kind === "reply") messages.push(outcome.message);
      return inShort(outcome);
    },
  };
}

function inShort(outcome: ModelOutcome): string {
  if (outcome.kind === "aborted") return "aborted";
  if (outcome.kind === "fault") return `${outcome.fault.verdict}: ${outcome.fault.reason}`;
  return outcome.message.content
    .flatMap((block) =>
      block.type === "text" ? block.text : block.type === "tool_use" ? `${block.name} ${JSON.stringify(block.input)}` : [],
    )
    .join(" | ");
}

const fixParser = String.raw`
version: 1
agents: [lead, ada, bo]
scenes:
  - name: fix
    agent: [ada, bo]
    when: 'You now hold (?<id>task-\d+): (?<what>[^\n]+)'
    replies:
      - say: "I look at {{id}} first."
        calls:
          - Read: { path: src/parse.js }
          - Bash: { command: "grep '\\{{id}}' {{agent}}" }
      - choose:
          - when: 'fail (?<n>[1-9]\d*)'
            say: "{{n}} fail."
            calls: [TaskUpdate: { id: "{{id}}", status: blocked, tags: ["{{what}}"] }]
          - when: '(?<n>\d+) pass'
            calls: [TaskUpdate: { id: "{{id}}", status: completed }]
      - say: "Done with {{id}} ({{n}})."
  - name: question
    agent: any
    when: 'from="(?<who>\w+)"'
    replies:
      - say: "A question of {{who}}."
        calls: [Read: { path: notes.md }]
      - say: "Answered {{who}}."
  - name: stop
    agent: any
    when: '^Stop'
    interrupts: true
    replies: [{ say: "Stopped." }]
  - name: talk
    agent: ada
    when: '^Talk'
    replies: [{ say: "First." }, { say: "Second." }, { say: "Third." }]
  - name: noise
    agent: any
    when: 'noise'
    idle_only: true
    replies: [{ say: "I hear." }]
`;

const task = "You now hold task-3: Fix the parser\n\nIn src/parse.js.";

describe("a scene", () => {
  it("plays its replies with what it captured, and picks by the tool results", async () => {
    const ada = conversation(fixParser);
    expect([await ada.turn(task), await ada.turn({ results: "# fail 2" }), await ada.turn()]).toEqual([
      `I look at task-3 first. | Read {"path":"src/parse.js"} | Bash {"command":"grep '{{id}}' ada"}`,
      '2 fail. | TaskUpdate {"id":"task-3","status":"blocked","tags":["Fix the parser"]}',
      "Done with task-3 (2).",
    ]);
    const bo = conversation(fixParser, { agent: "bo" });
    await bo.turn(task);
    expect(await bo.turn({ results: "12 pass" })).toBe('TaskUpdate {"id":"task-3","status":"completed"}');
  });

  it("answers as scripted, with the stop reason of a real reply and ids that never repeat", async () => {
    const ada = conversation(fixParser);
    await ada.turn(task);
    await ada.turn({ results: "fail 2" });
    await ada.turn();
    await ada.turn(task);
    const ids = ada.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_use" ? block.id : [])));
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
    const bo = conversation(fixParser, { agent: "bo" });
    bo.messages.push({ role: "user", content: [{ type: "text", text: task }] });
    const reply = (await bo.ask()) as ModelReply;
    expect([reply.model, reply.stop_reason]).toEqual(["scripted", "tool_use"]);
  });

  it("waits in a queue behind the running one, and follows in the reply that ends the turn", async () => {
    const ada = conversation(fixParser);
    await ada.turn(task, '<message from="bo">first?</message>', "unrelated");
    await ada.turn({ results: "fail 1" }, '<message from="lead">second?</message>');
    expect([await ada.turn(), await ada.turn(), await ada.turn(), await ada.turn("Talk")]).toEqual([
      'Done with task-3 (1).\n\nA question of bo. | Read {"path":"notes.md"}',
      'Answered bo.\n\nA question of lead. | Read {"path":"notes.md"}',
      "Answered lead.",
      "First.",
    ]);
  });

  it("that interrupts abandons the running one and leaves the queue", async () => {
    const ada = conversation(fixParser);
    await ada.turn(task, '<message from="bo">?</message>');
    expect([await ada.turn({ results: "fail 1" }, "Stop it."), await ada.turn(), await ada.turn(task)]).toEqual([
      'Stopped.\n\nA question of bo. | Read {"path":"notes.md"}',
      "Answered bo.",
      expect.stringContaining("I look at task-3 first."),
    ]);
  });

  it("that has ended a turn waits, lets others run, and continues with input that matches none", async () => {
    const ada = conversation(fixParser);
    expect([
      await ada.turn("Talk to me"),
      await ada.turn("go on"),
      await ada.turn('from="bo"'),
      await ada.turn("not yet"),
      await ada.turn("now"),
    ]).toEqual(["First.", "Second.", 'A question of bo. | Read {"path":"notes.md"}', "Answered bo.", "Third."]);
  });

  it("for idle moments begins only then", async () => {
    const ada = conversation(fixParser);
    expect([
      await ada.turn("noise"),
      await ada.turn(task, "noise"),
      await ada.turn({ results: "fail 1" }, "noise"),
      await ada.turn(),
    ]).toEqual([
      "I hear.",
      expect.stringContaining("I look at task-3 first."),
      expect.stringContaining("1 fail."),
      "Done with task-3 (1).",
    ]);
  });

  it("is restored to its position by a summary that names it, with its captures", async () => {
    const script = `${fixParser}
  - name: summary
    agent: any
    when: '^Summarise'
    interrupts: true
    replies: [{ say: "Kept: {{place}}" }]
`;
    const ada = conversation(script);
    await ada.turn("Talk", task, '<message from="bo">?</message>');
    await ada.turn({ results: "fail 7" });
    const kept = await ada.turn("Summarise.");
    expect(kept).toBe("Kept: [script fix:2 id=task-3&what=Fix+the+parser&n=7] [script question:0 who=bo] [script talk:1]");
    const resumed = conversation(script);
    expect([await resumed.turn(`What was: ${task} ${kept}`), await resumed.turn(), await resumed.turn("and then?")]).toEqual([
      'Done with task-3 (7).\n\nA question of bo. | Read {"path":"notes.md"}',
      "Answered bo.",
      "Second.",
    ]);
  });
});

describe("the next reply", () => {
  it("follows from the request alone: another process gets the same one for the same messages", async () => {
    const ada = conversation(fixParser);
    await ada.turn(task, '<message from="bo">?</message>');
    await ada.turn({ results: "fail 1" });
    ada.messages.push({ role: "user", content: [{ type: "text", text: "unrelated" }] });
    const here = await ada.ask();
    const elsewhere = scriptedModel({ file: "demo.yaml", text: fixParser });
    expect(await ada.ask(0, elsewhere)).toEqual(here);
    expect(inShort(here)).toBe('Done with task-3 (1).\n\nA question of bo. | Read {"path":"notes.md"}');
  });

  it("is the same at any pace, and comes in many pieces", async () => {
    const paced = fixParser.replace("scenes:", "pace: { first_ms: 1, characters_per_second: 100000 }\nscenes:");
    const texts: string[] = [];
    const slow = conversation(paced, { pace: "script" });
    slow.messages.push({ role: "user", content: [{ type: "text", text: task }] });
    const outcome = await scriptedModel({ file: "demo.yaml", text: paced, pace: "script" }).attempt(slow.request(), {
      signal: new AbortController().signal,
      retryCount: 0,
      onText: (text) => texts.push(text),
    });
    expect(outcome).toEqual(await slow.ask(0, scriptedModel({ file: "demo.yaml", text: paced })));
    expect(texts).toEqual(["I look at ta", "sk-3 first."]);
  });

  it("arrives complete, whatever its characters and its length", async () => {
    const content = `${'日本語 👩‍👩‍👧‍👦 \\ " \u2028 {{x}} '.repeat(700)}\nend`;
    const script = `version: 1
agents: [ada]
scenes:
  - name: write
    agent: ada
    when: ''
    replies:
      - say: ${JSON.stringify(`Ünïcödé ${content}`.replaceAll("{{", "\\{{"))}
        calls: [Bash: { command: ${JSON.stringify(content.replaceAll("{{", "\\{{"))} }]
`;
    const ada = conversation(script);
    expect(await ada.turn("go")).toBe(`Ünïcödé ${content} | Bash ${JSON.stringify({ command: content })}`);
  });

  it("counts tokens by what the cache marks cover", async () => {
    const ada = conversation(fixParser);
    const bytes = (from: number, to?: number) =>
      ada
        .request()
        .messages.slice(from, to)
        .flatMap(({ content }): object[] => content)
        .reduce((sum, block) => sum + Buffer.byteLength(JSON.stringify({ ...block, cache_control: undefined })), 0);
    const usages = [];
    ada.messages.push({ role: "user", content: [{ type: "text", text: task }] });
    for (let n = 0; n < 2; n++) {
      const outcome = (await ada.ask()) as ModelReply;
      usages.push(outcome.usage);
      ada.messages.push(outcome.message, {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "x", content: "fail 3" },
          { type: "text", text: "more" },
        ],
      });
    }
    const prefix =
      JSON.stringify(someTools).length -
      someTools.length -
      1 +
      JSON.stringify({ type: "text", text: "You are ada, a teammate.\n\nWork." }).length;
    const output = (text: string, inputs: unknown[]) => Math.ceil((text.length + JSON.stringify(inputs).length) / 4);
    expect(usages).toEqual([
      {
        input_tokens: 0,
        cache_creation_input_tokens: Math.ceil((prefix + bytes(0, 1)) / 4),
        cache_read_input_tokens: 0,
        output_tokens: output("I look at task-3 first.", [{ path: "src/parse.js" }, { command: "grep '{{id}}' ada" }]),
      },
      {
        input_tokens: 0,
        cache_creation_input_tokens: Math.ceil(bytes(1, 3) / 4),
        cache_read_input_tokens: Math.ceil((prefix + bytes(0, 1)) / 4),
        output_tokens: output("3 fail.", [{ id: "task-3", status: "blocked", tags: ["Fix the parser"] }]),
      },
    ]);
  });
});

describe("a fault of the script", () => {
  const withFault = (fault: string) => `version: 1
agents: [ada]
scenes:
  - name: one
    agent: ada
    when: ''
    replies: [{ say: "There.", fault: ${fault} }]
`;
  const outcomes = async (fault: string) => {
    const ada = conversation(withFault(fault));
    ada.messages.push({ role: "user", content: [{ type: "text", text: "go" }] });
    return [await ada.ask(0), await ada.ask(1), await ada.ask(2)].map((outcome) =>
      outcome.kind === "fault" ? outcome.fault : inShort(outcome),
    );
  };

  it("is played on its attempts, using the retry count in the request", async () => {
    expect(await outcomes("{ status: 529, attempts: [0, 1] }")).toEqual([
      { verdict: "retry", status: 529, reason: "Provider overloaded (529): as the script has it." },
      { verdict: "retry", status: 529, reason: "Provider overloaded (529): as the script has it." },
      "There.",
    ]);
    expect(await outcomes("{ status: 429, retry_after: 2 }")).toEqual([
      { verdict: "retry", status: 429, retryAfterMs: 2000, reason: "Rate limit (429): as the script has it." },
      "There.",
      "There.",
    ]);
    expect(await outcomes("{ status: 401 }")).toEqual([expect.objectContaining({ verdict: "fatal", status: 401 }), "There.", "There."]);
  });

  it.each([0, 1, 150, 333, 100_000])("cuts the stream after %i bytes", async (n) => {
    expect(await outcomes(`{ cut_after_bytes: ${n} }`)).toEqual([
      { verdict: "retry", reason: "The reply was lost: the connection broke (cut, as the script has it)." },
      "There.",
      "There.",
    ]);
  });

  it("gives way to an abort, in a pause and within the text", async () => {
    const slow = `version: 1
agents: [ada]
pace: { first_ms: 0, characters_per_second: 0.001 }
scenes:
  - { name: pause, agent: ada, when: pause, replies: [{ say: "There.", pause_ms: 600000 }] }
  - { name: text, agent: ada, when: '', replies: [{ say: "It takes for ever." }] }
`;
    for (const input of ["pause", "text"]) {
      const ada = conversation(slow);
      ada.messages.push({ role: "user", content: [{ type: "text", text: input }] });
      const abort = new AbortController();
      const outcome = scriptedModel({ file: "demo.yaml", text: slow, pace: "script" }).attempt(ada.request(), {
        signal: abort.signal,
        retryCount: 0,
        onText: () => abort.abort(),
      });
      if (input === "pause") abort.abort();
      expect((await outcome).kind).toBe("aborted");
    }
  });
});

it("stops at an abort also where whoever reads it is slower than its pace", async () => {
  const text = `version: 1
agents: [ada]
pace: { first_ms: 0, characters_per_second: 100000000 }
scenes: [{ name: long, agent: ada, when: '', replies: [{ say: "${"word ".repeat(2_000)}" }] }]
`;
  const ada = conversation(text);
  ada.messages.push({ role: "user", content: [{ type: "text", text: "go" }] });
  const abort = new AbortController();
  let seen = 0;
  const onText = (piece: string) => {
    seen += piece.length;
    abort.abort();
  };
  const model = scriptedModel({ file: "demo.yaml", text, pace: "script" });
  expect((await model.attempt(ada.request(), { signal: abort.signal, retryCount: 0, onText })).kind).toBe("aborted");
  expect(seen).toBeLessThan(1_000);
});

describe("a script that cannot continue", () => {
  const fatal = (reason: string) => `fatal: Cannot continue with the script demo.yaml${reason}.`;
  const script = `version: 1
agents: [ada, bo]
scenes:
  - name: calls
    agent: ada
    when: (?<what>\\w+)!
    replies:
      - choose:
          - { when: 'never', say: "No." }
          - { when: '^$', calls: [Nothing: {}] }
  - name: misfits
    agent: ada
    when: misfit
    replies:
      - calls:
          - Read: { file: a }
  - name: ends
    agent: ada
    when: '^end (?<where>\\w+)?'
    replies:
      - choose:
          - { when: 'no (?<n>\\d)', say: a }
          - calls:
            - Read: { path: "{{where}}" }
      - say: "{{n}}"
  - name: stops
    agent: ada
    when: stop
    replies: [{ calls: [Read: { path: a, limit: 3 }] }]
`;

  it("says that no scene matches", async () => {
    expect(await conversation(script).turn("what\n now?")).toBe(
      fatal(
        ': no scene of "ada" runs, and none fits the newest input "what now?"; there are "calls" (line 4), "misfits" (line 11), "ends" (line 17), "stops" (line 26)',
      ),
    );
    expect(await conversation(script, { agent: "bo" }).turn("stop")).toBe(
      fatal(': no scene of "bo" runs, and none fits the newest input "stop"; there are none'),
    );
  });

  it("says whom it plays if the agent is another, or has no name", async () => {
    const cy = conversation(script, { agent: "cy" });
    expect(await cy.turn("stop")).toBe(fatal(': it plays ada, bo; "cy" is not among them'));
    expect(() => scriptedModel({ file: "demo.yaml", text: script, agents: ["ada", "cy"] })).toThrow(
      "demo.yaml: has no agent cy; its agents are ada, bo",
    );
    const nobody = await scriptedModel({ file: "demo.yaml", text: script }).attempt(
      { ...cy.request(), system: [{ type: "text", text: "Be helpful." }] },
      { signal: new AbortController().signal, retryCount: 0, onText: () => {} },
    );
    expect(inShort(nobody)).toBe(fatal(': it plays ada, bo; the system prompt does not begin with "You are NAME,"'));
  });

  it("names the call that does not fit the agent's tools", async () => {
    expect(await conversation(script).turn("go!")).toBe(
      fatal(':10, scene "calls", reply 1: calls Nothing, and the tools of "ada" are Read, Bash, TaskUpdate'),
    );
    expect(await conversation(script).turn("misfit")).toBe(
      fatal(':16, scene "misfits", reply 1: calls Read with an input that it cannot take: input.path is missing'),
    );
  });

  it("names a choice without a match, an unknown capture, and the end", async () => {
    const calls = conversation(script.replace("'^$'", "x"));
    expect(await calls.turn("go!")).toBe(fatal(':8, scene "calls", reply 1: no option fits the tool results ""'));
    const ends = conversation(script);
    expect([await ends.turn("end here"), await ends.turn({ results: "5" })]).toEqual([
      'Read {"path":"here"}',
      fatal(':25, scene "ends", reply 2: {{n}} was not captured: the option that captures it was not played'),
    ]);
    const stops = conversation(script);
    expect([await stops.turn("stop"), await stops.turn("not for a scene")]).toEqual([
      'Read {"path":"a","limit":3}',
      fatal(':26, scene "stops", reply 1: exhausted: it made tool calls, and the scene has no reply to their results'),
    ]);
  });

  it("names a position that a summary has and the script does not", async () => {
    expect(await conversation(script).turn("so far [script stops:2]")).toBe(
      fatal(": it has no place [script stops:2], which the conversation names"),
    );
  });
});

describe("a script file", () => {
  const problemsOf = (text: string) => {
    try {
      scriptedModel({ file: "bad.yaml", text });
    } catch (error) {
      if (error instanceof ScriptError) return error.message.split("\n");
      throw error;
    }
    return [];
  };

  it("is refused with every file, line and place that is wrong", () => {
    const text = `version: 2
agents: [ada]
pace: { first_ms: -1 }
speed: 3
scenes:
  - name: one two
    agent: 7
    when: x
    flag: i
    replies:
      - sai: hello
      - choose: []
      - { say: a, choose: [{ say: b }] }
      - calls:
          - Read: { path: a }
            Bash: { command: b }
          - Read: 3
      - say: a
        fault: { status: 200 }
      - say: a
        fault: { status: 500, cut_after_bytes: 1 }
  - name: two
    replies: []
`;
    expect(problemsOf(text)).toEqual([
      "bad.yaml:1: version: must be 1",
      "bad.yaml:3: pace.first_ms: must be at least 0",
      "bad.yaml:3: pace.characters_per_second: missing",
      "bad.yaml:6: scenes[0].name: a name has letters, digits, _ and - only",
      "bad.yaml:7: scenes[0].agent: a name, a list of names, or any",
      "bad.yaml:11: scenes[0].replies[0].sai: unknown key",
      "bad.yaml:11: scenes[0].replies[0]: a reply has `say`, `calls` or both, or else `choose` alone",
      "bad.yaml:12: scenes[0].replies[1].choose: must not be empty",
      "bad.yaml:13: scenes[0].replies[2]: a reply has `say`, `calls` or both, or else `choose` alone",
      "bad.yaml:15: scenes[0].replies[3].calls[0]: a call is one tool with its input: `- Read: { path: a.js }`",
      "bad.yaml:17: scenes[0].replies[3].calls[1].Read: must be an object",
      "bad.yaml:19: scenes[0].replies[4].fault.status: must be at least 400",
      "bad.yaml:21: scenes[0].replies[5].fault: a fault has either `status` or `cut_after_bytes`",
      "bad.yaml:9: scenes[0].flag: unknown key",
      "bad.yaml:22: scenes[1].agent: missing",
      "bad.yaml:22: scenes[1].when: missing",
      "bad.yaml:23: scenes[1].replies: must not be empty",
      "bad.yaml:4: speed: unknown key",
    ]);
  });

  it("is refused for errors that only its parts together show", () => {
    const text = `version: 1
agents: [ada]
scenes:
  - name: one
    agent: [ada, zed]
    when: '(?<agent>'
    replies:
      - say: "{{who}} \\\\{{fine}}"
      - choose:
          - { say: a }
          - { when: b, flags: gy, say: b }
  - name: one
    agent: any
    when: '(?<place>x)'
    flags: i
    replies:
      - choose:
          - { when: '(?<n>1)', say: "{{n}}" }
          - { flags: i, say: "{{n}}" }
      - { say: "{{n}}", calls: [Read: { paths: ["{{m}}"] }] }
`;
    expect(problemsOf(text)).toEqual([
      'bad.yaml:12: scenes[1].name: "one" is the name of scenes[0] already',
      'bad.yaml:5: scenes[0].agent: "zed" is not among the script\'s agents: ada',
      'bad.yaml:6: scenes[0].when: a capture cannot be called "agent", which has a meaning of its own',
      "bad.yaml:6: scenes[0].when: Invalid regular expression: /(?<agent>/: Unterminated group",
      "bad.yaml:8: scenes[0].replies[0]: {{who}} is captured nowhere before this; it may stand for agent, place",
      "bad.yaml:11: scenes[0].replies[1].choose[1]: never reached: the option before it always fits",
      "bad.yaml:11: scenes[0].replies[1].choose[1].flags: flags are some of i, m, s and u",
      'bad.yaml:14: scenes[1].when: a capture cannot be called "place", which has a meaning of its own',
      "bad.yaml:19: scenes[1].replies[0].choose[1]: {{n}} is captured nowhere before this; it may stand for agent, place",
      "bad.yaml:19: scenes[1].replies[0].choose[1].flags: flags belong to a `when`",
      "bad.yaml:20: scenes[1].replies[1]: {{m}} is captured nowhere before this; it may stand for agent, place, n",
    ]);
  });

  it.each([
    ["", ["bad.yaml:1: a script must be an object"]],
    ["version: 1\nagents: [", ["bad.yaml:2: Flow sequence in block collection must be sufficiently indented and end with a ]"]],
    ["version: 1\nversion: 1\n", ["bad.yaml:2: Map keys must be unique"]],
  ])("that is not YAML or not a map is refused with its line: %j", (text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });
});

describe("the example", () => {
  const hello = readFileSync(`${import.meta.dirname}/../../../../fixtures/scripts/hello.yaml`, "utf8");

  it("plays an agent on its own and a lead", async () => {
    const solo = conversation(hello, { agent: "tool" });
    expect([
      await solo.turn("Please read package.json and tell me."),
      await solo.turn({ results: "\n{\n" }),
      await solo.turn("Thanks"),
    ]).toEqual([
      'I read package.json. | Read {"path":"package.json"}',
      "This came back: {",
      "Hello, I am tool. A script answers here instead of a model. I know this sentence, and I can read a file when `tool` is asked to.",
    ]);
    expect(await conversation(hello, { agent: "lead" }).turn("Hi")).toContain("Hello, I am lead.");
  });

  it("is complete in the description of the format, which itself is a script", () => {
    const readme = readFileSync(`${import.meta.dirname}/../../../../fixtures/README.md`, "utf8");
    const described = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    expect(() => scriptedModel({ file: "README.md", text: described })).not.toThrow();
  });
});

it("the demo's teammates answer the user's input, and not the notice of files that others have made", async () => {
  const text = readFileSync("fixtures/scripts/demo.yaml", "utf8");
  const made = [{ path: "src/table.js", by: "bo" }];
  const [notice] = newFilesMail({ others: "teammates", made: () => made, exists: () => true, told: [] }).take();
  expect(await conversation(text).turn(notice!.text)).toBe("");
  expect(await conversation(text).turn("how far are you?")).toContain("This is a scripted demo");
});

it("the demo's lead says where the team is after a resume, without being asked", async () => {
  const lead = conversation(readFileSync("fixtures/scripts/demo.yaml", "utf8"), { agent: "lead", tools: [tool("TaskList", {}, [])] });
  expect(await lead.turn(resumedInput(["lead: 9 turns, 0 unread", "ada: task-5 in progress again, 14 turns, 2 unread"]))).toBe(
    "The team is back. I look at how far we are. | TaskList {}",
  );
  const left = "task-1 completed, by ada: Read timestamps with their zone\ntask-5 in_progress, with bo: Write the report";
  expect(await lead.turn({ results: left })).toBe(`${left}\n\nEverybody goes on where they were. I report when everything is done.`);
});

it.each([
  [
    "task-1 completed, by ada: Read\ntask-2 in_progress, with bo: Write",
    "The teammates go on meanwhile. I report when everything is done.",
  ],
  [
    "task-1 completed, by ada: Read\ntask-2 open (waits for task-1): Write",
    "The teammates go on meanwhile. I report when everything is done.",
  ],
  ["task-1 completed, by ada: Read\ntask-2 completed, by bo: Write", "All tasks are completed."],
])("the demo's lead answers the user by the list: %j", async (list, answer) => {
  const lead = conversation(readFileSync("fixtures/scripts/demo.yaml", "utf8"), { agent: "lead", tools: [tool("TaskList", {}, [])] });
  await lead.turn("Who are you?");
  expect(await lead.turn({ results: list })).toBe(`${list}\n\n${answer}`);
});
