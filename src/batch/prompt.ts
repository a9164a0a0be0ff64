// The prompts of the planner and of the units' agents.
import type { Plan, Unit } from "./plan/plan.ts";

export const planText = {
  tool: 'Submits the plan of this batch. It is checked: an answer that begins with "Not accepted" says what to change before you submit it again.',
  accepted: "The plan is accepted and goes to the person. Your work is done: end your turn with one sentence.",
  refused: "Not accepted:",
  tooFew: (units: number) =>
    `Not enough for a batch: ${units} units, and it takes 5. If the work cannot be cut further without making units depend on each other, end your turn and say so.`,
};

export function planPrompt(instruction: string): string {
  return `Plan a batch: one change across this repository, cut into 5 to 30 independent units. Each unit is then carried out by an agent of its own in a git worktree of its own, tested, and opened as a pull request.

The change: ${instruction}

Look at the repository first: which files are concerned, how they are tested. You change nothing. Then call SubmitBatchPlan.
- A unit can be reviewed and merged alone. Units of one phase change different files and need nothing of each other.
- What needs the result of other units goes into a later phase, and names them in \`needs\`. Most batches have one phase.
- Its instruction is all that its agent knows: name files, the pattern to follow, what not to touch.
- Its test is one existing command, as narrow as it can be, that fails when the unit is wrong.`;
}

/** The first message to the agent of a unit. */
export function unitPrompt({ title, instruction, files, test }: Unit, needed: readonly string[]): string {
  const built = needed.length > 0 ? `\nThis working tree has the results of: ${needed.join(", ")}.` : "";
  return `Carry out one unit of a batch in this working tree. It is a git worktree of its own: other agents work on other units elsewhere.

${title}

${instruction}

Files of this unit: ${files.join(", ")}. Change others only where the unit cannot work without it.${built}
When you are done, \`${test}\` is run to see whether it works; you may run it yourself. Do not commit, push or switch branches: that is done for you.
End with a summary for the pull request: what changed and why, in a few sentences.`;
}

/** For an agent that was interrupted. */
export const goOnPrompt = "You were interrupted. Look at the working tree, and go on from where you stopped.";

/** For a unit that the person wants to try again. */
export const retryPrompt = (failed: string) =>
  `Your work on this unit has failed, and you are to put it right. Your changes are still in the working tree. What was found:\n\n${failed}`;

/** For a session with sub-agents, when the work is too small for a batch. */
export function subAgentsPrompt(instruction: string, { units }: Plan): string {
  const parts = units.map(({ title, instruction: what, files, test, needs }, index) => {
    const after = needs.map((id) => units.findIndex((unit) => unit.id === id) + 1);
    return `${index + 1}. ${title}${after.length > 0 ? ` (after ${after.join(", ")})` : ""}\n${what}\nFiles: ${files.join(", ")}. Test: \`${test}\``;
  });
  return `${instruction}\n\nIt is planned already. Have a sub-agent do each of these parts, side by side where none needs another, then run the tests:\n\n${parts.join("\n\n")}`;
}
