// The process of a member that a program of the person's plays: it holds the member's name, shows the program in its pane, and says how it is.

import { readableTasks } from "../../../board/readable.ts";
import { heldBy } from "../../../board/tasks/claims.ts";
import type { Task } from "../../../board/tasks/task.ts";
import { leadGoneText } from "../../../screen/team/lead-gone-text.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { Launch } from "../../../team/launch.ts";
import { writeStatus } from "../../../team/member-files.ts";
import { ownerOfMember } from "../../../team/member-process.ts";
import { type ProgramActivity, type ProgramEnd, runProgram } from "../../../team/program/run-program.ts";
import { firstStatus, type MemberStatus, signMs } from "../../../team/report/status.ts";
import { changedMeanwhile } from "../../../team/resume/changed-meanwhile.ts";
import { teamBoard } from "../../../team/team-board.ts";
import { settingsFlags } from "../../agent-flags.ts";
import { diskNotice } from "../../disk-notice.ts";
import { openSettings } from "../../settings/open-settings.ts";
import { type Waker, waker } from "../../waker.ts";
import { UsageError, type World } from "../../world.ts";
import { updateBeforeTask } from "../handing-over.ts";
import { hungAfterMs, type Joined, joinTeam } from "../member/join-team.ts";
import { openTrees } from "../team-trees.ts";
import { type ProgramPlace, programOrder, programVariables } from "./program-order.ts";
import { programTerminal } from "./program-terminal.ts";

const pollMs = 4_000;

type ProgramLaunch = Launch & { program: string };

/** Throws UsageError if the person's settings do not name the program any more, or it cannot be started. */
export async function runProgramProcess(world: World, launch: ProgramLaunch): Promise<ProgramEnd> {
  const { name, team, program, cwd } = launch;
  const settings = await openSettings(world, settingsFlags(launch.options));
  const { members } = settings.effective;
  const entry = Object.hasOwn(members, program) ? members[program] : undefined;
  if (!entry) throw new UsageError(`Cannot start ${name}: your settings name no program "${program}" under "members".`);
  const say = (text: string) => world.stdout.write(`  ${visibleLine(text)}\r\n`);
  const joined = await joinTeam(world, launch, (refusal) => say(diskNotice(refusal, world.configDir)));
  const { board, disk, clock, mailbox, watch } = joined;
  const trees = await openTrees(world, launch);
  const folder = trees?.folderOf(name) ?? cwd;
  const place: ProgramPlace = { ...launch, branch: trees?.branchOf(name), folder: board.layout.member(name) };
  const own = programVariables(world, disk, place);
  const order = (news: string) => programOrder(entry, { world, own, news, place });
  order(""); // a variable that is not set is told before anything is started
  const wake = waker();
  const status = statusOf(launch, { world, joined, hungAfterMs: hungAfterMs(settings), process: (await world.edges.processes()).self() });
  const terminal = programTerminal({
    display: await world.edges.display({ choice, team, owner: ownerOfMember(launch), env: world.env, logOf: () => "" }),
    terminal: await world.edges.terminal(),
    write: (text) => world.stdout.write(typeof text === "string" ? text : Buffer.from(text).toString("utf8")),
    cwd: folder,
    clock,
    onSign: status.sign,
    onChange: wake.notify,
  });
  const ends = endsBySignal(world, wake);
  const stopWatching = watch.watch(watched(joined, launch), wake.notify, { pollMs });
  const wakeBy = entry.wake;
  try {
    return await runProgram({
      name,
      mailbox,
      board: teamBoard({ board, disk, name, onProblem: say, onUnsent: () => {}, now: clock.now }),
      program: {
        state: terminal.state,
        hasBegun: terminal.hasBegun,
        async start(news) {
          if (terminal.state().kind === "ended") say(`${name}'s program is started again: ${news}`);
          const { argv, env } = order(news);
          await terminal.start({ name, argv, env });
        },
        wake:
          wakeBy &&
          (async (news) => {
            const { wake: how, env } = order(news);
            if (how && "input" in how) terminal.type(how.input);
            else if (how) await terminal.beside({ name: `${name}-wake`, argv: how.argv, env });
          }),
        end: terminal.end,
      },
      touched: (since) => touchedSince(world, { launch, joined, folder, since }),
      onState: status.doing,
      async beforeStart() {
        const told = trees && (await updateBeforeTask({ trees, name }));
        if (told) say(told);
      },
      changed: wake.next,
      today: clock.now,
      ending: ends.ending,
      leadIsAlive: () => board.holder("lead") !== undefined,
      onLead: (state) =>
        say(state === "gone" ? leadGoneText(name, launch.options.leadGraceMs, { team, command: world.command }) : "The lead is back."),
      leadGraceMs: launch.options.leadGraceMs,
      now: clock.monotonicMs,
    }).then((end) => (end.reason === "signal" ? { ...end, detail: ends.signal() } : end));
  } finally {
    stopWatching();
    ends.stop();
    terminal.close();
    disk.hurry();
    joined.release();
  }
}

