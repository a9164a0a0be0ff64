// One decision for a whole command: each simple command is judged, and the strictest result wins.
import type { PermissionMode } from "../policy.ts";
import type { Analysis, FileUse } from "./analysis.ts";
import type { BashPattern } from "./bash-pattern.ts";

/** A rule about Bash as the settings have it: `text` as it was written, `file` where it stands. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

type Ruling = "allow" | "ask" | "deny";
type By = "limit" | "rule" | "grant" | "built-in" | "mode" | "default";

/** What the rules about paths say of one file. */
export type FileRuling = { decision: Ruling; by: By; rule?: string; file?: string; reason: string };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** Judges one path of `FileUse.path`, which is known when this is called. */
  judgeFile: (use: FileUse & { path: string }) => FileRuling;
  /**
   * Whether files that may not be read lie below the folder of a recursive search: none, such as the sandbox takes out of sight, or
   * such as nobody hides. Absent: none.
   */
  below?: (use: FileUse & { path: string }) => "none" | "hidden" | "open";
};

export type ShellPart = { text: string; where: string; decision: Ruling };

export type ShellRuling = {
  decision: Ruling;
  by: By;
  /** The rule that decided, as it was written, and the settings file in which it stands. */
  rule?: string;
  file?: string;
  /** One sentence without its full stop. */
  reason: string;
  /** What stands between the brackets of the narrowest useful rule. */
  suggestion?: string;
  /** Each simple command that can run. */
  parts: ShellPart[];
  /** It is allowed only with files hidden from it that may not be read. */
  excludes?: true;
};

/** Deny, ask, files, mode, allow, and else it is asked. */
export function judgeShell(question: ShellQuestion): ShellRuling {
  const parts = question.analysis.commands.map(({ text, where }): ShellPart => ({ text, where, decision: "ask" }));
  return { decision: "ask", by: "default", reason: "No rule allows it", parts };
}
