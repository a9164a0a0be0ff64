// Shared by `validate` of agents and of skills: finds the files that were named, and prints every mistake and the number of usable files.

import { resolve } from "node:path";
import { type ExitCode, UsageError, type World } from "../app/world.ts";
import { visibleLine } from "../screen/visible-text.ts";
import { type Mistake, mistakeLine } from "../subagents/definitions/definition.ts";
import type { DefinitionFiles, FoundFile } from "../subagents/definitions/definitions.ts";
import { plural } from "../wording/figures.ts";

/** Files with paths as the person typed them, so that printed paths can be opened. Throws UsageError if a path does not exist. */
export function filesAt(files: DefinitionFiles, cwd: string, paths: string[]): FoundFile[] {
  const all = paths.flatMap((path) => {
    if (path === "") throw new UsageError('cannot check "": an empty path names nothing. Give a file or a folder.');
    const whole = resolve(cwd, path);
    const found = files.at(whole);
    if (found === undefined) throw new UsageError(`cannot check ${path}: there is no such file or folder.`);
    return found.map((file) => ({ ...file, path: `${path.replace(/\/$/, "")}${file.path.slice(whole.length)}` }));
  });
  if (all.length === 0) throw new UsageError(`cannot check ${paths.join(", ")}: there is no *.md file in it.`);
  return all;
}

/** `name`: of what it defines; absent if it cannot be used. */
export type CheckedFile = { file: string; name: string | undefined; mistakes: Mistake[] };

export function printChecked(world: World, checked: CheckedFile[], { json }: { json?: boolean }): ExitCode {
  const mistakes = checked.flatMap((one) => one.mistakes);
  const errors = mistakes.filter(({ level }) => level === "error").length;
  const usable = checked.filter(({ name }) => name !== undefined).length;
  const counts = { files: checked.length, usable, errors, warnings: mistakes.length - errors };
  if (json) world.stdout.write(`${JSON.stringify({ ok: errors === 0, ...counts, checked: checked.map(asJson), mistakes })}\n`);
  else world.stdout.write(`${[...mistakes.map(mistakeLine), summary(counts)].map(visibleLine).join("\n")}\n`);
  return errors === 0 ? 0 : 1;
}

const asJson = ({ file, name }: CheckedFile) => ({ file, name: name ?? null, usable: name !== undefined });

type Counts = { files: number; usable: number; errors: number; warnings: number };

function summary({ files, usable, errors, warnings }: Counts): string {
  return `${plural(files, "file")}: ${usable} can be used, ${plural(errors, "error")}, ${plural(warnings, "warning")}`;
}
