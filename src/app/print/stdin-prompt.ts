// The prompt of a session without a screen: the argument, standard input, or both.
import type { Input } from "../../agent/events.ts";
import { UsageError, type World } from "../world.ts";

const longestBytes = 8 * 1024 * 1024;
/** A pipe that stays open and silent must not delay a prompt from the command line. */
const silentMs = 3_000;

/** What a person typed is sent as it is; piped input counts as the output of a command. */
export type Prompt = { typed: string | undefined; piped: string | undefined };

/** Throws UsageError if nothing was typed or piped in. */
export async function promptOf(world: World, argument: string | undefined): Promise<Prompt> {
  const prompt = await promptIfAny(world, argument, false);
  if (!prompt) throw new UsageError(nothingToDo);
  return prompt;
}

/** `isOptional`: there may be work without a prompt, so that a silent pipe delays nothing. */
export async function promptIfAny(world: World, argument: string | undefined, isOptional: boolean): Promise<Prompt | undefined> {
  const typed = argument?.trim() ? argument : undefined;
  const all = world.stdin.isTTY ? "" : await readAll(world, typed !== undefined || isOptional);
  const piped = all.trim() ? all : undefined;
  return typed === undefined && piped === undefined ? undefined : { typed, piped };
}

export const nothingToDo = 'nothing to do: give a prompt, such as tool --print "Explain this project", or pipe one in.';

/** The typed text first, then the piped input, redacted. Nothing that was piped in names files to attach. */
export async function promptText(
  { typed, piped }: Prompt,
  redacted: (text: string) => Promise<string>,
): Promise<Required<Pick<Input, "text" | "typed">>> {
  const parts = [typed, piped === undefined ? undefined : await redacted(piped)];
  return { text: parts.filter((part) => part !== undefined).join("\n\n"), typed: typed ?? "" };
}

async function readAll(world: World, mayBeSilent: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  const input = world.stdin[Symbol.asyncIterator]();
  const first = input.next();
  if (mayBeSilent && (await silent(world, first))) {
    world.stderr.write("tool: nothing came on standard input for 3 s; continuing without it. To close it: < /dev/null\n");
    return "";
  }
  let bytes = 0;
  for (let read = await first; !read.done; read = await input.next()) {
    bytes += read.value.length;
    if (bytes > longestBytes)
      throw new UsageError("more than 8 MiB came on standard input. Save it to a file and name the file in the prompt.");
    chunks.push(read.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function silent(world: World, first: Promise<unknown>): Promise<boolean> {
  const clock = await world.edges.clock();
  const waiting = new AbortController();
  const came = await Promise.race([first.then(() => true), clock.sleep(silentMs, waiting.signal).then(() => false)]);
  waiting.abort();
  return !came;
}
