// Skills: called by a model, and typed by a person, in print mode and on a terminal.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace, tool } from "../team-kit.ts";

async function place(parts: Part, files: Record<string, string>, options?: Parameters<typeof teamPlace>[0]) {
  return cast({ tool: parts }, files, options);
}

async function cast(agents: Record<string, Part>, files: Record<string, string>, options?: Parameters<typeof teamPlace>[0]) {
  const api = await provider(agents);
  const there = teamPlace(options);
  const write = (path: string, content: string) => {
    const whole = path.startsWith("~/") ? join(there.configDir, path.slice(2)) : join(there.repository, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const print = async (...args: string[]) => {
    const program = there.warm(["--print", ...args], { env: api.env });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { there, api, print, write, requests: () => api.requests("tool") };
}

const skill = (keys: string[], body: string) => `---\n${keys.join("\n")}\n---\n${body}\n`;
const skillTools = (request: { body: { tools?: { name: string; description?: string }[] } } | undefined) =>
  (request?.body.tools ?? []).filter(({ name }) => name === "Skill").map(({ description }) => description);

it("lists skills for the model only if there are any, and gives it one with arguments and the output of commands", async () => {
  const { print, requests, there } = await place([call("Skill", { skill: "Review", args: "a.txt now" }), text("Reviewed.")], {
    "a.txt": "one\n",
    "~/skills/review/SKILL.md": skill(["description: Reviews a file"], "Look at $1 $2:\n!`cat $1`\nThat is all."),
  });
  expect(await print("review it")).toEqual({ code: 0, stdout: "Reviewed.\n", stderr: "" });
  expect(skillTools(requests()[0])).toEqual([expect.stringMatching(/\n- review: Reviews a file$/)]);
  expect(toolResults(requests()[1])).toEqual([
    `Instructions of the skill "review". Files that it names are in ${there.configDir}/skills/review.\n\nLook at a.txt now:\none\nThat is all.`,
  ]);
  expect(firstThatDoesNotExtend(requests())).toBeUndefined();
});

it("costs nothing if there are none", async () => {
  const { print, requests } = await place([text("Hello.")], { "~/commands/mine.md": "Without a description." });
  await print("hi");
  expect(skillTools(requests()[0])).toEqual([]);
});

it("runs a skill's commands under the rules: a denied one is marked as not run, and the exit code is 3", async () => {
  const { print, requests } = await place(
    [text("I see."), call("Skill", { name: "make" }), text("I see.")],
    {
      "~/skills/make/SKILL.md": skill(["description: Makes"], "Made: !`touch made && node -e 1`"),
    },
    { asked: true },
  );
  const typed = await print("/make");
  expect([typed.code, typed.stderr]).toEqual([
    3,
    expect.stringMatching(/^tool: denied Bash touch made && node -e 1: Permission is missing/),
  ]);
  expect(newest(requests()[0])).toContain("Made: [not run: Permission is missing and nobody can be asked here");
  const called = await print("make it");
  expect([called.code, called.stderr]).toEqual([
    3,
    expect.stringMatching(/^tool: denied Bash touch made && node -e 1: Permission is missing/),
  ]);
  const allowed = await print("--allow", "Bash(touch made)", "--allow", "Bash(node -e 1)", "/make");
  expect([allowed.code, newest(requests()[3])]).toEqual([0, expect.stringContaining("Made: (no output)")]);
});

it("passes each command of a skill to the hooks, like a call of the model", async () => {
  const hook = { matcher: "Bash", hooks: [{ type: "command", command: "cat > ../seen; echo not today >&2; exit 2" }] };
  const { print, requests, there } = await place([text("I see.")], {
    "~/settings.json": JSON.stringify({ permissions: { allow: ["Bash(touch made)"] }, hooks: { PreToolUse: [hook] } }),
    "~/commands/make.md": "Made: !`touch made`",
  });
  expect((await print("/make")).code).toBe(3);
  expect(newest(requests()[0])).toMatch(/Made: \[not run: .*not today/);
  expect(JSON.parse(readFileSync(join(there.folder, "seen"), "utf8"))).toMatchObject({
    tool_name: "Bash",
    tool_input: { command: "touch made" },
  });
});

it("runs a skill with context: fork in a separate agent, with its model and tools, and returns its report", async () => {
  const { print, api, there } = await cast(
    {
      tool: [call("Skill", { name: "audit", arguments: "a.txt" }), text("Audited."), text("Audited again.")],
      audit: [call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }), text("It is sound."), text("Still sound.")],
    },
    {
      "a.txt": "one\n",
      "~/skills/audit/SKILL.md": skill(
        ["description: Audits a file", "context: fork", "model: haiku", "allowed-tools: Read"],
        "Audit $1: !`cat $1`",
      ),
    },
  );
  expect(await print("--allow", "Edit", "audit it")).toMatchObject({ code: 0, stdout: "Audited.\n" });
  const [first, second] = api.requests("audit");
  expect(newest(first)).toContain("Audit a.txt: one");
  expect([first?.body.model, first?.body.tools?.map(({ name }) => name)]).toEqual([expect.stringContaining("haiku"), ["Read"]]);
  expect(toolResults(second)[0]).toContain("Edit");
  expect(readFileSync(join(there.repository, "a.txt"), "utf8")).toBe("one\n");
  expect(toolResults(api.requests("tool")[1])).toEqual([expect.stringMatching(/^It is sound\.[\s\S]*\[agent a-\w{4}, completed\]$/)]);
  await print("/audit a.txt");
  expect(newest(api.requests("tool")[2])).toContain("The person typed /audit a.txt. A separate agent did what the skill");
  expect(newest(api.requests("tool")[2])).toContain("Still sound.");
});

it("gives an agent the skills that its definition names, before its work", async () => {
  const { print, api } = await cast(
    {
      tool: [call("Agent", { subagent_type: "ada", name: "ada", description: "style", prompt: "Write." }), text("Done.")],
      ada: [text("Written.")],
    },
    {
      ".tool/agents/ada.md": skill(["name: ada", "description: Writes", "skills: style, gone"], "Write well."),
      ".tool/skills/style/SKILL.md": skill(["description: Style"], "Be brief. !`echo Or else.`"),
    },
  );
  await print("--trust", "go on now");
  expect(newest(api.requests("ada")[0])).toMatch(
    /Instructions of the skill .*Be brief\. Or else\..*The skill \\"gone\\", which your definition names, does not exist\..*Write\./,
  );
});

it("restricts the agent's tools while a skill is in use, and restores them with the next line", async () => {
  const parts: Part = [call("Read", { path: "a.txt" }), call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }), text("No.")];
  const { print, requests, there } = await place([...parts, ...parts], {
    "a.txt": "one\n",
    "~/commands/look.md": skill(["allowed-tools: Read, Grep"], "Look at it. !`cat a.txt`"),
  });
  const first = await print("--permission-mode", "acceptEdits", "/look");
  expect(newest(requests()[0])).toContain('[not run: The skill \\"look\\" does not allow Bash.]');
  expect(toolResults(requests()[1])).toEqual(["1\tone"]);
  expect(toolResults(requests()[2])).toEqual(['Permission denied: The skill "look" does not allow Edit.']);
  expect(first.code).toBe(3);
  expect((await print("--permission-mode", "acceptEdits", "--continue", "now")).code).toBe(0);
  expect(readFileSync(join(there.repository, "a.txt"), "utf8")).toBe("two\n");
});

