// `tool team delete`: removes teams that have ended from this user's list of teams.
import { Command } from "commander";
import type { Deleted } from "../../app/team/delete-team.ts";
import { type Finish, UsageError, type World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Options = { force?: boolean; json?: boolean };

export function teamDeleteCommand(world: World, finish: Finish): Command {
  return new Command("delete")
    .description(
      "Delete teams that have ended: record, task list, messages and log. Refused while a team runs. Merged worktrees are removed; those with other work stay, like branches and transcripts.",
    )
    .argument("<team...>", "which teams")
    .option("--force", "also if a worktree has unmerged work, which stays as a worktree of git, or a file of the team cannot be read")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team delete atlas")
    .action((teams: string[], options: Options) => asPerson({ world, finish }, () => deleteTeams(world, finish, { teams, options })));
}

type Order = { teams: string[]; options: Options };

async function deleteTeams(world: World, finish: Finish, { teams: wanted, options }: Order): Promise<void> {
  const { noSuchTeam, teamFolders } = await import("../../app/team/open-team.ts");
  const { deleteTeam } = await import("../../app/team/delete-team.ts");
  const all = await teamFolders(world);
  const names = [...new Set(wanted)];
  const chosen = names.map((name) => {
    const team = all.find(({ board }) => board.name === name);
    if (!team) throw new UsageError(`Nothing was deleted. ${noSuchTeam(name, all, world)}`);
    return team;
  });
  const outcomes: { team: string; deleted: Deleted }[] = [];
  for (const team of chosen) {
    const deleted = await deleteTeam(world, team, { force: options.force === true });
    outcomes.push({ team: team.board.name, deleted });
    if (!options.json) world.stdout.write(`${text(team.board.name, deleted)}\n`);
  }
  const ok = outcomes.every(({ deleted }) => deleted.ok);
  const rows = outcomes.map(({ team, deleted: { kept, ...how } }) => ({
    team,
    deleted: how.ok,
    ...(!how.ok && { reason: how.reason }),
    kept,
  }));
  if (options.json) world.stdout.write(`${JSON.stringify({ ok, teams: rows })}\n`);
  finish(ok ? 0 : 1);
}

function text(team: string, deleted: Deleted): string {
  const said = deleted.ok ? `Team ${team} is deleted.` : `Cannot delete team ${team}: ${deleted.reason}`;
  return [said, ...deleted.kept.map((line) => `  ${line}`)].join("\n");
}
