// Names that our tools have in other products, as hooks written for those name them.

/** `ending`: the name is only meant for files with this ending. */
type OtherName = { name: string; means: readonly string[]; ending?: string };

const otherNames: readonly OtherName[] = [
  { name: "Task", means: ["Agent"] },
  { name: "MultiEdit", means: ["Edit"] },
  { name: "NotebookEdit", means: ["Edit", "Write"], ending: ".ipynb" },
  { name: "NotebookRead", means: ["Read"], ending: ".ipynb" },
  { name: "KillShell", means: ["KillBash"] },
  { name: "TaskOutput", means: ["CheckAgent", "BashOutput"] },
  { name: "AgentOutputTool", means: ["CheckAgent"] },
  { name: "AskUserQuestion", means: ["AskUser"] },
  { name: "ExitPlanMode", means: ["SubmitPlan"] },
  { name: "SlashCommand", means: ["Skill"] },
];

export const otherToolNames: readonly string[] = otherNames.map(({ name }) => name);

/** Our name of a tool that has another one elsewhere; every other name is returned as it is. */
export function ourTool(name: string): string {
  return otherNames.find((other) => other.name === name)?.means[0] ?? name;
}

/** All names of the tool of a call, its own first. */
export function namesOfTool(tool: string, input: unknown): string[] {
  const { path } = typeof input === "object" && input !== null ? (input as { path?: unknown }) : {};
  const fits = ({ means, ending }: OtherName) =>
    means.includes(tool) && (ending === undefined || (typeof path === "string" && path.toLowerCase().endsWith(ending)));
  return [tool, ...otherNames.filter(fits).map(({ name }) => name)];
}
