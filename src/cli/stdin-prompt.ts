// The prompt of a session without a screen: the argument, standard input, or both.
import { UsageError, type World } from "./world.ts";

const longestBytes = 8 * 1024 * 1024;
/** A pipe that nobody writes to and nobody closes must not hold up what was asked on the command line. */
const silentMs = 3_000;

/** The argument first, what was piped in below it. Throws UsageError when there is neither. */
export async function promptOf(world: World, argument: string | undefined): Promise<string> {
  const given = argument?.trim() ? argument : undefined;
  const piped = world.stdin.isTTY ? "" : await readAll(world, given !== undefined);
  const prompt = [given, piped.trim() ? piped : undefined].filter((part) => part !== undefined).join("\n\n");
  if (prompt) return prompt;
  throw new UsageError('nothing to do: give a prompt, such as tool --print "Explain this project", or pipe one in.');
}

async function readAll(world: World, mayBeSilent: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  const input = world.stdin[Symbol.asyncIterator]();
  const first = input.next();
  if (mayBeSilent && (await silent(world, first))) {
    world.stderr.write("tool: nothing came on standard input for 3 s; going on without it. To close it: < /dev/null\n");
    return "";
  }
  let bytes = 0;
  for (let read = await first; !read.done; read = await input.next()) {
    bytes += read.value.length;
    if (bytes > longestBytes)
      throw new UsageError("more than 8 MiB came on standard input. Save it to a file and name that in the prompt.");
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
