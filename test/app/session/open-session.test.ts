// The composition of a solo session: its options, who may open it, and what closing it releases.
import { describe, expect, it } from "vitest";
import { runTurns } from "../../../src/agent/loop.ts";
import { settingsFlags } from "../../../src/app/agent-flags.ts";
import {
  namedSession,
  offeredSessions,
  openSolo,
  type SoloOrder,
  sessionsHere,
  sessionToResume,
} from "../../../src/app/session/open-session.ts";
import { openSettings } from "../../../src/app/settings/open-settings.ts";
import { anyTool, call, done, modelOf, replied, say, typed } from "../../agent/agent-kit.ts";
import { type MemoryWorkSetup, memoryWork } from "../memory-workspace.ts";
import { type MemoryWorldSetup, memoryWorld, refusalOf } from "../memory-world.ts";

type Setup = MemoryWorldSetup & { outcomes?: Parameters<typeof modelOf>[0]; workspace?: MemoryWorkSetup };

function place({ outcomes = [], workspace, edges, ...setup }: Setup = {}) {
  const work = memoryWork(workspace);
  const model = modelOf(outcomes);
  const memory = memoryWorld({ ...setup, edges: { model: async () => model, work: work.open, ...edges } });
  const open = async ({ flags = {}, ...order }: Partial<Omit<SoloOrder, "flags">> & { flags?: Partial<SoloOrder["flags"]> } = {}) => {
    const given = { allow: [], deny: [], ...flags };
    const settings = await openSettings(memory.world, settingsFlags(given));
    return openSolo(memory.world, { settings, id: undefined, ask: undefined, attended: false, ...order, flags: given });
  };
  return { ...memory, work, model, open };
}

const transcripts = (names: string[]) => names.filter((name) => name.endsWith(".jsonl") && !name.endsWith("/sent.jsonl"));

describe("openSolo()", () => {
  it("answers with the tools of its workspace, keeps everything in its transcript, and releases the session at its end", async () => {
    const echo = anyTool("Echo", () => done("echoed"));
    const outcomes = [replied([call("c1", "Echo")]), replied([say("Finished.")])];
    const { open, work, model, disk, lock } = place({ outcomes, workspace: { tools: [echo] } });
    const solo = await open({ id: "s1" });
    solo.session.say(typed("Do it"));
    const end = await runTurns(solo.session.agent, new AbortController().signal);
    expect([end.ending, end.text]).toEqual([{ kind: "done" }, "Finished."]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["Echo", "Agent", "CheckAgent", "RecordFailure"]);
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/You are in \/repo.*Do it/);
    expect(solo.events().at(-1)).toMatchObject({ type: "ended", text: "Finished." });
    expect([...lock.held.keys()]).toEqual([expect.stringMatching(/\/projects\/.*\/s1\/claim$/)]);
    await solo.close("exit");
    expect([[...lock.held.keys()], work.ended]).toEqual([[], ["s1:tool"]]);
    expect(transcripts(disk.names())).toHaveLength(1);
  });

  it("is refused while another process has the session, and opens once that has ended", async () => {
    const { open, lock } = place();
    const first = await open({ id: "s1" });
    expect(await refusalOf(open({ id: "s1" }))).toBe("session s1 is open already, in process 42. End it there, or start another one.");
    await first.close("exit");
    expect(lock.held.size).toBe(0);
    await (await open({ id: "s1" })).close("exit");
  });

  it("opens nothing if no model answers, and names the script that answered before", async () => {
    const scripted = {
      type: "session",
      session: "s1",
      agent: "tool",
      cwd: "/repo",
      model: "scripted",
      version: "1",
      at: "2026-01-01T00:00:00.000Z",
    };
    const { open, work, lock, world } = place({ edges: { modelProblem: async () => "There is no key." } });
    expect(await refusalOf(open())).toBe("There is no key. Nothing was started.");
    expect(await refusalOf(place({ edges: { modelProblem: async () => "s.yaml:1: one\ns.yaml:2: two." } }).open())).toBe(
      "s.yaml:1: one\ns.yaml:2: two.\nNothing was started.",
    );
    const first = place({ outcomes: [replied([say("Yes.")])] });
    const solo = await first.open({ id: "s1" });
    solo.session.say(typed("Hello"));
    await runTurns(solo.session.agent, new AbortController().signal);
    const [path = ""] = transcripts(first.disk.names());
    const again = place({ files: { [path]: `${JSON.stringify(scripted)}\n` }, edges: { modelProblem: async () => "There is no key." } });
    expect(await refusalOf(again.open({ id: "s1" }))).toBe(
      "There is no key. Nothing was started. The session that you continue was answered by a script; to continue with one: tool --continue --script <file>",
    );
    expect([work.requests, lock.held.size, world.cwd]).toEqual([[], 0, "/repo"]);
  });

  it("refuses a budget that cannot be kept, because the model has no known price", async () => {
    const { open } = place();
    expect(await refusalOf(open({ flags: { model: "someones-model", budgetUsd: 1 } }))).toMatch(
      /^cannot keep a budget of \$1: the price of the model "someones-model" is not known\./,
    );
  });

  it("passes what kind of session it is to its workspace", async () => {
    const { open, work } = place();
    await open({ id: "s1", readOnly: true, repositoryFixed: true, sandboxFound: { kind: "missing", why: "no bwrap" } });
    await open({ id: "s2" });
    expect(
      work.requests.map(({ owner, readOnly, repositoryFixed, sandboxFound }) => ({ owner, readOnly, repositoryFixed, sandboxFound })),
    ).toEqual([
      { owner: "s1:tool", readOnly: true, repositoryFixed: true, sandboxFound: { kind: "missing", why: "no bwrap" } },
      { owner: "s2:tool", readOnly: false, repositoryFixed: false, sandboxFound: undefined },
    ]);
  });

  it("works by the definition that is named: its prompt, its model and only its tools", async () => {
    const tools = ["Read", "Write", "Bash"].map((name) => anyTool(name, () => done("")));
    const { open, model } = place({ outcomes: [replied([say("Looked.")])], workspace: { tools } });
    const solo = await open({ as: "reviewer" });
    solo.session.say(typed("Look"));
    await runTurns(solo.session.agent, new AbortController().signal);
    const names = model.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect([names.includes("Read"), names.includes("Write")]).toEqual([true, false]);
    expect(model.requests[0]?.system.map(({ text }) => text).join("")).not.toContain("s3cret");
    expect(await refusalOf(open({ as: "reviewr" }))).toContain('there is no agent "reviewr". Did you mean "reviewer"?');
  });

  it("continues with the conversation and the definition that it had", async () => {
    const { open, model } = place({ outcomes: [replied([say("One.")]), replied([say("Two.")])] });
    const first = await open({ id: "s1", as: "reviewer" });
    first.session.say(typed("First"));
    await runTurns(first.session.agent, new AbortController().signal);
    await first.close("exit");
    const second = await open({ id: "s1" });
    second.session.say(typed("Second"));
    await runTurns(second.session.agent, new AbortController().signal);
    expect(second.past.length).toBeGreaterThan(2);
    expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/First.*One\..*Second/);
    expect(model.requests[1]?.system).toEqual(model.requests[0]?.system);
  });

  it("counts spending outside the session towards its budget", async () => {
    const { open, model } = place({ outcomes: [replied([say("One.")])] });
    const solo = await open({ flags: { budgetUsd: 1, model: "haiku" }, alsoSpentUsd: () => 2 });
    solo.session.say(typed("First"));
    const { ending } = await runTurns(solo.session.agent, new AbortController().signal);
    expect([ending.kind, model.requests.length]).toEqual(["budget", 0]);
  });

  it("starts an agent on the same model, narrowed, and gives its report to the call", async () => {
    const outcomes = [
      replied([call("c1", "Agent", { description: "look at it", prompt: "Look at a.txt" })]),
      replied([say("It has three lines.")]),
      replied([say("Three lines.")]),
    ];
    const { open, model, work, disk } = place({ outcomes, workspace: { tools: [anyTool("Read", () => done(""))] } });
    const solo = await open({ id: "s1" });
    solo.agents.attach(solo.session, () => {});
    solo.session.say(typed("How many lines?"));
    const end = await runTurns(solo.session.agent, new AbortController().signal);
    expect(end.text).toBe("Three lines.");
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("Look at a.txt");
    expect(JSON.stringify(model.requests[2]?.messages)).toContain("It has three lines.");
    const [record] = solo.agents.host.list();
    expect(record).toMatchObject({ state: "completed", report: "It has three lines." });
    expect(work.requests.map(({ owner }) => owner)).toEqual(["s1:tool", `s1:tool/${record?.id}`]);
    expect(work.requests[1]?.child).toBeDefined();
    expect(transcripts(disk.names())).toHaveLength(2);
    await solo.close("exit");
    expect(work.ended).toContain("s1:tool");
  });
});

