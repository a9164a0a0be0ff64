// The variables that hold the tokens of forges. Only pushes and pull requests need these, so no process of an agent has them.
import type { ForgeKind } from "../../settings/settings.ts";

/** The first of a list that is set counts. Those of GitLab, Gitea and Forgejo are glab's, tea's, and the ones of programs for Forgejo, read 2026-11. */
export const forgeTokens = {
  github: ["GH_TOKEN", "GITHUB_TOKEN"],
  githubEnterprise: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
  gitlab: ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"],
  gitea: ["GITEA_TOKEN", "GITEA_SERVER_TOKEN"],
  forgejo: ["FORGEJO_TOKEN"],
} satisfies Record<ForgeKind | "githubEnterprise", string[]>;

export function withoutForgeTokens<Value>(env: Record<string, Value>): Record<string, Value> {
  const all = new Set(Object.values(forgeTokens).flat());
  return Object.fromEntries(Object.entries(env).filter(([name]) => !all.has(name)));
}
