// Judges paths by .toolignore, or by patterns from the command line.
import { isAbsolute, join, relative, resolve } from "node:path";
import { inputOf, textOf } from "../../app/controls/input-of.ts";
import { isFolder } from "../../app/is-folder.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import type { BoardDisk } from "../../board/disk.ts";

export type IgnoreFlags = { stdin?: boolean; patterns?: string; verbose?: boolean; json?: boolean };

export async function checkIgnored(world: World, given: string[], flags: IgnoreFlags): Promise<ExitCode> {
  const { ignoreFile } = await import("../../permissions/paths/ignore-patterns.ts");
  const disk = await world.edges.disk();
  const { text, file, folder } = await patternsFor(world, disk, flags.patterns);
  const paths = flags.stdin ? await pathsFrom(world) : given;
  if (paths.length === 0 && !flags.stdin) throw new UsageError("there is no path to check. Give one or more, or --stdin.");
  const judge = ignoreFile(text);
  let hidden = false;
  const lines = paths.map((path) => {
    const below = placeBelow(path, { cwd: world.cwd, folder });
    const asFolder = path.endsWith("/") || (flags.patterns === undefined && isFolder(disk, join(folder, below ?? "")));
    const said = below ? judge(asFolder ? `${below}/` : below) : undefined;
    const ignored = said !== undefined && !said.negative;
    hidden ||= ignored;
    if (flags.json)
      return `${JSON.stringify({ path, ignored, pattern: said?.text ?? null, line: said?.line ?? null, file: said ? file : null })}\n`;
    if (flags.verbose) return said ? `${file}:${said.line}:${said.text}\t${path}\n` : "";
    return ignored ? `${path}\n` : "";
  });
  world.stdout.write(lines.join(""));
  return hidden ? 0 : 1;
}

async function patternsFor(
  world: World,
  disk: BoardDisk,
  named: string | undefined,
): Promise<{ text: string; file: string; folder: string }> {
  if (named !== undefined) {
    return { text: await textOf(await inputOf(world, named)), file: named, folder: world.cwd };
  }
  const { projectRoot } = await import("../../settings/files.ts");
  const folder = projectRoot(disk, world.cwd);
  return { text: disk.read(join(folder, ".toolignore"))?.toString("utf8") ?? "", file: join(folder, ".toolignore"), folder };
}

async function pathsFrom({ stdin }: World): Promise<string[]> {
  const text = await textOf(stdin);
  return text.split(text.includes("\0") ? "\0" : "\n").filter((path) => path !== "");
}

/** Undefined for a path outside the folder, to which no pattern applies. */
function placeBelow(path: string, { cwd, folder }: { cwd: string; folder: string }): string | undefined {
  const way = relative(folder, resolve(cwd, path));
  return way === ".." || way.startsWith("../") || isAbsolute(way) ? undefined : way;
}
