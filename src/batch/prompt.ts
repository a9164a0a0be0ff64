// What the planner is told.
export const planText = {
  tool: 'Submits the plan of this batch. It is checked: an answer that begins with "Not accepted" says what to change before you submit it again.',
  accepted: "The plan is accepted and goes to the person. Your work is done: end your turn with one sentence.",
  refused: "Not accepted:",
  tooFew: (units: number) =>
    `Not enough for a batch: ${units} units, and it takes 5. If the work cannot be cut further without making units depend on each other, end your turn and say so.`,
};

/** The planner's task. */
export function planPrompt(instruction: string): string {
  return `Plan a batch: one change across this repository, cut into 5 to 30 independent units. Each unit is then carried out by an agent of its own in a git worktree of its own, tested, and opened as a pull request.

The change: ${instruction}

Look at the repository first: which files are concerned, how they are tested. You change nothing. Then call SubmitBatchPlan.
- A unit can be reviewed and merged alone. Units of one phase change different files and need nothing of each other.
- What needs the result of other units goes into a later phase, and names them in \`needs\`. Most batches have one phase.
- Its instruction is all that its agent knows: name files, the pattern to follow, what not to touch.
- Its test is one existing command, as narrow as it can be, that fails when the unit is wrong.`;
}
