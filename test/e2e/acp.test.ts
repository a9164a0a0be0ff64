// `tool acp` as an editor sees it: the built program over a pipe, against the Messages API on loopback.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { connect, type EditorOptions, type Message, option, text as said, startEditor } from "../editor.ts";
import { streamed, text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually } from "../scratch.ts";
import { processesOf, teamPlace, tool } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");

async function place(parts: Part, { asked = false } = {}) {
  const api = await provider({ tool: parts });
  const there = teamPlace({ asked });
  const start = (options: EditorOptions = {}) => startEditor(there, { ...options, env: { ...api.env, ...options.env } });
  const open = async (options: EditorOptions = {}, more = {}) => {
    const editor = await start(options);
    const { result } = await editor.request("session/new", { cwd: there.repository, mcpServers: [], ...more });
    const id: string = result.sessionId;
    const prompt = (blocks: unknown) => editor.request("session/prompt", { sessionId: id, prompt: blocks });
    return { editor, id, prompt, modes: result.modes };
  };
  return { api, there, start, open, requests: () => api.requests("tool") };
}

const kindsOf = (messages: Message[]) =>
  messages.flatMap(({ method, params }) => (method === "session/update" ? params.update.sessionUpdate : method ? method : []));

describe("tool acp", () => {
  it("streams text and thought, and shows a change with its diff and place after asking for it", async () => {
    const thought = { type: "thinking" as const, thinking: "Which line?\nThe second.", signature: "s" };
    const edit = call("Edit", { path: "a.txt", old_string: "two", new_string: "zwei" });
    const { there, open } = await place([
      [call("Read", { path: "a.txt", offset: 2 })],
      streamed([thought, text("Now the edit."), edit]),
      text("Done."),
    ]);
    const file = there.write("repo/a.txt", "one\ntwo\nthree\n");
    const { editor, id, prompt } = await open();
    expect((await prompt(said("Translate a.txt"))).result).toEqual({ stopReason: "end_turn" });

    expect(readFileSync(file, "utf8")).toBe("one\nzwei\nthree\n");
    expect(editor.said(id)).toContain("Now the edit.Done.");
    expect(
      editor
        .updates("agent_thought_chunk")
        .map(({ content }) => content.text)
        .join(""),
    ).toBe("Which line?\nThe second.");
    expect(editor.updates("session_info_update")).toEqual([{ sessionUpdate: "session_info_update", title: "Translate a.txt" }]);
    expect(editor.updates("usage_update").length).toBe(3);
    const [read, write] = editor.updates("tool_call");
    expect(read).toMatchObject({
      title: "Read a.txt",
      kind: "read",
      locations: [{ path: file, line: 2 }],
      rawInput: { path: "a.txt", offset: 2 },
    });
    expect(write).toMatchObject({
      toolCallId: edit.type === "tool_use" && edit.id,
      title: "Edit a.txt",
      kind: "edit",
      status: "in_progress",
    });
    const [question] = editor.messages.filter(({ method }) => method === "session/request_permission");
    expect(question?.["params"]).toMatchObject({ sessionId: id, toolCall: { toolCallId: write?.["toolCallId"], status: "pending" } });
    const diff = { type: "diff", path: file, oldText: "one\ntwo\nthree\n", newText: "one\nzwei\nthree\n" };
    expect(question?.["params"].toolCall.content[0]).toEqual(diff);
    expect(question?.["params"].options).toEqual([
      { optionId: "0", name: "once", kind: "allow_once" },
      { optionId: "1", name: "this session: every edit of a.txt", kind: "allow_always" },
      { optionId: "2", name: "this session: every edit inside this folder", kind: "allow_always" },
      {
        optionId: "3",
        name: "always: Edit(./a.txt) (every edit of a.txt) (this is written to .tool/settings.local.json)",
        kind: "allow_always",
      },
      {
        optionId: "4",
        name: "always: Edit (every edit inside this folder) (this is written to .tool/settings.local.json)",
        kind: "allow_always",
      },
      { optionId: "5", name: "no", kind: "reject_once" },
    ]);
    expect(editor.updates("tool_call_update").at(-1)).toMatchObject({
      status: "completed",
      content: [diff],
      locations: [{ path: file, line: 2 }],
    });
    editor.leave();
    expect(await editor.ended).toEqual({ code: 0, signal: null });
  });

  it("keeps what is taken for the session or always, and does nothing after a no or what is none of the options", async () => {
    const write = (path: string) => call("Write", { path, content: "x\n" });
    const { there, open } = await place(
      [
        write("a"),
        write("b"),
        text("One."),
        write("sub/c"),
        text("Two."),
        call("Bash", { command: "node make.js" }),
        text("Three."),
        write(".envrc"),
        text("Four."),
      ],
      { asked: true },
    );
    const unnamed = { outcome: { outcome: "selected", optionId: "" } };
    let words = "this session: every edit inside";
    there.write("repo/make.js", 'require("node:fs").writeFileSync("d", "")');
    const { editor, prompt } = await open({ answer: (request) => (words === "" ? unnamed : option(words)(request)) });
    await prompt(said("Write a and b"));
    await prompt(said("Write c"));
    const questions = () => editor.messages.filter(({ method }) => method === "session/request_permission").length;
    expect(["a", "b", "sub/c"].map((name) => existsSync(join(there.repository, name)))).toEqual([true, true, true]);
    expect(questions()).toBe(1);
    words = "no";
    await prompt(said("Make d"));
    expect([questions(), existsSync(join(there.repository, "d"))]).toEqual([2, false]);
    expect(editor.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    words = "";
    await prompt(said("Make .envrc"));
    expect([questions(), existsSync(join(there.repository, ".envrc"))]).toEqual([3, false]);
  });

  it("shows what a command prints while it runs, without its secrets", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const command = `echo first; cat key.txt; while [ ! -e go ]; do sleep 0.05; done; echo last`;
    const { there, open } = await place([call("Bash", { command }), text("It ran.")], { asked: noSandbox });
    there.write("repo/key.txt", `token = "${secret}"\n`);
    const { editor, prompt } = await open();
    const prompted = prompt(said("Run it"));
    await eventually(() => editor.updates("tool_call_update").some(({ content }) => JSON.stringify(content ?? "").includes("first")));
    there.write("repo/go", "");
    await prompted;
    expect(editor.updates("tool_call_update").at(-1)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(editor.updates("tool_call_update").at(-1))).toContain("last");
    expect(JSON.stringify(editor.messages)).not.toContain(secret);
  });

  it("cancels a running command and an open question, and goes on afterwards", async () => {
    const { open, requests } = await place(
      [call("Bash", { command: "sleep 100" }), call("Write", { path: "a", content: "x" }), text("Here again.")],
      { asked: noSandbox },
    );
    const { editor, id, prompt } = await open({
      answer: ({ params }) => (params.toolCall.kind === "edit" ? undefined : option()({ params })),
    });
    const sleeping = prompt(said("Sleep"));
    await eventually(() => editor.updates("tool_call").some(({ title }) => title === "sleep 100"));
    const second = await prompt(said("Another one"));
    expect(second["error"]).toMatchObject({ code: -32_600 });
    editor.notify("session/cancel", { sessionId: id });
    expect((await sleeping)["result"]).toEqual({ stopReason: "cancelled" });

    const asking = prompt(said("Write"));
    const question = await eventually(() =>
      editor.messages.find(({ method, params }) => method === "session/request_permission" && params.toolCall.kind === "edit"),
    );
    editor.notify("session/cancel", { sessionId: id });
    expect((await asking)["result"]).toEqual({ stopReason: "cancelled" });
    expect(editor.messages).toContainEqual({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: question["id"] } });
    expect((await prompt(said("Go on")))["result"]).toEqual({ stopReason: "end_turn" });
    expect(editor.said()).toContain("Here again.");
    expect(requests()).toHaveLength(3);
  });

  it("has modes and plans: a plan that is approved changes the mode", async () => {
    const todos = [
      { content: "Parse", status: "in_progress" },
      { content: "Print", status: "pending" },
    ];
    const { open } = await place([call("SubmitPlan", { plan: "# Two steps" }), call("TodoWrite", { todos }), text("Begun.")]);
    const { editor, id, prompt, modes } = await open({ answer: option("edits are allowed"), args: ["--permission-mode", "plan"] });
    expect([modes.currentModeId, modes.availableModes.map((mode: Message) => mode["id"])]).toEqual([
      "plan",
      ["default", "acceptEdits", "plan"],
    ]);
    await prompt(said("Plan it"));
    const [question] = editor.messages.filter(({ method }) => method === "session/request_permission");
    expect(question?.["params"].toolCall).toMatchObject({ kind: "switch_mode", content: [{ content: { text: "# Two steps" } }] });
    expect(editor.updates("current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual(["acceptEdits"]);
    expect(editor.updates("plan")).toEqual([
      {
        sessionUpdate: "plan",
        entries: [
          { content: "Parse", status: "in_progress", priority: "medium" },
          { content: "Print", status: "pending", priority: "medium" },
        ],
      },
    ]);
    const setMode = (modeId: string) => editor.request("session/set_mode", { sessionId: id, modeId });
    expect((await setMode("default"))["result"]).toEqual({});
    expect((await setMode("bypassPermissions"))["error"]).toMatchObject({ code: -32_602 });
    const setOption = (configId: string, value: string) => editor.request("session/set_config_option", { sessionId: id, configId, value });
    const { result } = await setOption("model", "claude-haiku-5-5");
    const current = result.configOptions.map((one: Message) => [one["id"], one["currentValue"]]);
    expect(Object.fromEntries(current)).toEqual({ mode: "default", model: "claude-haiku-5-5", effort: "default" });
    expect((await setOption("model", "gpt"))["error"]).toMatchObject({ code: -32_602 });
    await prompt(said("/effort high"));
    expect(editor.updates("config_option_update").at(-1)?.["configOptions"][2]).toMatchObject({ id: "effort", currentValue: "high" });
  });

  it("shows what an agent does in the call that started it, and names it in its question", async () => {
    const api = await provider({
      tool: [call("Agent", { description: "look", prompt: "Look.", name: "eve" }), text("She has.")],
      eve: [call("Write", { path: "made", content: "x" }), text("Made.")],
    });
    const there = teamPlace();
    const editor = await startEditor(there, { env: api.env });
    const { result } = await editor.request("session/new", { cwd: there.repository, mcpServers: [] });
    await editor.request("session/prompt", { sessionId: result.sessionId, prompt: said("Let her look") });
    const [question] = editor.messages.filter(({ method }) => method === "session/request_permission");
    expect(question?.["params"].toolCall).toMatchObject({ title: "eve: Write made", kind: "edit" });
    expect(editor.updates("tool_call").map(({ title }) => title)).toEqual(["Agent general: look", "eve: Write made"]);
    expect(existsSync(join(there.repository, "made"))).toBe(true);
  });

  it("asks the agent's own questions as a choice, and as a form where the editor has forms", async () => {
    const ask = call("AskUser", { question: "Which colour?", options: ["red", "blue"] });
    const { open, requests } = await place([ask, text("So be it."), ask, text("As you wish.")]);
    const { prompt } = await open({ answer: option("blue") });
    await prompt(said("Ask"));
    expect(newest(requests()[1])).toContain("The person chose: blue");
    const answer = ({ method }: Message) => method === "elicitation/create" && { action: "accept", content: { other: "green" } };
    const formed = await open({ answer, capabilities: { elicitation: { form: {} } } });
    await formed.prompt(said("Ask"));
    expect(newest(requests()[3])).toContain("wrote: green");
  });

  it("sends along files by name and lines, texts without a file redacted, and images", async () => {
    const { there, open, requests } = await place([text("Seen."), text("Nothing there.")]);
    const path = there.write("repo/long name.txt", "one\ntwo\nthree\n");
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const { editor, id, prompt } = await open();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const blocks = [
      ...said("Look at"),
      { type: "resource_link", name: "long", uri: `file://${encodeURI(path)}#L2:3` },
      { type: "resource", resource: { uri: "untitled:1", text: `pasted ${secret}` } },
      { type: "image", data: png, mimeType: "image/png" },
    ];
    expect((await prompt(blocks))["result"]).toEqual({ stopReason: "end_turn" });
    const sent = newest(requests()[0]);
    expect(sent).toContain('Look at @\\"long name.txt#L2-L3\\" untitled:1');
    expect(sent).toContain("2\\ttwo\\n3\\tthree");
    expect(sent).not.toContain("1\\tone");
    expect(sent).toContain("untitled:1, attached by the person:\\npasted ");
    expect(sent).not.toContain(secret);
    expect(sent).toContain('"media_type":"image/png"');
    await prompt([...said("Look at"), { type: "resource_link", name: "gone", uri: `file://${there.repository}/gone.txt` }]);
    expect(editor.said(id)).toContain("gone.txt: there is no such file");
    expect((await prompt([{ type: "image", data: "aGk=", mimeType: "image/png" }]))["error"]).toMatchObject({ code: -32_602 });
    expect((await prompt([]))["error"]).toEqual({ code: -32_602, message: "The prompt is empty." });
  });

  it("reads what is typed in the editor and not saved, and changes it there", async () => {
    const edit = call("Edit", { path: "a.txt", old_string: "typed", new_string: "changed" });
    const { there, open, requests } = await place([
      [call("Read", { path: "a.txt" }), call("Read", { path: "other.txt" })],
      [edit],
      text("Done."),
      text("Seen."),
    ]);
    const file = there.write("repo/a.txt", "one\n");
    there.write("repo/other.txt", "other\n");
    const typed = new Map([[file, "one\ntyped\n"]]);
    const answer = (request: Message) => {
      const { path, content } = request["params"];
      if (request["method"] === "fs/read_text_file") return typed.has(path) ? { content: typed.get(path) } : { content: "other\n" };
      if (request["method"] !== "fs/write_text_file") return option()(request);
      typed.set(path, content);
      writeFileSync(path, content);
      return {};
    };
    const { editor, id, prompt } = await open({ answer, capabilities: { fs: { readTextFile: true, writeTextFile: true } } });
    expect((await prompt(said("Change it"))).result).toEqual({ stopReason: "end_turn" });
    expect(toolResults(requests()[1])).toEqual([expect.stringContaining("typed"), expect.stringContaining("other")]);
    expect([typed.get(file), readFileSync(file, "utf8")]).toEqual(["one\nchanged\n", "one\nchanged\n"]);
    const written = editor.messages.filter(({ method }) => method === "fs/write_text_file").map(({ params }) => params);
    expect(written).toEqual([{ sessionId: id, path: file, content: "one\nchanged\n" }]);
    typed.set(file, "one\nchanged\nagain\n");
    await prompt([{ type: "resource_link", name: "a.txt", uri: `file://${file}` }]);
    expect(newest(requests().at(-1))).toContain("again");
  });

  it("runs commands and skills, and says what is none", async () => {
    const { there, open, requests } = await place([text("Polished.")]);
    there.write("config/skills/polish/SKILL.md", "---\nname: polish\ndescription: Polishes.\n---\nPolish $ARGUMENTS well.\n");
    const { editor, id, prompt } = await open();
    const { availableCommands } = await eventually(() => editor.updates("available_commands_update", id)[0]);
    expect(availableCommands).toContainEqual({ name: "polish", description: "Polishes." });
    expect(availableCommands).toContainEqual(expect.objectContaining({ name: "compact", input: { hint: "[focus]" } }));
    await prompt(said("/polish the table"));
    expect(newest(requests()[0])).toContain("Polish the table well.");
    await prompt(said("/cost"));
    expect(editor.said(id)).toContain("1 turn");
    await prompt(said("/costs"));
    expect(editor.said(id)).toContain("There is no command /costs. Did you mean /cost?");
    expect(requests()).toHaveLength(1);
  });

  it("lists sessions, loads one with its whole transcript, and goes on with it", async () => {
    const { there, start, open, requests } = await place([
      [text("I look."), call("Read", { path: "a.txt" })],
      text("It has a line."),
      text("Still one."),
    ]);
    there.write("repo/a.txt", "one\n");
    const first = await open();
    await first.prompt(said("Read a.txt"));
    const busy = await (await start()).request("session/load", { sessionId: first.id, cwd: there.repository, mcpServers: [] });
    expect(busy["error"]).toMatchObject({ code: -32_600, message: expect.stringContaining("is open already") });
    first.editor.leave();
    await first.editor.ended;

    const editor = await start();
    const { result } = await editor.request("session/list", { cwd: there.repository });
    expect(result.sessions).toEqual([{ sessionId: first.id, cwd: there.repository, title: "Read a.txt", updatedAt: expect.any(String) }]);
    expect((await editor.request("session/list", {}))["result"]).toEqual(result);
    expect((await editor.request("session/load", { sessionId: first.id, cwd: there.folder, mcpServers: [] }))["error"]).toMatchObject({
      code: -32_002,
    });
    const loaded = await editor.request("session/load", { sessionId: first.id, cwd: there.repository, mcpServers: [] });
    const at = editor.messages.indexOf(loaded);
    const replayed = editor.messages.slice(0, at);
    expect(kindsOf(replayed)).toEqual(["user_message_chunk", "agent_message_chunk", "tool_call", "agent_message_chunk"]);
    const ids = (messages: Message[]) => messages.flatMap(({ params }) => params?.update?.messageId ?? []);
    expect(new Set(ids(replayed)).size).toBe(3);
    expect(ids(replayed).filter((one) => ids(first.editor.messages).includes(one))).toEqual([]);
    expect(editor.updates("tool_call")[0]).toMatchObject({
      title: "Read a.txt",
      status: "completed",
      locations: [{ path: join(there.repository, "a.txt") }],
    });
    await editor.request("session/prompt", { sessionId: first.id, prompt: said("And now?") });
    expect(requests()[2]?.body.messages).toHaveLength(5);
    expect((await editor.request("session/close", { sessionId: first.id }))["result"]).toEqual({});
    expect((await editor.request("session/close", { sessionId: first.id }))["error"]).toMatchObject({
      code: -32_002,
      data: { sessionId: first.id },
    });
  });

  it("is in the mode plan again when a session is loaded that was left in it, and in no mode that opens more", async () => {
    const { there, start, open, requests } = await place([text("Planned."), text("Still looking."), text("Done.")]);
    const { editor: first, id, prompt } = await open();
    await prompt(said("Plan it"));
    const load = async () => {
      const editor = await start();
      const { result } = await editor.request("session/load", { sessionId: id, cwd: there.repository, mcpServers: [] });
      const setMode = (modeId: string) => editor.request("session/set_mode", { sessionId: id, modeId });
      return { editor, mode: result.modes.currentModeId, setMode };
    };
    await first.request("session/set_mode", { sessionId: id, modeId: "plan" });
    first.leave();
    await first.ended;
    const second = await load();
    expect(second.mode).toBe("plan");
    await second.editor.request("session/prompt", { sessionId: id, prompt: said("Go on") });
    expect(newest(requests()[1])).toContain("The person changed the mode to plan");
    await second.setMode("acceptEdits");
    second.editor.leave();
    await second.editor.ended;
    expect((await load()).mode).toBe("default");
  });

  it("works in several sessions at the same time, each in its folder", async () => {
    const slow = gate(text("The first."));
    const { there, open, requests } = await place([slow.answer, text("The second.")]);
    const other = join(there.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "TOOL.md"), "");
    const { editor, id, prompt } = await open();
    const waiting = prompt(said("One"));
    await eventually(() => requests().length >= 1);
    const { result } = await editor.request("session/new", { cwd: other, mcpServers: [] });
    await editor.request("session/prompt", { sessionId: result.sessionId, prompt: said("Two") });
    expect(editor.said(result.sessionId)).toContain("The second.");
    expect(newest(requests()[1])).toContain(other);
    slow.open();
    expect((await waiting)["result"]).toEqual({ stopReason: "end_turn" });
    expect(editor.said(id)).toContain("The first.");
  });
});

