// `tool team attach`: shows a running team in this terminal, and its final summary if it ends meanwhile.
import { Command } from "commander";
import type { OpenTeam } from "../../app/team/open-team.ts";
import type { Finish } from "../../app/world.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import type { TmuxHandle } from "../../team/place.ts";
import type { TeamStatus } from "../../team/report/team-status.ts";

export function teamAttachCommand(world: World, finish: Finish): Command {
  return new Command("attach")
    .description(
      "Show a running team in this terminal, or switch to its pane inside the same tmux. Ctrl-B, then d, detaches; the team keeps running.",
    )
    .argument("[team]", "which team")
    .option("--team <name>", "which team")
    .addHelpText("after", "\nExample:\n  tool team attach --team atlas")
    .action(async (name: string | undefined, options: { team?: string }) => {
      const { openTeamToSee, teamNamed } = await import("../../app/team/open-team.ts");
      finish(await attach(world, await openTeamToSee(world, teamNamed(name, options.team))));
    });
}

async function attach(world: World, team: OpenTeam): Promise<ExitCode> {
  const { teamStatus } = await import("../../team/report/team-status.ts");
  const { board, ports } = team;
  const read = teamStatus({ board, disk: ports.disk, clock: await world.edges.clock(), processes: await world.edges.processes() });
  if (!read.ok) throw new UsageError(read.reason);
  if (read.status.place.kind === "driver" && read.status.state !== "ended") return focusFirst(world, team, read.status);
  const panes = await panesToShow(world, read.status);
  for (const pane of panes) {
    const how = await world.edges.showPane(pane, world.env);
    if (how === "gone") continue;
    if (how === "selected") {
      world.stdout.write(`Team ${board.name} is shown in this tmux.\n`);
      return 0;
    }
    return afterwards(world, team, how);
  }
  throw new UsageError(
    `Cannot show team ${board.name}: none of its recorded panes was found. To look at it: ${world.command} team status --team ${board.name} --watch`,
  );
}

/** A custom display shows the first running teammate, if it can. */
async function focusFirst(world: World, { record, board }: OpenTeam, { members }: TeamStatus): Promise<ExitCode> {
  const { handlesOf } = await import("../../team/place.ts");
  const { choiceOf } = await import("../../app/team/team-ports.ts");
  const running = handlesOf(record).filter(
    ({ name, role }) => role === "teammate" && members.some((one) => one.name === name && one.pid !== null),
  );
  const [first] = running;
  if (!first)
    throw new UsageError(`Team ${board.name} has no teammate to show now. Look: ${world.command} team status --team ${board.name}`);
  const request = { team: board.name, owner: "", env: world.env, size: { columns: 80, rows: 24 }, logOf: () => "" };
  const display = await world.edges.display({ ...request, choice: await choiceOf(world, first.handle) });
  await display.focus?.(first.handle);
  world.stdout.write(`${first.name} of team ${board.name} is shown.
`);
  return 0;
}

/** Throws UsageError with the alternatives if there is nothing to attach to. */
async function panesToShow(world: World, { team, state, place, members }: TeamStatus): Promise<TmuxHandle[]> {
  if (state === "ended") throw new UsageError(`Team ${team} has ended. Its report: ${world.command} team report --team ${team}`);
  const panes = place.kind === "tmux" || place.kind === "lead" ? place.panes : [];
  if (panes.length === 0 && place.kind !== "tmux") {
    const { placeText } = await import("../../screen/team/team-status.ts");
    const leadPid = members.find(({ role }) => role === "lead")?.pid ?? null;
    throw new UsageError(
      `Team ${team} is not in tmux, so there is nothing to attach to. ${placeText(place, { team, leadPid, command: world.command })}\nFrom here: ${world.command} team status --team ${team} --watch, or ${world.command} team log --team ${team} --follow`,
    );
  }
  if (!world.stdin.isTTY || !world.stdout.isTTY)
    throw new UsageError(`Cannot show team ${team}: this is not a terminal. From here: ${world.command} team status --team ${team}`);
  return panes;
}

/** After the person has left, or the team has ended: in the latter case prints the summary and returns its exit code. */
async function afterwards(world: World, { board, record, ports }: OpenTeam, how: "detached" | "ended"): Promise<ExitCode> {
  const { namesOf } = await import("../../board/team-record.ts");
  const { readStatus } = await import("../../team/member-files.ts");
  const { readResult } = await import("../../team/lead/result.ts");
  const ends = how === "ended" || readStatus(ports.disk, board.layout, record.lead)?.state === "stopping";
  const goesOn = ends
    ? !(await within(world, endingMs, () => board.holder(record.lead) === undefined))
    : namesOf(record).some((name) => board.holder(name) !== undefined);
  if (goesOn) {
    const { detachedText } = await import("../../screen/team/team-status.ts");
    world.stdout.write(`${detachedText(board.name, world.command)}\n`);
    return 0;
  }
  const result = readResult(ports.disk, board.layout);
  if (!result)
    throw new Error(
      `The lead of team ${board.name} is gone without a report. What is known: ${world.command} team report --team ${board.name}`,
    );
  const { teamEndText } = await import("../../screen/team/team-report.ts");
  const { fitted } = await import("../../app/print/fitted.ts");
  const { styleOf } = await import("../../app/print/print-reply.ts");
  const { resumable } = await import("../../team/resume/resumable.ts");
  const more = { command: world.command, resumable: resumable({ board, disk: ports.disk, lock: await world.edges.lock() }).ok };
  world.stdout.write(`\n${await fitted(world.stdout, teamEndText(result, styleOf(world, result.report.members), more))}\n`);
  return result.code;
}

/** A lead's panes close before it has stopped its teammates and written its result. */
const endingMs = 30_000;

async function within(world: World, ms: number, isSo: () => boolean): Promise<boolean> {
  const clock = await world.edges.clock();
  for (const deadline = clock.monotonicMs() + ms; !isSo(); await clock.sleep(50)) {
    if (clock.monotonicMs() >= deadline) return false;
  }
  return true;
}
