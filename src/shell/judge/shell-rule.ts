// The question about a command, and the rules that speak of commands.
import type { PermissionMode } from "../../permissions/policy.ts";
import type { Containment, IsKept } from "../uses/leaves-sandbox.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import type { BashPattern } from "./bash-pattern.ts";
import type { Verdict } from "./verdict.ts";

/** A rule about Bash from the settings: `text` as written, `file` where it is defined. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** No command runs. */
  limit?: Verdict | undefined;
  /** It is asked about, whatever rules and grants say. */
  insists?: Verdict | undefined;
  /** Programs that git would start because the repository says so, if no sandbox confines them. */
  gitRuns?: string | undefined;
  /** The user trusts the repository. */
  trusted?: boolean;
  /** Rules or lines of .toolignore hide files here. */
  guarded?: boolean;
  /** The same where no sandbox hides them. */
  exposed?: boolean;
  /** Other agents work in the same tree. */
  sharedTree?: boolean | undefined;
  /** Whether the program of that name is in a place where agents or repositories can put programs. */
  isWithin?: (program: string) => boolean;
  /** Set if the sandbox is trusted to contain commands, so that all that stays inside is allowed. */
  contained?: Containment;
  isKept?: IsKept;
  /** Judges one `FileUse` whose path is known. */
  judgeFile: (use: FileUse & { path: string }, command: SimpleCommand) => Verdict;
};
