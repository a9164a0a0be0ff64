// Which tools stand in every request of a session. The choice is made once, because a change would make the provider read the whole conversation again.
import { type Catalog, type OfferedTool, sendable } from "./catalog.ts";

/** `behind`: servers whose tools are found by searching: their list is not known yet, or too long. */
export type Standing = { tools: OfferedTool[]; behind: string[] };

export type Budget = { tokens: number; estimate: (text: string) => number };

/** The servers of which a list is known, in their order, as long as all tools of one fit. */
export function standing(servers: readonly { name: string; catalog: Catalog | undefined }[], { tokens, estimate }: Budget): Standing {
  const chosen: Standing = { tools: [], behind: [] };
  let left = tokens;
  for (const { name, catalog } of servers) {
    const cost = catalog?.tools.reduce((sum, tool) => sum + estimate(JSON.stringify({ name: tool.name, ...sendable(tool) })), 0);
    if (!catalog || cost === undefined || cost > left) {
      chosen.behind.push(name);
      continue;
    }
    left -= cost;
    chosen.tools.push(...catalog.tools);
  }
  return chosen;
}
