// Names of agents in other products, which models and rules written for those ask for, and our agent that does the same.

/** A person's own definition of such a name comes before ours. */
export const otherAgentNames: Readonly<Record<string, string>> = {
  "general-purpose": "general",
  general_purpose: "general",
  default: "general",
  Explore: "explorer",
  explore: "explorer",
  Plan: "explorer",
  plan: "explorer",
  "code-reviewer": "reviewer",
};

/** Our name for it; every other name is returned as it is. */
export function ourAgent(name: string): string {
  return Object.hasOwn(otherAgentNames, name) ? otherAgentNames[name]! : name;
}
