// `tool team list`: every team of this user, whether its lead is running, and whether it can be resumed.
import { Command } from "commander";
import { asTyped } from "../../app/controls/as-typed.ts";
import type { TeamFolder } from "../../app/team/open-team.ts";
import type { Finish, World } from "../../app/world.ts";
import type { Resumable } from "../../team/resume/resumable.ts";

export function teamListCommand(world: World, finish: Finish): Command {
  return new Command("list")
    .description("List the teams with their members and progress, and which can be resumed.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team list")
    .action(async ({ json }: { json?: boolean }) => {
      const { allTeams } = await import("../../app/team/open-team.ts");
      const { resumable } = await import("../../team/resume/resumable.ts");
      const lock = await world.edges.lock();
      const teams = (await allTeams(world)).map((team) => teamFacts(team, resumable({ board: team.board, disk: team.ports.disk, lock })));
      if (json) world.stdout.write(`${JSON.stringify({ ok: true, teams })}\n`);
      else world.stdout.write(`${listText(teams, world.command)}\n`);
      finish(0);
    });
}

type TeamFacts = {
  name: string;
  /** The pid of the lead; null if it is not running. */
  lead_pid: number | null;
  /** Teammates that run without a lead and end by themselves if none comes back. */
  waiting_teammates: string[];
  members: string[];
  tasks: number | null;
  completed: number | null;
  created_at: string | null;
  cwd: string | null;
  cwd_exists: boolean;
  /** Whether `tool team --resume` can continue it. */
  resumable: boolean;
  /** Why it cannot be resumed. */
  not_resumable: string | null;
  /** Files of the team that cannot be read. */
  problems: string[];
};

export function teamFacts({ board, ports }: TeamFolder, resume: Resumable): TeamFacts {
  const record = board.record();
  const members = record.ok ? record.record.members : [];
  const list = board.tasks.read();
  const holder = board.holder("lead");
  return {
    name: board.name,
    lead_pid: holder?.kind === "alive" ? holder.pid : null,
    waiting_teammates: holder ? [] : members.flatMap(({ name, role }) => (role === "teammate" && board.holder(name) ? name : [])),
    members: members.map(({ name }) => name),
    tasks: list.ok ? list.list.tasks.length : null,
    completed: list.ok ? list.list.tasks.filter(({ status }) => status === "completed").length : null,
    created_at: record.ok ? record.record.created_at : null,
    cwd: record.ok ? record.record.cwd : null,
    cwd_exists: record.ok && ports.disk.changedAt(record.record.cwd) !== undefined,
    resumable: resume.ok,
    not_resumable: resume.ok ? null : resume.reason,
    problems: [...(record.ok ? [] : [record.reason]), ...(list.ok ? [] : [list.reason])],
  };
}

/** Teams that are done and whose folder is gone, as a demo's is, share one line. */
export function listText(teams: TeamFacts[], command: string): string {
  const isOver = ({ lead_pid, tasks, completed, cwd_exists }: TeamFacts) =>
    lead_pid === null && tasks && completed === tasks && !cwd_exists;
  const over = teams.filter(isOver).map(({ name }) => name);
  const lines = teams.filter((team) => !isOver(team)).map((team) => line(team, command));
  if (over.length > 0) lines.push(`Finished, and the folder is gone: ${over.join(", ")}. Delete: ${command} team delete ${over.join(" ")}`);
  return lines.join("\n") || "There are no teams yet.";
}

function line(team: TeamFacts, command: string): string {
  const done = team.tasks === null ? "" : `, ${team.completed} of ${team.tasks} tasks completed`;
  const next = team.tasks && team.completed === team.tasks ? ' "…"' : "";
  return [
    `${team.name}: ${stateWords(team)}${done}; ${team.members.join(", ")}; ${team.cwd ?? ""}`,
    ...(team.resumable ? [`  can be resumed: ${command} team --resume ${team.name}${next}`] : []),
    ...team.problems.map((problem) => `  ${asTyped(problem, command)}`),
  ].join("\n");
}

function stateWords({ lead_pid, waiting_teammates: waiting }: TeamFacts): string {
  if (lead_pid !== null) return `running as process ${lead_pid}`;
  return waiting.length === 0
    ? "not running"
    : `its lead is gone, and ${waiting.join(", ")} ${waiting.length === 1 ? "waits" : "wait"} for it`;
}
