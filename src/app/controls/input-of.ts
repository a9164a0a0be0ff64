// Reads the input that a flag names: a file, a pipe, or `-` for standard input.
import { errorText } from "../../wording/error-text.ts";
import { UsageError, type World } from "../world.ts";

type Reading = Pick<World, "stdin" | "cwd"> & { edges: Pick<World["edges"], "input"> };

/** Throws UsageError if it cannot be read. */
export async function inputOf(world: Reading, file: string): Promise<AsyncIterable<Buffer>> {
  if (file === "-") return world.stdin;
  const { resolve } = await import("node:path");
  const input = await world.edges.input(resolve(world.cwd, file)).catch((error: unknown) => {
    throw new UsageError(errorText(error));
  });
  if (!input) throw new UsageError(`Cannot read the input: there is no file ${file}.`);
  return input;
}

/** The whole input as text. */
export async function textOf(input: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
