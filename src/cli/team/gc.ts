// `tool team gc`: removes what teams left behind after a power cut or a killed lead, worktrees included. It touches only what is recorded, marked and
// verified; records stay.

import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import type { Leftover, Leftovers, Reaped, TeamPorts } from "../../team/leftovers.ts";
import { errorText } from "../../wording/error-text.ts";
import { plural } from "../../wording/figures.ts";
import { asPerson } from "../as-person.ts";

type Options = { dryRun?: boolean; json?: boolean };

export function teamGcCommand(world: World, finish: Finish): Command {
  return new Command("gc")
    .description(
      "Clean up after a lead that died: end its teammates, commands, panes and tmux servers, block tasks whose owner has ended, and remove merged worktrees of finished teams. Teams with a live lead are left alone.",
    )
    .option("--dry-run", "only list what would be ended")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team gc --dry-run")
    .action((options: Options) => asPerson({ world, finish }, () => collect(world, finish, options)));
}

/** `found` appears only in a dry run. */
type Row = { team: string; kind: Leftover["kind"] | "worktree" | "folder"; what: string; outcome: Reaped["kind"] | "found"; how: string };
type Found = { rows: Row[]; notes: string[] };

async function collect(world: World, finish: Finish, { dryRun = false, json }: Options): Promise<void> {
  const { allTeams } = await import("../../app/team/open-team.ts");
  const { teamPorts } = await import("../../app/team/team-ports.ts");
  const teams = await allTeams(world);
  const all: Found = { rows: [], notes: [] };
  for (const { board, ports } of teams) {
    const read = board.record();
    if (!read.ok) {
      all.notes.push(`${board.name}: ${read.reason}`);
      continue;
    }
    try {
      const { rows, notes } = await collectTeam(world, await teamPorts(world, { board, ports, record: read.record }), { dryRun });
      all.rows.push(...rows);
      all.notes.push(...notes);
    } catch (error) {
      // An unreadable file of this team must not prevent the cleanup of others.
      all.notes.push(`${board.name}: ${errorText(error)}`);
    }
  }
  all.rows.push(...(await collectDeletions(world, { dryRun })));
  if (json)
    world.stdout.write(`${JSON.stringify({ ok: true, dry_run: dryRun, teams: teams.length, found: all.rows, notes: all.notes })}\n`);
  else world.stdout.write(`${text(all, teams.length)}\n`);
  finish(all.rows.some(({ outcome }) => outcome === "failed") ? 1 : 0);
}

async function collectDeletions(world: World, { dryRun }: { dryRun: boolean }): Promise<Row[]> {
  const { unfinishedDeletions } = await import("../../app/team/delete-team.ts");
  const left = await unfinishedDeletions(world);
  if (!dryRun) await Promise.all(left.map(({ folder }) => world.edges.removeFolder(folder)));
  const result = dryRun ? { outcome: "found" as const, how: "would be removed" } : { outcome: "done" as const, how: "removed" };
  return left.map(({ team, folder }) => ({ team, kind: "folder", what: `${folder}, which a killed deletion left`, ...result }));
}

async function collectTeam(world: World, team: TeamPorts, { dryRun }: { dryRun: boolean }): Promise<Found> {
  const { settleWorktrees: leftTrees } = await import("../../app/team/settle-worktrees.ts");
  const { leadGoneReason } = await import("../../team/end-reasons.ts");
  const { findLeftovers, reap } = await import("../../team/leftovers.ts");
  const { leftoverText } = await import("../../screen/team/leftover-text.ts");
  const name = team.board.name;
  const rows: Row[] = [];
  const first = await findLeftovers(team, { note: !dryRun, patient: true });
  for (const leftover of first.found) {
    const { kind, how } = dryRun ? { kind: "found" as const, how: plan(leftover) } : await reap(leftover, team, leadGoneReason);
    rows.push({ team: name, kind: leftover.kind, what: leftoverText(leftover), outcome: kind, how });
  }
  const notes = notesOf(first, { team: name, command: world.command });
  try {
    for (const tree of await leftTrees(world, team, { dryRun })) rows.push({ team: name, kind: "worktree", ...tree });
  } catch (error) {
    notes.push(`${name}: ${errorText(error)}`); // what was ended before is reported anyway
  }
  return { rows, notes };
}

function plan(leftover: Leftover): string {
  if (leftover.kind === "server" && leftover.others > 0) return "would be left running, because it has panes of yours";
  if (leftover.kind === "task") return "would be blocked";
  return leftover.kind === "socket" || leftover.kind === "launch_file" ? "would be removed" : "would be ended";
}

function notesOf({ waiting, problems }: Leftovers, { team, command }: { team: string; command: string }): string[] {
  const waits = waiting.map(
    ({ name, pid, until }) =>
      `${team}: ${name}, process ${pid}, waits for its lead until ${until.toISOString()} and then ends. To end it now: ${command} team stop --team ${team}`,
  );
  return [...waits, ...problems.map((problem) => `${team}: ${problem}`)];
}

function text({ rows, notes }: Found, teams: number): string {
  const lines = [...rows.map(({ team, what, how }) => `${team}: ${what}: ${how}`), ...notes];
  return lines.length > 0 ? lines.join("\n") : `Nothing is left over. Looked at ${plural(teams, "team")}.`;
}
