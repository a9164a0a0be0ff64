// The prompts sent to models: docs/prompts.md gives the reason for each of their sentences, and for no other.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { goalText, judgeSystem, notYetText } from "../../src/agent/goal/prompt.ts";
import { soloSystemPrompt } from "../../src/agent/prompt.ts";
import { subagentSystemPrompt } from "../../src/subagents/prompt.ts";
import { leadSystemPrompt, rosterText, teammateSystemPrompt } from "../../src/team/prompt.ts";

const prompts = {
  solo: soloSystemPrompt({ instructions: "" }),
  lead: leadSystemPrompt("atlas", {}),
  teammate: teammateSystemPrompt("ada", "atlas", {}),
  "lead that may edit": leadSystemPrompt("atlas", { leadMayEdit: true }),
  "teammate with a worktree": teammateSystemPrompt("ada", "atlas", { worktree: "tool/atlas/ada" }),
  subagent: subagentSystemPrompt({ name: "scout", instructions: "", cwd: "/repo", platform: "linux", files: "" }),
};

const command = { kind: "command", command: "npm test" } as const;
const condition = { kind: "text", text: "it holds" } as const;
const goals = [
  goalText(command),
  goalText(condition),
  notYetText({ condition, checks: [], output: "", turns: 1, maxTurns: 9 } as unknown as Parameters<typeof notYetText>[0]),
  judgeSystem,
].join("\n");

/** The sentences without the first line, which names the agent, and without what differs from machine to machine. */
const sentencesOf = (prompt: string) =>
  prompt
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^- /, ""))
    .filter((line) => line !== "" && !/^(Working directory|Platform): /.test(line));

const explained = [...readFileSync("docs/prompts.md", "utf8").matchAll(/^\| (?!sentence|---)(.*?) \| (.+) \|$/gm)].map(
  ([, sentence = ""]) => sentence.trim(),
);

describe("docs/prompts.md", () => {
  it.each(Object.entries(prompts))("has a reason for every sentence of the prompt of: %s", (_, prompt) => {
    expect(sentencesOf(prompt).filter((sentence) => !explained.includes(sentence))).toEqual([]);
  });

  it("explains no sentence that does not exist", () => {
    const said = new Set(Object.values(prompts).flatMap(sentencesOf));
    const unsaid = explained.filter((sentence) => !said.has(sentence));
    const ofGoals = unsaid.filter((sentence) => goals.includes(sentence.replace("(to the judge) ", "")));
    expect([explained.length > 30, unsaid, ofGoals.length > 5]).toEqual([true, ofGoals, true]);
  });
});

it("begins with the agent's name, and contains nothing that differs between sessions", () => {
  expect(Object.values(prompts).map((prompt) => prompt.split(",")[0])).toEqual([
    "You are tool",
    "You are lead",
    "You are ada",
    "You are lead",
    "You are ada",
    "You are scout",
  ]);
  expect([prompts.solo, prompts.lead, prompts.teammate].filter((prompt) => prompt.includes(process.cwd()))).toEqual([]);
});

it("lists a team with what each is there for", () => {
  const members = [{ name: "lead" }, { name: "ada", duty: "tests", model: "claude-haiku-5-5" }];
  expect(rosterText("atlas", members)).toBe('Team "atlas" now:\n- lead\n- ada: tests (claude-haiku-5-5)');
});

it("lists the role of each, and says it to the one who has it and to the lead", () => {
  const role = { name: "reviewer", prompt: "Look for faults.", disallowedTools: [], skills: ["dates"] };
  expect(rosterText("atlas", [{ name: "ada", definition: role, duty: "tests" }])).toBe('Team "atlas" now:\n- ada, reviewer: tests');
  expect(teammateSystemPrompt("ada", "atlas", { role, instructions: "Use vitest." })).toMatch(
    /You work as reviewer:\nLook for faults\.\nBefore your first task, use these skills: dates\.\n\nYour lead's instructions for you:\nUse vitest\.$/,
  );
  expect(leadSystemPrompt("atlas", { named: [{ name: "ada", role: "reviewer" }] })).toContain("The user has started ada (reviewer): ");
});
