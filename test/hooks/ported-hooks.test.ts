// Hooks as people have written them for other products, in the shapes that those describe: each runs for real, from its settings to the answer.
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { shownInput, toolCall } from "../../src/agent/tool-calls.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { sessionHooks } from "../../src/hooks/session-hooks.ts";
import { readHooks } from "../../src/settings/hook-settings.ts";
import { agentTool } from "../../src/subagents/agent-tool.ts";
import { fileTools } from "../../src/tools/set.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { webFetchTool } from "../../src/tools/web/web-fetch.ts";
import { realDisk } from "../tools/agent.ts";
import { runnerOf } from "./hook-kit.ts";

const never = new AbortController().signal;
const cwd = tmpdir();
const web = { addresses: async () => [], get: async () => ({ kind: "failed" as const, reason: "no network" }) };
const tools: AnyTool[] = [
  ...fileTools({
    disk: realDisk,
    shell: shell({ cwd, env: {} }),
    fetch: webFetchTool(
      web,
      async () => ({ allowed: true }),
      () => {},
    ),
  }),
  agentTool({ host: {} as never, definitions: [], listBytes: 0, modelOf: String, clockMs: () => 0 }),
];
const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;

type Hooks = Record<string, unknown>;
const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const atCall = (matcher: string | undefined, ...hooks: object[]): Hooks => ({
  PreToolUse: [{ ...(matcher !== undefined && { matcher }), hooks }],
});

function place(written: Hooks) {
  const { hooks } = readHooks(written);
  const runner = runnerOf(
    hooks.map((hook) => ({ ...hook, scope: "user" as const, file: "/s.json" })),
    cwd,
  );
  const { agent, permit } = sessionHooks(runner, { clock: { sleep: async () => {} }, agent: "tool", tell: async () => {} });
  const enter = permit(async () => ({ allowed: true }));
  return { agent, notices: runner.notices, enter: (tool: string, input: object) => enter(toolCall(toolOf(tool), "c1", input), never) };
}

const no = "echo no >&2; exit 2";
/** Blocks if the text is in what it reads. */
const blocksAt = (text: string) => command(`if grep -qF '${text}'; then ${no}; fi`);
const prints = (json: object) => command(`printf %s '${JSON.stringify(json)}'`);
const decides = (permissionDecision: string, more: object = {}) =>
  prints({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "because", ...more } });

