// Skills as they are used: by a model that calls one, and by a person who types its name, printed and on a terminal.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace, tool } from "../team-kit.ts";

async function place(parts: Part, files: Record<string, string>) {
  const api = await provider({ tool: parts });
  const there = teamPlace();
  const write = (path: string, content: string) => {
    const whole = path.startsWith("~/") ? join(there.configDir, path.slice(2)) : join(there.repository, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const print = async (...args: string[]) => {
    const program = there.piped(["--print", ...args], { env: api.env, input: "" });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { there, api, print, write, requests: () => api.requests("tool") };
}

const skill = (keys: string[], body: string) => `---\n${keys.join("\n")}\n---\n${body}\n`;
const skillTools = (request: { body: { tools?: { name: string; description?: string }[] } } | undefined) =>
  (request?.body.tools ?? []).filter(({ name }) => name === "Skill").map(({ description }) => description);

it("tells the model of skills only where there are some, and gives it one with arguments and the output of commands", async () => {
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

it("costs nothing where there are none", async () => {
  const { print, requests } = await place([text("Hello.")], { "~/commands/mine.md": "Without a description." });
  await print("hi");
  expect(skillTools(requests()[0])).toEqual([]);
});

it("runs a command of a skill under the rules: what nobody may allow stands there as not run, and the run ends with 3", async () => {
  const { print, requests } = await place([text("I see."), call("Skill", { name: "make" }), text("I see.")], {
    "~/skills/make/SKILL.md": skill(["description: Makes"], "Made: !`touch made && node -e 1`"),
  });
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

it("narrows what the agent has while a skill is in use, and gives it back with the next line", async () => {
  const parts: Part = [call("Read", { path: "a.txt" }), call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }), text("No.")];
  const { print, requests, there } = await place([...parts, ...parts], {
    "a.txt": "one\n",
    "~/commands/look.md": skill(["allowed-tools: Read, Grep"], "Look at it. !`cat a.txt`"),
  });
  const first = await print("--permission-mode", "acceptEdits", "/look");
  expect(newest(requests()[0])).toContain('[not run: The skill \\"look\\" that is in use does not give Bash.]');
  expect(toolResults(requests()[1])).toEqual(["1\tone"]);
  expect(toolResults(requests()[2])).toEqual(['Permission denied: The skill "look" that is in use does not give Edit.']);
  expect(first.code).toBe(3);
  expect((await print("--permission-mode", "acceptEdits", "--continue", "now")).code).toBe(0);
  expect(readFileSync(join(there.repository, "a.txt"), "utf8")).toBe("two\n");
});

it("says before anything is sent that a skill cannot be used, and sends other lines with a slash as they are", async () => {
  const { print, requests } = await place([text("A path.")], {
    "~/skills/deploy/SKILL.md": skill(["description: Deploys", "context: fork"], "Deploy."),
    ".claude/commands/fix.md": "Fix it.",
  });
  expect((await print("/deplo now")).stderr).toContain('Cannot use the skill "deplo": there is none. Did you mean "deploy"?');
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
  const program = there.piped(["privacy", "--json", join(there.configDir, "skills/style/SKILL.md")], { input: "" });
  await program.ended;
  expect(program.stdout()).toContain("skills/style/SKILL.md");
});

it("completes a skill with its hint, takes it while the agent works, and uses it as it is then", async () => {
  const waiting = gate(text("First."));
  const { there, api, write, requests } = await place([waiting.answer, text("Second."), text("Third.")], {
    "~/commands/note.md": skill(["description: Takes a note", "argument-hint: [topic]"], "Old words about $ARGUMENTS."),
    "~/commands/help.md": "Mine.",
  });
  const seat = personsTerminal([...tool], { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 100, rows: 30 });
  await seat.shows("/help is the command of tool, and not the skill in");
  seat.type("/no");
  await seat.shows("/note [topic]");
  await seat.shows("Takes a note");
  seat.type("\x15hello\r");
  await eventually(() => requests().length === 1);
  seat.type("/note bees\r");
  await seat.shows("> /note bees");
  write("~/commands/note.md", "New words about $ARGUMENTS.");
  waiting.open();
  await seat.shows("Second.");
  expect(newest(requests()[1])).toContain(
    'The person typed /note bees\\n\\nInstructions of the skill \\"note\\".\\n\\nNew words about bees.',
  );
  seat.type("/notes\r");
  await seat.shows("Did you mean /note?");
  seat.type("\x03");
  await seat.shows("Ctrl-C again ends the session.");
  seat.type("\x03");
  expect(await seat.ended).toBe(0);
  expect(requests()).toHaveLength(2);
});