describe("the editor's servers and the repository's settings", () => {
  it("asks before a tool of the editor's server, whose name becomes one that rules can have", async () => {
    const server = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    const { open, requests } = await place([
      call("McpCall", { tool: "mcp__The_server__echo", arguments: { message: "hi" } }),
      text("Called."),
    ]);
    const mcpServers = [{ name: "The server!", command: process.execPath, args: [server], env: [] }];
    const { editor, prompt } = await open({}, { mcpServers });
    await prompt(said("Call it"));
    const [question] = editor.messages.filter(({ method }) => method === "session/request_permission");
    expect(question?.["params"].options.map(({ name }: Message) => name)).toContain("this session: mcp__The_server__echo");
    expect(toolResults(requests()[1]).join("\n")).toContain("Echo: hi");
    expect(processesOf(server)).not.toEqual([]);
    editor.leave();
    await editor.ended;
  });

  it("asks once whether the repository is trusted, and counts what it brings after a yes", async () => {
    const { there, open } = await place([call("Bash", { command: "touch made" }), text("Made.")], { asked: true });
    there.write("repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Bash(touch made)"] } }));
    const { editor, prompt } = await open({ answer: option("yes, as it is now") });
    await prompt(said("Make it"));
    const questions = editor.messages.filter(({ method }) => method === "session/request_permission");
    expect(questions.map(({ params }) => params.toolCall.title)).toEqual(["Trust this repository?"]);
    expect(JSON.stringify(questions[0]?.["params"].toolCall.content)).toContain("allow rule: Bash(touch made)");
    expect(existsSync(join(there.repository, "made"))).toBe(true);
  });
});

