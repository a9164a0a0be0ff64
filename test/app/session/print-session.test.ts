// `tool --print` in memory: what goes to which stream, in each format, and with which exit code.
import { describe, expect, it } from "vitest";
import type { SessionFlags } from "../../../src/app/agent-flags.ts";
import { runPrint } from "../../../src/app/session/print-session.ts";
import { startSession } from "../../../src/app/session/start-session.ts";
import { anyTool, call, done, modelOf, replied, say } from "../../agent/agent-kit.ts";
import { eventually } from "../../scratch.ts";
import { type MemoryWorkSetup, memoryWork } from "../memory-workspace.ts";
import { type MemoryWorldSetup, memoryWorld, refusalOf } from "../memory-world.ts";

type Setup = MemoryWorldSetup & { outcomes?: Parameters<typeof modelOf>[0]; workspace?: MemoryWorkSetup };

function place({ outcomes = [], workspace, edges, ...setup }: Setup = {}) {
  const work = memoryWork(workspace);
  const model = modelOf(outcomes);
  const memory = memoryWorld({ ...setup, edges: { model: async () => model, work: work.open, ...edges } });
  const print = (prompt: string | undefined, flags: Partial<SessionFlags> = {}) =>
    runPrint(memory.world, { prompt, flags: { outputFormat: "text", allow: [], deny: [], ...flags } });
  return { ...memory, work, model, print };
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("runPrint()", () => {
  it("prints the reply alone, and releases everything", async () => {
    const { print, out, err, lock, listening } = place({ outcomes: [replied([say("It is a logger.\n\n")])] });
    expect(await print("What is it?")).toBe(0);
    expect([out(), err(), lock.held.size, listening()]).toEqual(["It is a logger.\n", "", 0, 0]);
  });

  it("sends what is piped in redacted, below the prompt", async () => {
    const { print, model } = place({ stdin: "key=s3cret\n", outcomes: [replied([say("A key.")])] });
    await print("What is this?");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("What is this?\\n\\nkey=[redacted]");
  });

  it("needs a prompt", async () => {
    const { print, lock } = place({ stdin: "  \n" });
    expect(await refusalOf(print(" "))).toMatch(/^nothing to do: give a prompt/);
    expect(lock.held.size).toBe(0);
  });

  it("prints one object with --output-format json, and nothing else", async () => {
    const { print, out } = place({ outcomes: [replied([say("Yes.")])] });
    await print("Is it?", { outputFormat: "json" });
    expect(lines(out())).toEqual([expect.objectContaining({ type: "result", ending: "done", result: "Yes.", exit_code: 0, turns: 1 })]);
  });

  it("prints every event of the session and of its agents as a line with stream-json, the result last", async () => {
    const outcomes = [
      replied([call("c1", "Agent", { description: "look", prompt: "Look" })]),
      replied([say("Three.")]),
      replied([say("It has three.")]),
    ];
    const { print, out } = place({ outcomes });
    await print("How many?", { outputFormat: "stream-json" });
    const all = lines(out());
    expect([all[0].type, all.at(-1).type]).toEqual(["session", "result"]);
    expect(all.filter(({ type, agent_id }) => type === "reply" && agent_id !== undefined)).toHaveLength(1);
    expect(all.filter(({ type, agent_id }) => type === "reply" && agent_id === undefined)).toHaveLength(2);
    expect(all.find(({ type }) => type === "agent_ended")).toMatchObject({ state: "completed" });
  });

  it("ends with 3 if something was denied, and says what", async () => {
    const { print, err } = place({
      outcomes: [replied([call("c1", "Write")]), replied([say("I could not.")])],
      workspace: {
        tools: [anyTool("Write", () => done(""))],
        permit: async () => ({ allowed: false, reason: "No rule allows it.", rules: [] }) as never,
      },
    });
    expect(await print("Write it")).toBe(3);
    expect(err()).toContain("tool: denied Write");
  });

  it("ends with 4 at its limit of turns, and says how to continue", async () => {
    const echo = anyTool("Echo", () => done("echoed"));
    const { print, err } = place({
      outcomes: [replied([call("c1", "Echo")]), replied([call("c2", "Echo")])],
      workspace: { tools: [echo] },
    });
    expect(await print("Echo", { maxTurns: 1 })).toBe(4);
    expect(err()).toMatch(/^Resume this session: tool --resume \S+\n$/m);
  });

  it("ends with 1 if the model cannot answer", async () => {
    const { print, err } = place({ outcomes: [{ kind: "fault", fault: { verdict: "fatal", reason: "The key is refused." } }] });
    expect(await print("Hello")).toBe(1);
    expect(err()).toContain("tool: the key is refused.");
  });

  it("is interrupted by a signal, and ends with 130", async () => {
    const here = place({
      outcomes: [replied([call("c1", "Wait")]), replied([say("Never said.")])],
      workspace: { tools: [anyTool("Wait", () => done(String(here.signal("SIGINT"))))] },
    });
    expect(await here.print("Wait")).toBe(130);
    expect([here.out(), here.lock.held.size, here.listening()]).toEqual(["", 0, 0]);
  });

  it("says that commands run unconfined, once", async () => {
    const { print, err } = place({
      outcomes: [replied([say("Yes.")])],
      edges: { sandboxTrial: async () => ({ kind: "missing", why: "bwrap was not found on PATH" }) },
    });
    await print("Is it?");
    await eventually(() => err().includes("sandbox")); // printed during the first request
    expect(err().match(/^tool: .*without a sandbox/gm)).toHaveLength(1);
  });

  it.each(["/nosuch", "/nosuch with words", "/git:commit", "/help"])(
    "does not send %j to the model, because no skill has that name",
    async (line) => {
      const { print, model } = place({ outcomes: [replied([say("Hm.")])] });
      const name = line.slice(1).split(" ")[0];
      expect(await refusalOf(print(line))).toContain(`Cannot use the skill "${name}": there is none.`);
      expect(model.requests).toEqual([]);
    },
  );

  it.each(["/etc/hosts is empty, why?", "/usr: what is in it?", "/ is the root", " /nosuch", "//comment"])(
    "sends %j to the model",
    async (line) => {
      const { print, model } = place({ outcomes: [replied([say("Well.")])] });
      expect([await print(line), model.requests.length]).toEqual([0, 1]);
    },
  );

  it("continues the newest session of the folder", async () => {
    const { print, model } = place({ outcomes: [replied([say("One.")]), replied([say("Two.")])] });
    await print("First");
    await print("Second", { continue: true });
    expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/First.*One\..*Second/);
  });

  it("lists a failure that an agent recorded", async () => {
    const { print, err } = place({
      outcomes: [replied([call("c1", "RecordFailure", { item: "src/a.ts", error: "has s3cret in it" })]), replied([say("Recorded.")])],
    });
    await print("Do it");
    expect(err()).toMatch(/src\/a\.ts/);
    expect(err()).not.toContain("s3cret");
  });
});

describe("startSession()", () => {
  const refusal = (flags: Partial<SessionFlags>) =>
    refusalOf(startSession(place().world, { prompt: "x", flags: { outputFormat: "text", allow: [], deny: [], ...flags } }));

  it.each([
    [{ schema: true }, "--schema needs --print. Add it, or leave --schema out."],
    [{ outputFormat: "json" }, "--output-format needs --print. Add it, or leave --output-format out."],
    [{ outputFormat: "json", json: true }, "--json needs --print. Add it, or leave --json out."],
    [{}, 'there is no terminal for a session here. Without one: tool --print "what to do"'],
    [{ print: true, resume: true }, "--resume needs a session's id here. To list them: tool --resume, in a terminal."],
  ] as const)("refuses %j before anything is opened", async (flags, expected) => {
    expect(await refusal(flags)).toBe(expected);
  });

  it("prints the schema of the stream", async () => {
    const { world, out } = place();
    expect(
      await startSession(world, { prompt: undefined, flags: { print: true, schema: true, outputFormat: "text", allow: [], deny: [] } }),
    ).toBe(0);
    expect(JSON.parse(out())).toMatchObject({ title: "A line of tool --print --output-format stream-json" });
  });
});
