// A new team's folder and name, and everything its lead is started with.
import { createTeam } from "../../board/create-team.ts";
import { teamsFolder } from "../../board/layout.ts";
import type { Launch } from "../../team/launch.ts";
import type { TeamOptions } from "../../team/place.ts";
import { UsageError, type World } from "../world.ts";
import type { Run } from "./run-team.ts";

/** Makes the team's folder under the first free name, and the lead's launch. */
export async function newTeam(world: World, { prompt, flags, choice, attended, cwd }: Run): Promise<Launch> {
  const [disk, lock, clock] = await Promise.all([world.edges.disk(), world.edges.lock(), world.edges.clock()]);
  const folder = teamsFolder(world.configDir);
  const graceSeconds = Number(world.env["TOOL_LEAD_GRACE_SECONDS"] ?? defaultGraceSeconds);
  const leadGraceMs = (Number.isFinite(graceSeconds) && graceSeconds >= 0 ? graceSeconds : defaultGraceSeconds) * 1000;
  const recorded: TeamOptions = { where: choice.where, lead_grace_ms: leadGraceMs };
  const create = (name: string) =>
    createTeam({ disk, lock, clock }, `${folder}/${name}`, { name, cwd, members: ["lead"], options: recorded });
  const names = () => freeName(flags.demo ? ["demo"] : teamNames, new Set(disk.list(folder)));
  let team = names();
  let created = create(team);
  // Another team that starts in the same moment may take the name first.
  while (!created.ok && team !== names()) {
    team = names();
    created = create(team);
  }
  if (!created.ok) throw new UsageError(created.reason);
  const { model, effort, fallbackModel, script, allow, deny, permissionMode, addDir, settings, trust } = flags;
  const { maxTurns, budgetUsd, display, teammates, teammate, leadMayEdit } = flags;
  return {
    version: 1,
    role: "lead",
    team,
    name: "lead",
    session: world.uniqueId(),
    cwd,
    configDir: world.configDir,
    nonce: world.uniqueId(),
    managedSettings: world.managedSettings,
    env: Object.fromEntries(Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    prompt,
    options: {
      model,
      effort,
      fallbackModel,
      script,
      attended,
      allow,
      deny,
      permissionMode,
      addDir,
      settings,
      trust,
      maxTurns,
      budgetUsd,
      leadGraceMs,
      display,
      teammates,
      named: teammate,
      leadMayEdit,
      endWhenDone: !attended || flags.demo === true,
    },
  };
}

const defaultGraceSeconds = 120;

/** Short, easy to type, and apart from each other. */
const teamNames = ["atlas", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "inlet", "juniper", "kestrel", "larch"];

function freeName(names: string[], taken: ReadonlySet<string>): string {
  for (let round = 1; ; round++) {
    const free = names.map((name) => (round === 1 ? name : `${name}-${round}`)).find((name) => !taken.has(name));
    if (free) return free;
  }
}
