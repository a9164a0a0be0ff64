// Makes a new team's folder and name, and the launch of its lead.
import { createTeam } from "../../board/create-team.ts";
import { teamsFolder } from "../../board/layout.ts";
import type { PlaceRoom } from "../../places/free-place.ts";
import type { Launch } from "../../team/launch.ts";
import type { TeamOptions } from "../../team/place.ts";
import { keptOptions } from "../../team/resume/kept-options.ts";
import type { TreesRecord } from "../../team/worktrees.ts";
import { settingsFlags } from "../agent-flags.ts";
import { msFrom } from "../ms-from.ts";
import { UsageError, type World } from "../world.ts";
import type { Run } from "./team-run.ts";
import { newTrees } from "./team-trees.ts";

/** Makes the team's folder under the first free name, and the lead's launch. */
export async function newTeam(world: World, { prompt, flags, choice, attended, cwd }: Run, places?: PlaceRoom[]): Promise<Launch> {
  const [disk, lock, clock] = await Promise.all([world.edges.disk(), world.edges.lock(), world.edges.clock()]);
  const folder = teamsFolder(world.configDir);
  const leadGraceMs = leadGraceOf(world);
  const session = world.uniqueId();
  const worktrees = flags.worktrees ? await newTrees(world, { cwd, mark: session.slice(0, 8) }) : undefined;
  const recorded = {
    where: choice.where,
    lead_grace_ms: leadGraceMs,
    ...(worktrees && { worktrees }),
    ...(flags.demo && { demo: true }),
    ...keptOptions(flags),
  } satisfies TeamOptions;
  const create = (name: string) =>
    createTeam({ disk, lock, clock }, `${folder}/${name}`, { name, cwd, members: ["lead"], options: recorded });
  const names = () => freeName(flags.demo ? ["demo"] : teamNames, new Set(disk.list(folder)));
  let team = names();
  let created = create(team);
  // Another team that starts at the same moment may take the name first.
  while (!created.ok && team !== names()) {
    team = names();
    created = create(team);
  }
  if (!created.ok) throw new UsageError(created.reason);
  return leadLaunch(world, { prompt, flags, attended, cwd }, { team, session, leadGraceMs, worktrees, places });
}

/** How long teammates wait for a lost lead: from the environment, or `otherwiseMs`. */
export function leadGraceOf({ env }: Pick<World, "env">, otherwiseMs = defaultGraceSeconds * 1000): number {
  return msFrom(env["TOOL_LEAD_GRACE_SECONDS"], otherwiseMs);
}

export type LaunchedTeam = {
  team: string;
  session: string;
  leadGraceMs: number;
  resumed?: Launch["resumed"];
  worktrees?: TreesRecord | undefined;
  places?: PlaceRoom[] | undefined;
};

/** Everything that a team's lead is started with. */
export function leadLaunch(
  world: World,
  { prompt, flags, attended, cwd }: Pick<Run, "prompt" | "flags" | "attended" | "cwd">,
  { team, session, leadGraceMs, resumed, worktrees, places }: LaunchedTeam,
): Launch {
  const { maxTurns, budgetUsd, display, teammates, teammate, leadMayEdit, test } = flags;
  return {
    version: 1,
    role: "lead",
    team,
    name: "lead",
    session,
    cwd,
    configDir: world.configDir,
    nonce: world.uniqueId(),
    managedSettings: world.managedSettings,
    env: Object.fromEntries(Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    prompt,
    ...(resumed && { resumed }),
    ...(worktrees && { worktrees }),
    options: {
      ...settingsFlags(flags),
      attended,
      maxTurns,
      budgetUsd,
      leadGraceMs,
      display,
      ...(places && { places }),
      teammates,
      named: teammate,
      leadMayEdit,
      test,
      endWhenDone: !attended || flags.demo !== undefined,
    },
  };
}

const defaultGraceSeconds = 120;

/** Short, easy to type, and easy to distinguish. */
const teamNames = ["atlas", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "inlet", "juniper", "kestrel", "larch"];

function freeName(names: string[], taken: ReadonlySet<string>): string {
  for (let round = 1; ; round++) {
    const free = names.map((name) => (round === 1 ? name : `${name}-${round}`)).find((name) => !taken.has(name));
    if (free) return free;
  }
}
