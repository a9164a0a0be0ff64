// Runs a team from its first file to its summary. The lead runs here, or in the first pane of a tmux server of the team's own.
import type { TeamEvent } from "../../board/event.ts";
import { createStyle } from "../../screen/style.ts";
import { teamEndText } from "../../screen/team/team-report.ts";
import { afterDemo, demo, type ScratchRepository, testing } from "../../team/demo.ts";
import type { Launch } from "../../team/launch.ts";
import { readResult, type TeamResult } from "../../team/lead/result.ts";
import { readExit } from "../../team/member-files.ts";
import { settingsFlags } from "../agent-flags.ts";
import { agentModel, checkBudget, checkModel } from "../agent-model.ts";
import { note } from "../note.ts";
import { placeNamed } from "../places/place-named.ts";
import { teamPlaces } from "../places/team-places.ts";
import { errorLine, incidentLines } from "../print/error-line.ts";
import { fitted } from "../print/fitted.ts";
import { plainUnlessRead } from "../print/print-reply.ts";
import { openSettings } from "../settings/open-settings.ts";
import { testWarnings } from "../test-warnings.ts";
import { type ExitCode, LeftBeforeStart, type World } from "../world.ts";
import { runLeadProcess } from "./lead/lead.ts";
import { newTeam } from "./new-team.ts";
import { checkNamed } from "./roles.ts";
import { layoutOf, openDisplay, ownerOf, untilLead } from "./team-place.ts";
import type { Flags, ResumedTeam, Run } from "./team-run.ts";
import { openTrees } from "./team-trees.ts";

export async function runTeam(world: World, run: Run): Promise<ExitCode> {
  const { flags, choice, attended, scratch, cwd, interrupted } = run;
  const settings = await openSettings({ ...world, cwd }, settingsFlags(flags));
  const { effective } = settings;
  await checkModel(world, settings);
  checkBudget(flags.budgetUsd, agentModel(world, effective));
  const hasTrees = run.resumed ? run.resumed.hasTrees : flags.worktrees === true;
  const isKept = run.resumed?.hasKeptPlaces === true;
  const places = teamPlaces(flags, effective.places, { hasTrees, isKept });
  const isThere = (place: string) => placeNamed(effective.places, place).ok;
  const teammate = await checkNamed({ ...world, cwd }, flags.teammate ?? [], { settings, mayTrust: attended });
  await warnOfTest({ ...world, cwd }, run);
  const out = flags.outputFormat === "text" ? world.stdout : world.stderr;
  const print = (text: string) => out.write(text);
  const before = scratch && (await scratch.test(interrupted));
  if (interrupted?.aborted) return 130; // before the team exists, because it would have no lead
  const created = run.resumed
    ? await run.resumed.launch({ ...flags, teammate }, { places, isThere })
    : await newTeam(world, { ...run, flags: { ...flags, teammate } }, places);
  const launch = { ...created, opening: { where: choice.where, why: choice.why, before: before?.summary, command: world.command } };
  const ledToEnd = led(world, run, { launch, print });
  const result = await (run.resumed ? ledToEnd : deletedUnlessBegun(world, launch.team, ledToEnd));
  if (result === "detached") return 0;
  const style = createStyle(attended ? world.env : plainUnlessRead(world), () => result.report.members, world.theme);
  // The branch of a demo goes with its copy.
  const report = teamEndText(scratch ? { ...result, worktrees: [] } : result, style, {
    command: world.command,
    resumable: scratch === undefined,
  });
  print(`\n${await fitted(out, report)}\n`);
  if (!attended) sayShortfall(world, result, { isReportThere: out === world.stderr });
  if (scratch) print(`${testing}\n`);
  if (scratch) await takeMerged({ ...world, cwd }, launch, scratch);
  const checked = scratch && (await scratch.test());
  if (checked) {
    const outcome = `Checked: node --test → ${checked.summary} (before: ${before?.summary}). ${(await scratch.changes()) || "No file changed"}.`;
    print(`${await fitted(out, `${outcome}\n${demo.notice}`)}\n`);
    if (attended) print(`\n${afterDemo(world.command)}\n`); // not fitted: a broken command cannot be pasted
  }
  const code = checked && !checked.green && result.code === 0 ? 1 : result.code;
  if (flags.outputFormat !== "text") {
    world.stdout.write(
      `${JSON.stringify({ type: "result", ok: code === 0, ...result.report, ended: result.end.how, exit_code: code, checked })}\n`,
    );
  }
  return code;
}

