// `tool team create`: makes a team record without processes, for scripts and other programs. Such members are not supervised.
import { Command } from "commander";
import type { Finish } from "../../app/world.ts";
import { UsageError, type World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

/** Checked here and not by commander, which would not look at the name any more. */
type CreateFlags = { members?: string; json?: boolean };

const membersMissing = "Name the members, as in --members lead,ann,bo";

export function teamCreateCommand(world: World, finish: Finish): Command {
  return new Command("create")
    .description("Create a team without starting any process: other programs can be its members through `tool team exec`.")
    .argument("<name>", "1 to 40 of a-z, 0-9 and -")
    .option("--members <names>", "separated by commas; the lead is always one of them")
    .option("--json", "print the team record as JSON")
    .addHelpText("after", "\nExample:\n  tool team create atlas --members lead,ann,bo")
    .action((name: string, options: CreateFlags) => asPerson({ world, finish }, () => create(world, name, options)));
}

async function create(world: World, name: string, { members, json }: CreateFlags): Promise<void> {
  const { teamNameProblem } = await import("../../board/names.ts");
  if (members === undefined) throw new UsageError([teamNameProblem(name), membersMissing].flatMap((one) => one ?? []).join(".\n"));
  const { createTeam } = await import("../../board/create-team.ts");
  const { teamsFolder } = await import("../../board/layout.ts");
  const { boardPorts } = await import("../../app/team/open-team.ts");
  const folder = `${teamsFolder(world.configDir)}/${name}`;
  const team = { name, cwd: world.cwd, members: members.split(",").map((member) => member.trim()) };
  const created = createTeam(await boardPorts(world.edges), folder, team);
  if (!created.ok) throw new UsageError(created.reason);
  const { record } = created;
  const text = `Team ${name} has ${record.members.map((member) => member.name).join(", ")}. Its files are in ${folder}`;
  world.stdout.write(`${json ? JSON.stringify({ ok: true, team: record }) : text}\n`);
}
