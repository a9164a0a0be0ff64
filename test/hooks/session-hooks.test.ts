// Hooks during an agent's run, with real programs: typed input, the end of a turn, compaction, questions, the end of the session.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTurns } from "../../src/agent/loop.ts";
import type { Model } from "../../src/agent/ports/model.ts";
import { compact } from "../../src/agent/requests/compaction.ts";
import { clock } from "../../src/edge/clock.ts";
import { type Need, sessionHooks } from "../../src/hooks/session-hooks.ts";
import type { Question } from "../../src/permissions/questions/question.ts";
import type { SettingsHook } from "../../src/settings/scopes.ts";
import { agentOf, anyTool, call, done, modelOf, replied, say, typed } from "../agent/agent-kit.ts";
import { scratchFolder } from "../scratch.ts";
import { hook, runnerOf, says } from "./hook-kit.ts";

const never = new AbortController().signal;

function place(model: Model, written: SettingsHook[]) {
  const cwd = scratchFolder();
  const told: Need[] = [];
  const hooks = sessionHooks(runnerOf(written, cwd), { clock, agent: "ada", tell: async (need) => void told.push(need) });
  const kit = agentOf(model, { hooks: hooks.agent, tools: [anyTool("Look", () => done("seen"))] });
  const file = (name: string) => JSON.parse(readFileSync(join(cwd, name), "utf8"));
  return { ...kit, hooks, told, cwd, file };
}

const inputs = ({ messages }: { messages: { content: unknown }[] }) => JSON.stringify(messages);

describe("UserPromptSubmit", () => {
  it("keeps a typed line from the model, which gets no request", async () => {
    const model = modelOf([replied([say("never")])]);
    const { agent, queue, kept } = place(model, [hook("UserPromptSubmit", "grep -q secret && { echo 'no secrets' >&2; exit 2; }; exit 0")]);
    queue.push(typed("the secret plan"));
    const { ending } = await runTurns(agent, never);
    expect([ending, model.requests, JSON.stringify(kept()).includes("secret plan")]).toEqual([
      { kind: "fault", reason: expect.stringMatching(/^The hook .* blocked what was typed: no secrets$/) },
      [],
      false,
    ]);
  });

  it("continues a turn with other input, and reports the refused line", async () => {
    const model = modelOf([replied([call("1", "Look")]), replied([say("Done.")])]);
    const { agent, queue, events } = place(model, [hook("UserPromptSubmit", "grep -q secret && exit 2; exit 0")]);
    queue.push(typed("look"));
    agent.permit = async () => {
      queue.push(typed("secret"));
      return { allowed: true };
    };
    expect((await runTurns(agent, never)).ending).toEqual({ kind: "done" });
    expect(events.flatMap((event) => (event.type === "notice" ? event.text : []))).toEqual([
      expect.stringContaining("blocked what was typed: it gives no reason"),
    ]);
  });

  it("adds its hook's output after the line", async () => {
    const model = modelOf([replied([say("Hello.")])]);
    const { agent, queue } = place(model, [says("UserPromptSubmit", { additional_context: "It is Monday." })]);
    queue.push(typed("hi"));
    await runTurns(agent, never);
    expect(inputs(model.requests[0]!)).toMatch(/"hi".*adds\]\\nIt is Monday\./);
  });
});

it("SessionStart adds before the first line, once", async () => {
  const model = modelOf([replied([say("1")]), replied([say("2")])]);
  const { agent, queue, hooks, file } = place(model, [
    hook("SessionStart", `cat > seen; printf '{"additional_context": "The build is red."}'`, { matcher: "startup" }),
  ]);
  hooks.start("startup");
  queue.push(typed("one"));
  await runTurns(agent, never);
  queue.push(typed("two"));
  await runTurns(agent, never);
  expect(inputs(model.requests[1]!).match(/adds\]\\nThe build is red/g)).toHaveLength(1);
  expect(inputs(model.requests[0]!)).toMatch(/The build is red.*one/);
  expect(file("seen")).toMatchObject({ hook_event_name: "SessionStart", source: "startup" });
});

