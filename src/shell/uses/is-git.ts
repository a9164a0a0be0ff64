// Which commands run git: a repository can make git start programs.
import type { SimpleCommand } from "../words/analysis.ts";

export const isGit = ({ words }: SimpleCommand) => /(?:^|\/)git(?:-[^/]*)?$/.test(words[0]?.value ?? "");