describe("bad input and the end", () => {
  it("answers each bad message in the protocol's form, and goes on", async () => {
    const { there, start } = await place([]);
    const editor = connect(there, {});
    expect((await editor.request("session/list", {}))["error"]).toMatchObject({ code: -32_600 });
    const opened = await editor.request("initialize", { protocolVersion: 99 });
    expect(opened["result"]).toMatchObject({ protocolVersion: 1, authMethods: [{ id: "key" }] });
    for (const line of ["{not json", "[]", '"text"', "42", `{"a":"${"x".repeat(33 * 1024 * 1024)}"}`]) editor.write(line);
    await eventually(() => editor.messages.filter(({ id }) => id === null).length === 5);
    expect(editor.messages.flatMap(({ id, error }) => (id === null ? error.code : []))).toEqual([
      -32_700, -32_600, -32_600, -32_600, -32_600,
    ]);
    const codeOf = async (method: string, params: unknown) => (await editor.request(method, params))["error"]?.code;
    const cwd = there.repository;
    expect(await codeOf("session/prompt", { sessionId: "none", prompt: said("hi") })).toBe(-32_002);
    expect(await codeOf("session/prompt", { prompt: "hi" })).toBe(-32_602);
    expect(await codeOf("session/load", { sessionId: "../../x", cwd, mcpServers: [] })).toBe(-32_002);
    expect(await codeOf("session/new", { cwd: "repo", mcpServers: [] })).toBe(-32_602);
    expect(await codeOf("session/new", { cwd: join(cwd, "gone"), mcpServers: [] })).toBe(-32_602);
    expect(await codeOf("session/new", { cwd, mcpServers: [] })).toBe(-32_000);
    expect(await codeOf("authenticate", { methodId: "key" })).toBe(-32_000);
    expect(await codeOf("authenticate", { methodId: "other" })).toBe(-32_602);
    expect((await (await start()).request("authenticate", { methodId: "key" }))["result"]).toEqual({});
    there.write("config/settings.json", "{");
    expect((await editor.request("session/new", { cwd, mcpServers: [] }))["error"]).toMatchObject({
      code: -32_600,
      message: expect.stringContaining("settings.json:1"),
    });
    expect(editor.stderr()).toBe("");
  });

  it("leaves nothing behind when the editor is killed in the middle of a command", async () => {
    const { api, there } = await place([call("Bash", { command: "sleep 1000 & sleep 1000" }), text("Never.")], { asked: noSandbox });
    const log = join(there.folder, "log");
    const relay = `
      const { spawn } = require("node:child_process");
      const child = spawn(${JSON.stringify(tool[0])}, [${JSON.stringify(tool[1])}, "acp"], { stdio: ["pipe", "pipe", "inherit"] });
      const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
      send({ id: 2, method: "session/new", params: { cwd: ${JSON.stringify(there.repository)}, mcpServers: [] } });
      child.stdout.on("data", (text) => {
        require("node:fs").appendFileSync(${JSON.stringify(log)}, text);
        const made = /"id":2,"result":\\{"sessionId":"([^"]+)"/.exec(text);
        if (made) send({ id: 3, method: "session/prompt", params: { sessionId: made[1], prompt: [{ type: "text", text: "Sleep" }] } });
        const asked = /"id":(\\d+),"method":"session\\/request_permission"/.exec(text);
        if (asked) send({ id: Number(asked[1]), result: { outcome: { outcome: "selected", optionId: "0" } } });
      });`;
    const editor = spawn(process.execPath, ["-e", relay], { env: { ...there.env, ...api.env }, stdio: "ignore" });
    onTestFinished(() => void editor.kill("SIGKILL"));
    await eventually(() => processesOf(there.folder).some(({ command }) => command.startsWith("sleep 1000")));
    editor.kill("SIGKILL");
    await eventually(() => processesOf(there.folder).length === 0);
    expect(readFileSync(log, "utf8")).toContain('"title":"sleep 1000 & sleep 1000"');
    expect(readdirSync(join(there.configDir, "running"))).toEqual([]);
  });

  it("is refused to an agent, which could answer its own questions", async () => {
    const { there } = await place([]);
    const program = there.piped(["acp"], { env: { TOOL_OWNER: "s1:ada" }, input: "" });
    expect([(await program.ended).code, program.stdout()]).toEqual([3, ""]);
  });
});