describe("a guard of another product", () => {
  it.each<[string, Hooks, [string, object], boolean]>([
    [
      "reads file_path, as an absolute path",
      atCall("Write", blocksAt(`"file_path":"${cwd}/.env"`)),
      ["Write", { path: ".env", content: "" }],
      false,
    ],
    [
      "reads old_string and new_string",
      atCall("Edit", blocksAt('"new_string":"secret"')),
      ["Edit", { path: "a", old_string: "x", new_string: "secret" }],
      false,
    ],
    ["reads content", atCall("Write", blocksAt('"content":"secret"')), ["Write", { path: "a", content: "secret" }], false],
    ["reads command", atCall("Bash", blocksAt('"command":"rm -rf')), ["Bash", { command: "rm -rf x" }], false],
    ["reads run_in_background", atCall("Bash", blocksAt('"run_in_background":true')), ["Bash", { command: "x", background: true }], false],
    ["reads the timeout", atCall("Bash", blocksAt('"timeout":5000')), ["Bash", { command: "x", timeout_ms: 5000 }], false],
    ["reads description", atCall("Bash", blocksAt('"description":"deploys"')), ["Bash", { command: "x", description: "deploys" }], false],
    [
      "reads the pattern and output_mode of a search",
      atCall("Grep", blocksAt('"output_mode":"files_with_matches"')),
      ["Grep", { pattern: "x", output: "files" }],
      false,
    ],
    ["reads the url of a page", atCall("WebFetch", blocksAt('"url":"http://evil')), ["WebFetch", { url: "http://evil.example/" }], false],
    [
      "reads subagent_type and prompt of Task",
      atCall("Task", blocksAt('"subagent_type":"deployer"')),
      ["Agent", { subagent_type: "deployer", description: "d", prompt: "p" }],
      false,
    ],
    ["without a matcher", { PreToolUse: [{ hooks: [command(no)] }] }, ["Glob", { pattern: "*" }], false],
    ["with an empty matcher", atCall("", command(no)), ["Glob", { pattern: "*" }], false],
    ["with the matcher *", atCall("*", command(no)), ["Glob", { pattern: "*" }], false],
    ["for names with blanks", atCall("Edit | Write", command(no)), ["Write", { path: "a", content: "" }], false],
    ["for names with commas", atCall("Edit, Write", command(no)), ["Write", { path: "a", content: "" }], false],
    [
      "reads the edits of MultiEdit",
      atCall("MultiEdit", blocksAt('"edits":[{"old_string":"x","new_string":"secret"}]')),
      ["Edit", { path: "a", old_string: "x", new_string: "secret" }],
      false,
    ],
    ["for MultiEdit meets Edit", atCall("MultiEdit", command(no)), ["Edit", { path: "a", old_string: "x", new_string: "y" }], false],
    [
      "for NotebookEdit meets an edit of a notebook",
      atCall("NotebookEdit", command(no)),
      ["Edit", { path: "a.ipynb", old_string: "x", new_string: "y" }],
      false,
    ],
    [
      "for NotebookEdit meets no other edit",
      atCall("NotebookEdit", command(no)),
      ["Edit", { path: "a.ts", old_string: "x", new_string: "y" }],
      true,
    ],
    ["reads notebook_path", atCall("NotebookEdit", blocksAt('"notebook_path":')), ["Write", { path: "a.ipynb", content: "" }], false],
    ["for a regular expression", atCall("^(Edit|Multi.*|Wri.e)$", command(no)), ["Write", { path: "a", content: "" }], false],
    ["for an expression with an end", atCall(".*Edit", command(no)), ["Edit", { path: "a", old_string: "x", new_string: "y" }], false],
    ["for an expression that is found nowhere", atCall("^mcp__.*", command(no)), ["Bash", { command: "ls" }], true],
    ["for names in exactly this case", atCall("bash", command(no)), ["Bash", { command: "ls" }], true],
    ["for Bash(git push:*) meets it", atCall("Bash(git push:*)", command(no)), ["Bash", { command: "git push origin main" }], false],
    [
      "for Bash(git push:*) meets it inside another command",
      atCall("Bash(git push:*)", command(no)),
      ["Bash", { command: "cd x && git -C y push -f" }],
      false,
    ],
    ["for Bash(git push:*) meets nothing else", atCall("Bash(git push:*)", command(no)), ["Bash", { command: "git status" }], true],
    ["for a rule beside a name", atCall("Write|Bash(rm *)", command(no)), ["Bash", { command: "rm -r x" }], false],
    ["for Bash(.*) meets every command", atCall("Bash(.*)", command(no)), ["Bash", { command: "ls" }], false],
    ["for files of a kind", atCall("Edit(*.env)|Write(*.env)", command(no)), ["Write", { path: "sub/x.env", content: "" }], false],
    ["for other files", atCall("Write(*.env)", command(no)), ["Write", { path: "a.ts", content: "" }], true],
    [
      "for Task(name) meets that agent",
      atCall("Task(deployer)", command(no)),
      ["Agent", { subagent_type: "deployer", description: "d", prompt: "p" }],
      false,
    ],
    [
      'with "if" meets the calls that fit',
      atCall("Bash", command(no, { if: "Bash(git push:*)" })),
      ["Bash", { command: "git push" }],
      false,
    ],
    ['with "if" meets no other', atCall("Bash", command(no, { if: "Bash(git push:*)" })), ["Bash", { command: "git log" }], true],
    [
      "with a message about its work",
      atCall("Bash", command(no, { statusMessage: "Checking", once: true })),
      ["Bash", { command: "ls" }],
      false,
    ],
    [
      "beside an entry that asks a model",
      atCall("Bash", { type: "prompt", prompt: "Safe?" }, command(no)),
      ["Bash", { command: "ls" }],
      false,
    ],
    [
      "beside an event that does not exist here",
      { WorktreeCreate: [{ hooks: [command("x")] }], ...atCall("Bash", command(no)) },
      ["Bash", { command: "ls" }],
      false,
    ],
    ["that nothing waits for decides nothing", atCall("Bash", command(no, { async: true })), ["Bash", { command: "ls" }], true],
    ["that ends with 1 blocks nothing", atCall("Bash", command("exit 1")), ["Bash", { command: "ls" }], true],
    ["says block", atCall("Bash", prints({ decision: "block", reason: "because" })), ["Bash", { command: "ls" }], false],
    ["says approve", atCall("Bash", prints({ decision: "approve", suppressOutput: true })), ["Bash", { command: "ls" }], true],
    ["says deny in the newer form", atCall("Bash", decides("deny")), ["Bash", { command: "ls" }], false],
    ["says allow in the newer form", atCall("Bash", decides("allow")), ["Bash", { command: "ls" }], true],
    [
      "says that the agent shall not continue",
      atCall("Bash", prints({ continue: false, stopReason: "because" })),
      ["Bash", { command: "ls" }],
      false,
    ],
  ])("%s", async (_title, written, [tool, input], allowed) => {
    const { enter, notices } = place(written);
    const permission = await enter(tool, input);
    expect(permission).toMatchObject({ allowed, ...(!allowed && { reason: expect.stringMatching(/blocked it: (?:no|because)$/) }) });
    expect(notices).toEqual(
      written["PreToolUse"] && JSON.stringify(written).includes("exit 1") ? [expect.stringContaining("exit code 1")] : [],
    );
  });
});

