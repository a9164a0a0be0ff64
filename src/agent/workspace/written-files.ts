// The files that a call says it writes: the one of Edit or Write, and those that a command names. Programs that a command starts may write others.

import { type Call, field } from "../../permissions/call.ts";
import type { Analysis, SimpleCommand } from "../../shell/words/analysis.ts";

/** `path`: as the call names it. `ifThere`: a guess from the operands (`cp a b` writes b or b/a), which counts only for an existing file. */
export type WrittenFile = { path: string; ifThere?: true };

/** `analysis`: of its command, for Bash. */
export function writtenFiles(call: Call, analysis?: Analysis): WrittenFile[] {
  if (call.tool === "Edit" || call.tool === "Write") {
    const path = field(call, "path");
    return path === undefined ? [] : [{ path }];
  }
  return (analysis?.commands ?? []).flatMap((command) => [
    ...writesOf(command).flatMap(({ path, mention, purpose }) =>
      path === undefined || mention ? [] : [{ path, ...(purpose ? { ifThere: true as const } : {}) }],
    ),
    ...changed(command).map((path): WrittenFile => ({ path, ifThere: true })),
  ]);
}

const writesOf = ({ files }: SimpleCommand) => files.filter(({ access, pattern }) => access === "write" && !pattern);

/** The operands that the usual programs for changing files change. */
function changed(command: SimpleCommand): string[] {
  const values = command.words.map(({ value }) => value ?? "");
  const named = writesOf(command).flatMap(({ path, mention }) => (path !== undefined && mention === "named" ? [path] : []));
  const [program = ""] = values;
  if (/^(?:rm|truncate|patch|git)$/.test(program)) return named;
  const isLast = program === "install" || (/^(?:sed|perl)$/.test(program) && values.some((value) => /^-\w*i/.test(value)));
  return isLast ? named.slice(-1).filter((path) => path.endsWith(values.at(-1)!) && values.at(-1) !== "") : [];
}
