// `tool team --demo` and `tool demo`: a scripted team on a scratch copy of a small program, which is removed afterwards.
import { demo, preparing } from "../../team/demo.ts";
import type { ExitCode, World } from "../world.ts";
import { deleteTeam } from "./delete-team.ts";
import { allTeams, isPastDemo } from "./open-team.ts";
import { runTeam } from "./run-team.ts";
import type { Flags, Run } from "./team-run.ts";

/** The team's exit code, or 1 if the program's own tests still fail. */
export async function runDemo(world: World, { flags, choice, attended }: Pick<Run, "flags" | "choice" | "attended">): Promise<ExitCode> {
  const interrupted = new AbortController();
  const stopSignals = world.onSignal(() => interrupted.abort()); // ends the team first, then removes the copy
  const out = flags.outputFormat === "text" ? world.stdout : world.stderr;
  out.write(`${preparing}\n`);
  const scratch = await world.edges.scratchRepository(`${world.packageDir}/${demo.repository}`);
  try {
    const own: Flags = {
      ...flags,
      script: flags.script ?? `${world.packageDir}/${demo.script}`,
      allow: [...flags.allow, ...demo.allow],
      teammates: demo.teammates,
      demo: true,
    };
    const cwd = scratch.path;
    await removePastDemos(world);
    // The demo needs no switch: teams are enabled for its own processes.
    const here: World = { ...world, env: { ...world.env, TOOL_EXPERIMENTAL_AGENT_TEAMS: "1" } };
    return await runTeam(here, { prompt: demo.prompt, flags: own, choice, attended, cwd, scratch, interrupted: interrupted.signal });
  } finally {
    stopSignals();
    if (await isAtWork(world, scratch.path)) world.stdout.write(`Its copy of the program stays in ${scratch.path}\n`);
    else scratch.remove();
  }
}

/** Each demo is called `demo`, and only the last one can be looked at afterwards. */
async function removePastDemos(world: World): Promise<void> {
  for (const team of (await allTeams(world)).filter(isPastDemo)) await deleteTeam(world, team, { force: true });
}

/** Whether a live lead works in that folder: the person may have detached from a running team. */
async function isAtWork(world: World, cwd: string): Promise<boolean> {
  return (await allTeams(world)).some(({ board }) => {
    const read = board.record();
    return read.ok && read.record.cwd === cwd && board.holder("lead") !== undefined;
  });
}