describe("an input that a hook of another product has changed", () => {
  const edit = { path: "a.ts", old_string: "x", new_string: "y" };
  const changes = (updatedInput: object) => place(atCall("Edit", decides("allow", { updatedInput }))).enter("Edit", edit);

  it("counts under either name", async () => {
    expect(await changes({ file_path: "/b.ts", old_string: "x", new_string: "y" })).toEqual({
      allowed: true,
      input: { ...edit, path: "/b.ts" },
    });
    expect(await changes({ ...shownInput(toolOf("Edit"), edit, cwd), new_string: "z" })).toEqual({
      allowed: true,
      input: { ...edit, new_string: "z" },
    });
    expect(await changes({ ...shownInput(toolOf("Edit"), edit, cwd), file_path: "/c.ts" })).toEqual({
      allowed: true,
      input: { ...edit, path: "/c.ts" },
    });
  });

  it("is no change if the hook gives back what it was given", async () => {
    expect(await changes(shownInput(toolOf("Edit"), edit, cwd))).toEqual({ allowed: true });
  });

  it("is refused if both names were changed differently", async () => {
    expect(await changes({ ...edit, path: "b.ts", file_path: "/c.ts" })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('"path" and "file_path" mean the same here, and were changed differently'),
    });
  });
});

describe("what else a hook of another product prints", () => {
  const ran = { id: "c1", tool: "Edit", input: { path: "a" }, text: "ok", isError: false };

  it('"continue": false ends the turn once, with its reason', async () => {
    const { agent } = place({ PostToolUse: [{ matcher: "Edit", hooks: [prints({ continue: false, stopReason: "tests are red" })] }] });
    await agent.afterCall(ran, never);
    expect([agent.stopped(), agent.stopped()]).toEqual([
      expect.stringMatching(/^The hook ".*" of \/s\.json ended the turn: tests are red$/),
      undefined,
    ]);
  });

  it('"continue": false lets an agent stop that another word of it would keep', async () => {
    const { agent } = place({ Stop: [{ hooks: [prints({ continue: false, decision: "block", reason: "go on" })] }] });
    expect([await agent.beforeStop({ text: "", again: false }, never), agent.stopped()]).toEqual([undefined, undefined]);
  });

  it("a message for the person is shown, and what is to be kept quiet is", async () => {
    const { agent, notices } = place({ PostToolUse: [{ hooks: [prints({ systemMessage: "Formatted.", suppressOutput: true })] }] });
    expect([await agent.afterCall(ran, never), notices]).toEqual([
      undefined,
      [expect.stringMatching(/^The hook ".*" of \/s\.json says: Formatted\.$/)],
    ]);
  });

  it("plain text before a prompt is read by the model, as its JSON is", async () => {
    const typed = { source: { kind: "user" as const }, text: "go" };
    const { agent } = place({ UserPromptSubmit: [{ matcher: "*", hooks: [command("echo Branch: main")] }] });
    const { inputs } = await agent.inputs([typed], never);
    expect(inputs.map(({ text }) => text)).toEqual(["go", expect.stringMatching(/adds\]\nBranch: main\n$/)]);
  });

  it("the fields of an event have the names of other products too", async () => {
    const { agent } = place({ Stop: [{ matcher: "anything", hooks: [blocksAt('"last_assistant_message":"Done."')] }] });
    expect(await agent.beforeStop({ text: "Done.", again: false }, never)).toMatchObject({ text: expect.stringContaining("no") });
  });
});