it("reports an unusable skill before anything is sent, and sends other lines with a slash unchanged", async () => {
  const { print, requests } = await place([text("A path.")], {
    "~/skills/deploy/SKILL.md": skill(["description: Deploys", "context: fork"], "Deploy."),
    ".claude/commands/fix.md": "Fix it.",
  });
  expect((await print("/deplo now")).stderr).toContain('cannot use the skill "deplo": there is none. Did you mean "deploy"?');
  const untrusted = await print("/fix 12");
  expect([untrusted.code, untrusted.stderr]).toEqual([
    2,
    expect.stringContaining("it is the project's, and the project is not trusted as it is now"),
  ]);
  expect(requests()).toEqual([]);
  expect((await print("/var/log is full")).code).toBe(0);
  expect(newest(requests()[0])).toContain("/var/log is full");
  const trusted = await print("--trust", "/fix 12");
  expect([trusted.code, newest(requests()[1])]).toEqual([0, expect.stringContaining("Fix it.\\n\\nArguments: 12")]);
});

it("names the file of a skill among what left the machine", async () => {
  const { print, there } = await place([text("Done.")], { "~/skills/style/SKILL.md": skill(["description: Style"], "Be brief.") });
  await print("/style");
  const program = there.warm(["privacy", "--json", join(there.configDir, "skills/style/SKILL.md")]);
  await program.ended;
  expect(program.stdout()).toContain("skills/style/SKILL.md");
});

