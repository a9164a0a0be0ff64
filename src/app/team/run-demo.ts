// `tool team --demo` and `tool demo`: a scripted team on a scratch copy of a small program, which is removed afterwards. `tool demo places` is the
// same team in worktrees, with two of its hands at places beside the copy.
import { dirname } from "node:path";
import { type DemoPlaces, demo, placesDemo, placesWords, preparing, type ScratchRepository } from "../../team/demo.ts";
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
  const places = flags.demo === "places" ? await placesBeside(world, scratch) : undefined;
  if (places) out.write(`${placesWords(places)}\n`);
  try {
    const own: Flags = {
      ...flags,
      ...(places && withPlaces(flags, places)),
      script: flags.script ?? `${world.packageDir}/${demo.script}`,
      allow: [...flags.allow, ...demo.allow],
      teammates: demo.teammates,
    };
    const cwd = scratch.path;
    await removePastDemos(world);
    // The demo needs no switch: teams are enabled for its own processes.
    const here: World = { ...world, env: { ...world.env, TOOL_EXPERIMENTAL_AGENT_TEAMS: "1" } };
    const { prompt } = places ? placesDemo : demo;
    return await runTeam(here, { prompt, flags: own, choice, attended, cwd, scratch, interrupted: interrupted.signal });
  } finally {
    stopSignals();
    if (await isAtWork(world, scratch.path)) world.stdout.write(`Its copy of the program stays in ${scratch.path}\n`);
    else {
      await places?.end();
      scratch.remove();
    }
  }
}

/** Removed with the copy. */
async function placesBeside({ edges }: World, scratch: ScratchRepository): Promise<DemoPlaces> {
  try {
    return await edges.demoPlaces(
      dirname(scratch.path),
      placesDemo.teammate.map(({ place }) => place),
    );
  } catch (error) {
    scratch.remove();
    throw error;
  }
}

const withPlaces = ({ settings = [] }: Flags, places: DemoPlaces) => ({
  worktrees: true,
  settings: [...settings, places.settings],
  teammate: [...placesDemo.teammate],
});

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
