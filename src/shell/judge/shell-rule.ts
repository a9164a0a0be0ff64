// The question about a command, and the ruling on each part of it.
import type { PermissionMode } from "../../permissions/policy.ts";
import type { Containment } from "../uses/leaves-sandbox.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import type { BashPattern } from "./bash-pattern.ts";

/** A rule about Bash from the settings: `text` as written, `file` where it is defined. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

export type Ruling = "allow" | "ask" | "deny";
export type By = "limit" | "rule" | "grant" | "built-in" | "mode" | "default";

/** The ruling of the path rules on one file. */
export type FileRuling = { decision: Ruling; by: By; rule?: string; file?: string; reason: string };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** Programs that git would start because the repository says so, if no sandbox confines them. */
  gitRuns?: string | undefined;
  /** The user trusts the repository. */
  trusted?: boolean;
  /** Rules or lines of .toolignore hide files here. */
  guarded?: boolean;
  /** Other agents work in the same tree. */
  sharedTree?: boolean | undefined;
  /** Whether the program of that name is in a place where agents or repositories can put programs. */
  isWithin?: (program: string) => boolean;
  /** Set if the sandbox is trusted to contain commands, so that all that stays inside is allowed. */
  contained?: Containment;
  /** Judges one `FileUse` whose path is known. */
  judgeFile: (use: FileUse & { path: string }, command: SimpleCommand) => FileRuling;
};

/** `harmless`: it needs no rule, because it only looks. */
export type Judged = FileRuling & { harmless?: true };

export function ruling(decision: "ask" | "deny", rule: ShellRule, reason: string): Judged {
  return { decision, by: "rule", rule: rule.text, ...(rule.file !== undefined && { file: rule.file }), reason };
}

export function allowedBy({ text, file }: ShellRule, by: "rule" | "grant"): Judged {
  return { decision: "allow", by, rule: text, ...(file !== undefined && { file }), reason: `The rule ${text} allows it` };
}
