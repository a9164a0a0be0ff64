// `tool --place NAME`: a session whose hands are at a place. At home it works in a worktree beside the person's tree, which gets what the hands
// have changed at the end of each turn, so that `tool changes` and `tool take` know it.
import { relative } from "node:path";
import { visibleLine } from "../../screen/visible-text.ts";
import { type SessionFlags, settingsFlags } from "../agent-flags.ts";
import { note } from "../note.ts";
import { inWorktree, repositoryHere } from "../session/worktree-session.ts";
import { openSettings } from "../settings/open-settings.ts";
import { untilSignal } from "../until-signal.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { lastingHands } from "./lasting-hands.ts";
import { placeNamed } from "./place-named.ts";

type Run = (world: World) => Promise<ExitCode>;
/** Loads the session's part of the program, for which hands need not wait. */
type LoadRun = () => Promise<Run>;

type PlaceFlags = SessionFlags & { place: string };

/** For a session that had its hands there before. A place that the settings no longer name is said, and it goes on on this machine. */
export async function inPlaceAgain(world: World, { place, ...flags }: PlaceFlags, load: LoadRun): Promise<ExitCode> {
  const { places } = (await openSettings(world, settingsFlags(flags))).effective;
  if (placeNamed(places, place).ok) return inPlace(world, { ...flags, place }, load);
  note(
    world,
    `This session had its hands at the place "${place}", which your settings no longer have. It goes on here; --place chooses another.`,
  );
  return inWorktree(world, flags, await load());
}

export async function inPlace(world: World, flags: PlaceFlags, load: LoadRun): Promise<ExitCode> {
  const found = placeNamed((await openSettings(world, settingsFlags(flags))).effective.places, flags.place);
  if (!found.ok) throw new UsageError(found.reason);
  const { place } = found;
  world.stderr.write(`Starting hands at the place "${place.name}": ${place.command.join(" ")}\n`);
  let isRunning = () => {};
  const running = new Promise<void>((resolve) => (isRunning = resolve));
  const hands = lastingHands(world, {
    choose: ({ failed }) => (failed.length === 0 ? place : undefined),
    onSaid: (line) => world.stderr.write(`${visibleLine(line)}\n`),
    onCommand: isRunning,
  });
  /** What hands need not wait for is done while they start. The worktree is made for hands that are there: a place that is not reached leaves none. */
  const start = async (ending: AbortSignal) => {
    const starting = hands.start(ending);
    await Promise.race([running, starting]);
    const [repository, run] = await Promise.all([repositoryHere(world), load(), starting]);
    return { repository, run };
  };
  try {
    const started = await untilSignal(world, (ending) => unlessInterrupted(ending, start));
    if (started === "interrupted") return 130;
    const { repository, run } = started;
    hands.foresee(repository.root);
    return await inWorktree(world, { ...flags, worktree: flags.worktree ?? true, repository }, async (where) => {
      const { cwd, copyOf } = where;
      const { root = cwd, name = "work", made } = copyOf ?? {};
      return run(hands.serve(where, { root, top: topOf(cwd, copyOf), cwd, name, ref: name, made }, { waits: true }));
    });
  } finally {
    await hands.leave();
  }
}

async function unlessInterrupted<T>(ending: AbortSignal, work: (ending: AbortSignal) => Promise<T>): Promise<T | "interrupted"> {
  try {
    return await work(ending);
  } catch (error) {
    if (ending.aborted) return "interrupted";
    throw error;
  }
}

/** The root of the worktree: as far above the working directory as the person's folder is below their root. */
function topOf(cwd: string, copyOf: World["copyOf"]): string {
  const within = copyOf ? relative(copyOf.root, copyOf.from) : "";
  return within === "" ? cwd : cwd.slice(0, -within.length - 1);
}