it("completes a skill with its hint, accepts it while the agent works, and uses its content of that moment", async () => {
  const waiting = gate(text("First."));
  const { there, api, write, requests } = await place([waiting.answer, text("Second."), text("Third.")], {
    "~/commands/note.md": skill(["description: Takes a note", "argument-hint: [topic]"], "Old words about $ARGUMENTS."),
    "~/commands/help.md": "Mine.",
    "~/skills/ok/SKILL.md": skill(["description: Nothing"], ""),
  });
  const seat = personsTerminal([...tool], { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 100, rows: 30 });
  await seat.shows("/help is a built-in command, which hides the skill in");
  seat.type("/no");
  await seat.shows("/note [topic]");
  await seat.shows("Takes a note");
  seat.type("\x15hello\r");
  await eventually(() => requests().length >= 1);
  seat.type("/note bees\r");
  await seat.shows("> /note bees");
  write("~/commands/note.md", "New words about $ARGUMENTS.");
  waiting.open();
  await seat.shows("Second.");
  expect(newest(requests()[1])).toContain(
    'The person typed /note bees\\n\\nInstructions of the skill \\"note\\".\\n\\nNew words about bees.',
  );
  seat.type("/ok\r");
  await seat.shows('Cannot use the skill "ok": its file has a mistake.');
  await seat.shows("There are no instructions in the file.");
  seat.type("/notes\r");
  await seat.shows("Did you mean /note?");
  expect(await seat.leave()).toBe(0);
  expect(requests()).toHaveLength(2);
});

it("has /init and /review without a file: the first is asked about in every mode, the second changes nothing", async () => {
  const { print, requests, there } = await place(
    [
      call("Write", { path: "AGENTS.md", content: "# Here\n" }),
      text("I was not let."),
      [call("Bash", { command: "git status --short" }), call("Edit", { path: "a.txt", old_string: "one", new_string: "two" })],
      text("No fault found."),
    ],
    { "a.txt": "one\n" },
  );
  expect((await print("--permission-mode", "acceptEdits", "/init the tests")).code).toBe(3);
  expect(newest(requests()[0])).toContain("needs and cannot guess. the tests");
  expect(toolResults(requests()[1])[0]).toMatch(/^Permission denied: .*AGENTS\.md/);
  expect((await print("--permission-mode", "acceptEdits", "/review feature")).code).toBe(3);
  expect(newest(requests()[2])).toContain("What to review: feature");
  expect(toolResults(requests()[3])).toEqual([
    expect.stringContaining("?? a.txt"),
    'Permission denied: The skill "review" does not allow Edit.',
  ]);
  expect([skillTools(requests()[0]), readFileSync(join(there.repository, "a.txt"), "utf8")]).toEqual([[], "one\n"]);
});
