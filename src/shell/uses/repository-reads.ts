// Paths in revisions (`HEAD:a`), which git counts from the repository's root.
import { join } from "node:path";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import { isGit } from "./is-git.ts";

/** The same analysis, where commands of git also read what their revisions name in the repository whose root this is. */
export function withRepositoryReads(analysis: Analysis, root: string): Analysis {
  if (!analysis.commands.some(isGit)) return analysis;
  const commands = analysis.commands.map((command) => {
    const files = isGit(command) ? readsOf(command, root) : [];
    return files.length > 0 ? { ...command, files: [...command.files, ...files] } : command;
  });
  return commands.every((command, index) => command === analysis.commands[index]) ? analysis : { ...analysis, commands };
}

function readsOf(command: SimpleCommand, root: string): FileUse[] {
  const named = command.words.flatMap(({ value }) => inRevision(value ?? "") ?? []);
  return named.map((path) => ({ access: "read", path: path.startsWith(".") ? path : join(root, path) }));
}

/** The path in `HEAD:a/b` or `:0:a`; not in `HEAD@{9:30}`, `:/fix` or an address. */
const inRevision = (word: string) => /^(?!-)(?:[^:{]|\{[^}]*\})*:(?:[0-3]:)?([^:/].*)$/s.exec(word)?.[1];
