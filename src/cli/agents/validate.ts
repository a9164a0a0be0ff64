// What `tool agents validate` prints: every mistake of every file, and how many files can be used.
import { resolve } from "node:path";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { mistakeLine } from "../../subagents/definition.ts";
import { type DefinitionFiles, type FoundFile, readFound } from "../../subagents/definitions.ts";

export async function validateAgents(world: World, paths: string[], { json }: { json?: boolean }): Promise<ExitCode> {
  const edge = await world.edges.definitions();
  const files = filesAt(edge, world.cwd, paths);
  const frontMatter = await edge.frontMatter();
  const read = files.map((file) => readFound(file, { scope: "project", frontMatter }));
  const mistakes = read.flatMap((one) => one.mistakes);
  const usable = read.filter(({ definition }) => definition).length;
  const errors = mistakes.filter(({ level }) => level === "error").length;
  const counts = { files: files.length, usable, errors, warnings: mistakes.length - errors };
  if (json) world.stdout.write(`${JSON.stringify({ ok: errors === 0, ...counts, mistakes })}\n`);
  else world.stdout.write(`${[...mistakes.map(mistakeLine), summary(counts)].map(visibleLine).join("\n")}\n`);
  return errors === 0 ? 0 : 1;
}

/** Files under the names that were given, so that what is printed can be opened from here. Throws UsageError for a path that is not there. */
function filesAt(files: DefinitionFiles, cwd: string, paths: string[]): FoundFile[] {
  return paths.flatMap((path) => {
    const whole = resolve(cwd, path);
    const found = files.at(whole);
    if (found === undefined) throw new UsageError(`cannot check ${path}: there is no such file or folder.`);
    return found.map((file) => ({ ...file, path: `${path.replace(/\/$/, "")}${file.path.slice(whole.length)}` }));
  });
}

type Counts = { files: number; usable: number; errors: number; warnings: number };

function summary({ files, usable, errors, warnings }: Counts): string {
  return `${counted(files, "file")}: ${usable} can be used, ${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