describe("the session to resume", () => {
  const summary = (id: string) => ({ id });

  it("is named by the beginning of its id, if that is one session", () => {
    const sessions = ["abc1", "abd2"].map(summary);
    expect(namedSession(sessions, "abd", "tool --resume")).toBe("abd2");
    expect(() => namedSession(sessions, "ab", "tool --resume")).toThrow(
      'cannot resume "ab": 2 sessions of this folder start with it. To list them: tool --resume',
    );
    expect(() => namedSession(sessions, "x", "/resume")).toThrow(
      'cannot resume "x": no session of this folder has it. To list them: /resume',
    );
  });

  it("is the newest one of this folder, or none", async () => {
    const { world, open } = place({ outcomes: [replied([say("One.")])] });
    expect(await sessionToResume(world, {})).toBeUndefined();
    expect(await refusalOf(sessionToResume(world, { continue: true }))).toBe("there is no session to resume in /repo. Start one: tool");
    const solo = await open({ id: "s1" });
    solo.session.say(typed("Hello"));
    await runTurns(solo.session.agent, new AbortController().signal);
    await solo.close("exit");
    expect((await sessionsHere(world)).map(({ id, prompt }) => [id, prompt])).toEqual([["s1", "Hello"]]);
    expect(await sessionToResume(world, { continue: true })).toBe("s1");
    expect(await sessionToResume(world, { resume: "s" })).toBe("s1");
  });

  it("is offered if something was answered in it, and while no process has it open", async () => {
    const { world, open } = place({ outcomes: [replied([say("One.")])] });
    await (await open({ id: "s0" })).close("exit");
    const solo = await open({ id: "s1" });
    solo.session.say(typed("Hello"));
    await runTurns(solo.session.agent, new AbortController().signal);
    expect(await offeredSessions(world)).toEqual([]);
    await solo.close("exit");
    expect((await offeredSessions(world)).map(({ id }) => id)).toEqual(["s1"]);
  });
});
