// The files that a call says it writes: the one of Edit or Write, and those that a command names. Programs that a command starts may write others.
import type { Analysis } from "../shell/words/analysis.ts";
import type { Call } from "./call.ts";

/** `path`: as the call names it. `ifThere`: a guess from the operands (`cp a b` writes b or b/a), which counts only for an existing file. */
export type WrittenFile = { path: string; ifThere?: true };

/** `analysis`: of its command, for Bash. */
export function writtenFiles({ tool, input }: Call, analysis?: Analysis): WrittenFile[] {
  if (tool === "Edit" || tool === "Write") {
    const { path } = (input ?? {}) as { path?: unknown };
    return typeof path === "string" ? [{ path }] : [];
  }
  const uses = analysis?.commands.flatMap(({ files }) => files) ?? [];
  return uses.flatMap(({ access, path, mention, pattern, purpose }): WrittenFile[] =>
    access !== "write" || path === undefined || mention || pattern || inGit.test(path)
      ? []
      : [purpose ? { path, ifThere: true } : { path }],
  );
}

/** Each git command of anybody changes the index. */
const inGit = /(?:^|\/)\.git\//;
