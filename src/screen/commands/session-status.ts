// The text of /status: the session, where it works, and by which settings.
import { dollars, plural } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { aligned, cell, type HungText } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

export type SessionStatus = {
  version: string;
  id: string;
  folder: string;
  model: string;
  effort: string;
  mode: string;
  sandbox: string;
  /** Settings files that were read. */
  settings: string[];
  /** `empty`: it brings nothing that trust would cover. */
  repository: "trusted" | "untrusted" | "empty";
  /** Instruction files that were read. */
  instructions: string[];
  turns: number;
  costUsd: number | null;
};

export function sessionStatusTable(status: SessionStatus, style: Style): HungText {
  const { version, id, folder, model, effort, mode, sandbox, settings, repository, instructions, turns, costUsd } = status;
  const rows = [
    ["session", `${id.slice(0, 8)}, ${plural(turns, "turn")}, ${dollars(costUsd)}, tool ${version}`],
    ["folder", folder],
    ["model", `${model}, effort ${effort}`],
    ["mode", mode],
    ["sandbox", sandbox],
    ["settings", settings.join(", ") || "none"],
    ["repository", repositoryWords[repository]],
    ["instructions", instructions.join(", ") || "none"],
  ] as const;
  const text = aligned(rows.map(([name, value]) => [cell(`  ${name}`, style.dim), cell(visibleLine(value))])).join("\n");
  return { text, hang: 4 + Math.max(...rows.map(([name]) => name.length)) };
}

const repositoryWords: Record<SessionStatus["repository"], string> = {
  trusted: "its settings are trusted",
  untrusted: "its settings may only restrict, since you have not trusted them",
  empty: "has no settings, agents or skills to trust",
};
