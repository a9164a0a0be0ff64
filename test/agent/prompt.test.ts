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
