// Chooses the kind of session that the flags ask for; impossible combinations are refused before anything is opened.
import type { SessionFlags } from "../agent-flags.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";

type Start = { prompt: string | undefined; flags: SessionFlags };

export async function startSession(world: World, { prompt, flags }: Start): Promise<ExitCode> {
  if (!flags.print) {
    if (flags.schema) throw new UsageError("--schema needs --print. Add it, or leave --schema out.");
    const format = flags.json ? "--json" : "--output-format";
    if (flags.outputFormat !== "text") throw new UsageError(`${format} needs --print. Add it, or leave ${format} out.`);
    if (!world.stdin.isTTY || !world.stdout.isTTY)
      throw new UsageError(`there is no terminal for a session here. Without one: ${world.command} --print "what to do"`);
    return placed(world, flags, async () => {
      const { runAttended } = await import("./screen/attended-session.ts");
      return (where) => runAttended(where, { prompt, flags });
    });
  }
  if (flags.schema) {
    const { streamSchema } = await import("../print/stream-schema.ts");
    world.stdout.write(`${JSON.stringify(streamSchema(), undefined, 2)}\n`);
    return 0;
  }
  if (flags.resume === true)
    throw new UsageError(`--resume needs a session's id here. To list them: ${world.command} --resume, in a terminal.`);
  return placed(world, flags, async () => {
    const { runPrint } = await import("./print-session.ts");
    return (where) => runPrint(where, { prompt, flags });
  });
}

type Run = (world: World) => Promise<ExitCode>;

async function placed(world: World, flags: SessionFlags, load: () => Promise<Run>): Promise<ExitCode> {
  const { place, ...others } = flags;
  if (place !== undefined && place !== thisMachine) {
    const { inPlace } = await import("../places/place-session.ts");
    return inPlace(world, { ...others, place }, load);
  }
  if (flags.worktree === undefined && !flags.continue) return (await load())(world);
  const { inWorktree, newestApart, placeBefore } = await import("./worktree-session.ts");
  const worktree = flags.worktree ?? (await newestApart(world));
  if (worktree === undefined) return (await load())(world);
  const there = { ...others, worktree };
  const before = place === undefined && (flags.continue || flags.resume) ? await placeBefore(world, there) : undefined;
  if (before === undefined) return inWorktree(world, there, await load());
  const { inPlaceAgain } = await import("../places/place-session.ts");
  return inPlaceAgain(world, { ...there, place: before }, load);
}

/** Instead of a place: a session that had its hands elsewhere goes on here. */
const thisMachine = "home";