async function led(
  world: World,
  { piped, flags, choice, attended, cwd, interrupted, resumed }: Run,
  { launch, print }: { launch: Launch; print: (text: string) => void },
): Promise<TeamResult | "detached"> {
  if (attended && choice.mode === "tmux" && choice.where === "private") return leadInPrivateServer(world, launch, { print, resumed });
  const display = await openDisplay(world, launch, choice);
  return runLeadProcess({ ...world, cwd }, { launch, piped, display, print, onEvent: eventsTo(world, flags), interrupted });
}

/** A new team whose lead the person has left before it had a session leaves nothing behind. */
async function deletedUnlessBegun<T>(world: World, name: string, led: Promise<T>): Promise<T> {
  try {
    return await led;
  } catch (error) {
    if (!(error instanceof LeftBeforeStart)) throw error;
    const { allTeams } = await import("./open-team.ts");
    const team = (await allTeams(world)).find(({ board }) => board.name === name);
    if (team) await (await import("./delete-team.ts")).deleteTeam(world, team, { force: true });
    throw error;
  }
}

/** The copy of a demo gets what its teammates have handed over from their worktrees. */
async function takeMerged(world: World, launch: Launch, scratch: ScratchRepository): Promise<void> {
  const trees = await openTrees(world, { worktrees: launch.worktrees, team: launch.team, name: "lead", cwd: launch.cwd });
  if (await trees?.hasMerged()) await scratch.take(trees!.merged);
}

/** On standard error, where a script looks; the report names what was lacking as well. */
function sayShortfall({ stderr }: World, { report, end }: TeamResult, { isReportThere }: { isReportThere: boolean }): void {
  for (const line of isReportThere ? [] : incidentLines(report)) stderr.write(line);
  if (end.how === "interrupted") stderr.write(errorLine("Interrupted."));
}

/** Warns at the start about anything that would prevent the final test of the merged work. */
async function warnOfTest(world: World, { flags, attended }: Run): Promise<void> {
  if (flags.test === undefined) return;
  const otherwise = attended ? undefined : "nobody can be asked here: the merged work will not be tested, and the team ends with 1.";
  for (const warning of await testWarnings(world, { tests: [flags.test], flags, otherwise })) note(world, warning);
}

/** Prints each event of the team as a line, as in the team's log. */
function eventsTo({ stdout }: World, { outputFormat }: Flags): ((event: TeamEvent) => void) | undefined {
  return outputFormat === "stream-json" ? (event) => stdout.write(`${JSON.stringify({ type: "event", ...event })}\n`) : undefined;
}

/** Runs the lead in the first pane of a tmux server of the team's own, which this terminal shows until the person detaches or the team ends. */
async function leadInPrivateServer(
  world: World,
  launch: Launch,
  { print, resumed }: { print: (text: string) => void; resumed: ResumedTeam | undefined },
): Promise<TeamResult | "detached"> {
  const disk = await world.edges.disk();
  const layout = layoutOf(world, launch.team);
  const path = `${layout.member("lead")}/launch.json`;
  disk.replace(path, JSON.stringify(launch satisfies Launch));
  const { team, cwd } = launch;
  const argv = [...world.self, "lead", "--launch", path];
  const former = resumed?.panes ?? [];
  const server = await world.edges.startPrivateServer({ team, owner: ownerOf(launch), argv, cwd, env: world.env, former });
  await resumed?.onLead();
  const how = await world.edges.attach(server.socket, world.env);
  if (how === "detached") {
    const { detachedText } = await import("../../screen/team/team-status.ts");
    print(`${detachedText(launch.team, world.command)}\n`);
    return "detached";
  }
  await untilLead(world, launch.team, { runs: false, atMostMs: longestEndMs });
  const result = readResult(disk, layout);
  if (result) return result;
  const exit = readExit(disk, layout, "lead");
  if (exit?.nonce === launch.nonce && exit.code === 130) throw new LeftBeforeStart(exit.detail);
  throw new Error(
    `The lead of team ${launch.team} ended without a report${exit?.detail ? `: ${exit.detail}` : ""}. Its log: ${world.command} team log --team ${launch.team}`,
  );
}

/** A lead whose server was killed still stops its teammates and writes its result. */
const longestEndMs = 30_000;