const choice = { ok: true, mode: "in-process", where: "lead", why: "" } as const;

function watched({ board }: Joined, { name }: Launch): string[] {
  return [`${board.layout.mailbox(name)}/new`, board.layout.record.slice(0, -"/team.json".length)];
}

function endsBySignal(world: World, wake: Waker) {
  const ending = new AbortController();
  let signalled: string | undefined;
  const stop = world.onSignal((signal) => {
    signalled ??= signal;
    ending.abort();
    wake.notify();
  });
  return { ending: ending.signal, signal: () => signalled, stop };
}

type StatusOrder = { world: World; joined: Joined; hungAfterMs: number; process: { pid: number; start: string } };

/** What others see of it. Output counts as a sign, and so does a change of its task; what its model costs nobody knows here. */
function statusOf(launch: Launch, { joined: { disk, board, clock }, hungAfterMs: hung, process }: StatusOrder) {
  let status = firstStatus(launch, { process, now: clock.now(), nowMs: clock.monotonicMs(), hungAfterMs: hung });
  const write = (next: Partial<MemberStatus>) => {
    status = { ...status, ...next, sign_ms: clock.monotonicMs() };
    writeStatus(disk, board.layout, status);
  };
  write({});
  return {
    sign() {
      if (clock.monotonicMs() - (status.sign_ms ?? 0) >= signMs) write({});
    },
    doing(state: ProgramActivity, task: Task | undefined) {
      const id = task?.id ?? null;
      if (id !== status.task || state !== status.state) write({ task: id, state, since: clock.now().toISOString() });
    },
  };
}

type TouchedOrder = { launch: ProgramLaunch; joined: Joined; folder: string; since: Date };

/** Files of its tree that have changed since it has its task, without those that the tasks of others have. Nothing if they cannot be listed. */
async function touchedSince(world: World, { launch, joined: { board, disk }, folder, since }: TouchedOrder): Promise<string[]> {
  const here = { ...world, cwd: folder };
  const work = await world.edges.work({
    cwd: folder,
    configDir: world.configDir,
    env: world.env,
    owner: `${ownerOfMember(launch)}:touched`,
    readOnly: true,
    sandboxFound: launch.sandbox,
    settings: await openSettings(here, settingsFlags(launch.options)),
  });
  try {
    const changed = await changedMeanwhile({ disk, paths: work.paths }, { cwd: folder, since: since.toISOString(), own: [] });
    const tasks = readableTasks(board);
    const own = heldBy(tasks, launch.name)?.id;
    const others = new Set(tasks.flatMap((task) => (task.id === own ? [] : (task.taken_files ?? []).map(({ path }) => path))));
    return (changed?.files ?? []).filter((path) => !others.has(path));
  } finally {
    await work.endAll();
  }
}
