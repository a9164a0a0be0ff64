// `tool team status`: who does what, and why the team is stuck if it is. With --watch it keeps the display up to date.
import { Command } from "commander";
import { waker } from "../../app/waker.ts";
import type { Finish } from "../../app/world.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import type { Board } from "../../board/board.ts";
import type { StatusRead, TeamStatus } from "../../team/report/team-status.ts";

type Options = { watch?: boolean; team?: string; json?: boolean };

/** Needed because a death sends no notification and times keep changing. */
const pollMs = 1_000;

export function teamStatusCommand(world: World, finish: Finish): Command {
  return new Command("status")
    .description("Show who is doing what, how far the tasks are, and why the team is stuck if it is.")
    .argument("[team]", "which team")
    .option("--watch", "keep showing it until Ctrl-C or the team's end; without a terminal, one line per change")
    .option("--team <name>", "which team")
    .option("--json", "print JSON; with --watch, one line per change")
    .addHelpText("after", "\nExample:\n  tool team status --team atlas --watch")
    .action(async (team: string | undefined, options: Options) => finish(await showStatus(world, team, options)));
}

type Shown = {
  board: Board;
  members: string[];
  now: () => Date;
  read: () => StatusRead;
  text: (status: TeamStatus) => string;
  json: boolean;
};

async function showStatus(world: World, name: string | undefined, { watch, team, json }: Options): Promise<ExitCode> {
  const { openTeamToSee, teamNamed } = await import("../../app/team/open-team.ts");
  const { styleOf, widthOf } = await import("../../app/print/print-reply.ts");
  const { teamStatus } = await import("../../team/report/team-status.ts");
  const { teamStatusText } = await import("../../screen/team/team-status.ts");
  const { namesOf } = await import("../../board/team-record.ts");
  const { board, record, ports } = await openTeamToSee(world, teamNamed(name, team));
  const { resumable } = await import("../../team/resume/resumable.ts");
  const [processes, clock, lock] = await Promise.all([world.edges.processes(), world.edges.clock(), world.edges.lock()]);
  const style = styleOf(world, namesOf(record));
  const shown: Shown = {
    board,
    members: namesOf(record),
    now: clock.now,
    read: () => teamStatus({ board, disk: ports.disk, clock, processes }),
    text: (status) =>
      teamStatusText(status, {
        style,
        now: clock.now(),
        command: world.command,
        resumable: resumable({ board, disk: ports.disk, lock }).ok,
        columns: widthOf(world.stdout),
      }),
    json: json === true,
  };
  if (watch) return watchStatus(world, shown);
  const text = shownOnce(readNow(shown), shown);
  const { fitted } = await import("../../app/print/fitted.ts");
  world.stdout.write(`${json ? text : await fitted(world.stdout, text)}\n`);
  return 0;
}

/** Throws UsageError with the file that cannot be read. */
function readNow({ read }: Shown): TeamStatus {
  const status = read();
  if (!status.ok) throw new UsageError(status.reason);
  return status.status;
}

function shownOnce(status: TeamStatus, { text, json }: Shown): string {
  return json ? JSON.stringify({ ok: true, ...status }) : text(status);
}

/** Ends when no process of the team runs any more, or when the person wants to. */
async function watchStatus(world: World, shown: Shown): Promise<ExitCode> {
  const { layout } = shown.board;
  const ending = new AbortController();
  const wake = waker();
  const stopSignals = world.onSignal(() => ending.abort());
  const watch = await world.edges.watch();
  const folders = [`${layout.record}/..`, `${layout.log}/..`, ...shown.members.map(layout.member)];
  const stopWatching = watch.watch(folders, wake.notify, { pollMs });
  const view = await openView(world, shown, () => ending.abort());
  try {
    for (;;) {
      const status = readNow(shown);
      const open = await view.show(status);
      if (!open || status.state === "ended") return 0;
      await wake.next(ending.signal);
      if (ending.signal.aborted) return 130;
    }
  } finally {
    stopWatching();
    stopSignals();
    view.close();
  }
}

/** `show` resolves to false when nobody is watching any more. */
type View = { show(status: TeamStatus): Promise<boolean>; close(): void };

async function openView(world: World, shown: Shown, onQuit: () => void): Promise<View> {
  const terminal = shown.json ? null : await world.edges.terminal();
  if (!terminal) return changesView(world, shown);
  const { createWatchScreen } = await import("../../screen/terminal/watch-screen.ts");
  const screen = createWatchScreen(terminal, onQuit);
  let last = "";
  return {
    async show(status) {
      last = shown.text(status);
      screen.show(last);
      return true;
    },
    close() {
      screen.close();
      world.stdout.write(`${last}\n`);
    },
  };
}

async function changesView(world: World, { now, json }: Shown): Promise<View> {
  const { statusChanges } = await import("../../screen/team/team-status.ts");
  const { clockTime } = await import("../../wording/figures.ts");
  let before: TeamStatus | undefined;
  return {
    async show(status) {
      const changes = statusChanges(before, status);
      before = status;
      const time = clockTime(now().getTime() - Date.parse(status.created_at));
      const lines = json
        ? changes.length > 0
          ? [JSON.stringify({ ok: true, ...status })]
          : []
        : changes.map((change) => `${time} ${change}`);
      if (lines.length > 0) world.stdout.write(`${lines.join("\n")}\n`);
      return (await world.stdout.drained()) === "open";
    },
    close() {
      // Printed lines stay.
    },
  };
}
