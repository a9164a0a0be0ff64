// Starts the process of a unit's agent: this program again, in the unit's worktree.
import { type StartUnit, type UnitEnd, unitLineSchema } from "../../batch/unit-agent.ts";
import type { World } from "../world.ts";

export async function unitStarter(world: World): Promise<StartUnit> {
  const [lineProcess, env] = await Promise.all([world.edges.lineProcess(), world.edges.withoutForgeTokens(world.env)]);
  return ({ folder, ...order }, { line, signal }) => {
    let end: UnitEnd | undefined;
    const child = lineProcess({
      argv: [...world.self, "unit", "--launch", "-"],
      cwd: folder,
      env,
      signal,
      onLine(text) {
        const read = unitLineSchema.safeParse(jsonOf(text));
        if (!read.success) return;
        if (read.data.type === "outcome") end = { kind: "outcome", outcome: read.data.outcome };
        line(read.data);
      },
    });
    child.write(JSON.stringify(order));
    return {
      othersSpent: (usd) => child.write(JSON.stringify({ othersSpentUsd: usd })),
      ended: child.ended.then((how) => end ?? { kind: "ended", how }),
    };
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a library printed something else
  }
}