describe("Stop", () => {
  it("gives the agent its reason, and is told that it has blocked before", async () => {
    const model = modelOf([replied([say("Done.")]), replied([say("Tested.")])]);
    const { agent, queue, file } = place(model, [
      hook("Stop", "if [ -e first ]; then cat > second; else cat > first; echo 'run the tests' >&2; exit 2; fi"),
    ]);
    queue.push(typed("work"));
    expect(await runTurns(agent, never)).toEqual({ ending: { kind: "done" }, text: "Tested." });
    expect(inputs(model.requests[1]!)).toContain("run the tests");
    expect([file("first"), file("second")]).toMatchObject([
      { stop_hook_active: false, last_message: "Done." },
      { stop_hook_active: true, last_message: "Tested." },
    ]);
  });

  it("cannot keep it running forever", async () => {
    const model = modelOf(Array.from({ length: 9 }, () => replied([say("Done.")])));
    const { agent, queue, events } = place(model, [hook("Stop", "echo more >&2; exit 2")]);
    queue.push(typed("work"));
    expect((await runTurns(agent, never)).ending).toEqual({ kind: "done" });
    expect(model.requests).toHaveLength(6);
    expect(events.flatMap((event) => (event.type === "notice" ? event.text : []))).toEqual([
      expect.stringMatching(/^The agent stops although hooks have kept it from stopping 5 times/),
    ]);
  });
});

it("PreCompact keeps the conversation as it is", async () => {
  const model = modelOf([replied([say("Done.")]), replied([say("A summary.")])]);
  const { agent, queue, file } = place(model, [hook("PreCompact", "cat > seen; echo 'not now' >&2; exit 2", { matcher: "manual" })]);
  queue.push(typed("work"));
  await runTurns(agent, never);
  expect(await compact(agent, { cause: "asked", focus: "the parser", signal: never })).toEqual({
    kind: "failed",
    reason: expect.stringContaining("blocked it: not now"),
  });
  expect([model.requests.length, file("seen")]).toEqual([1, expect.objectContaining({ trigger: "manual", focus: "the parser" })]);
});

describe("a question", () => {
  const question = {
    kind: "permission",
    tool: "Bash",
    parts: [{ text: "git push", where: "", allowed: false }],
    reason: "No rule allows it",
  };
  const put = async (written: SettingsHook[]) => {
    const there = place(modelOf([]), written);
    let asked = 0;
    const ask = there.hooks.ask(async () => {
      asked++;
      return { kind: "once" };
    });
    const answer = await ask(question as unknown as Question, never);
    return { ...there, answer, asked };
  };

  it("is denied by a hook that blocks, and never approved by one", async () => {
    const blocked = await put([hook("PermissionRequest", "cat > seen; echo 'never push' >&2; exit 2", { matcher: "Bash" })]);
    expect([blocked.answer, blocked.asked, blocked.file("seen")]).toEqual([
      { kind: "no", reason: expect.stringContaining("blocked it: never push") },
      0,
      expect.objectContaining({ tool_name: "Bash", parts: ["git push"], reason: "No rule allows it" }),
    ]);
    const allowing = await put([says("PermissionRequest", { decision: "allow" })]);
    expect([allowing.answer, allowing.asked]).toEqual([{ kind: "once" }, 1]);
  });

  it("sends a notification, which the session's end waits for", async () => {
    const { hooks, told, file } = await put([hook("Notification", "cat > seen", { matcher: "permission_request" })]);
    await hooks.end("exit");
    expect(file("seen")).toMatchObject({ notification_type: "permission_request", message: "A question waits: Bash" });
    expect(told).toEqual([{ kind: "question", text: "ada needs your permission: Bash" }]);
  });
});

it("SessionEnd is waited for", async () => {
  const { hooks, cwd } = place(modelOf([]), [hook("SessionEnd", ": > ended", { matcher: "exit" }), hook("SessionEnd", "exit 2")]);
  await hooks.end("exit");
  expect(existsSync(join(cwd, "ended"))).toBe(true);
});

it("TeammateIdle gives the reason as input, five times in a row at most", async () => {
  const { hooks } = place(modelOf([]), [hook("TeammateIdle", "echo 'look again' >&2; exit 2")]);
  const wanted = [];
  for (let time = 1; time <= 6; time++) wanted.push((await hooks.beforeIdle())?.text.includes("look again"));
  expect(wanted).toEqual([true, true, true, true, true, undefined]);
});
