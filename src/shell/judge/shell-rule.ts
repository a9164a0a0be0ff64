// The question about a command, and the ruling on each part of it.
import type { HiddenHistory } from "../../permissions/paths/hidden-history.ts";
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
  /** Programs that the repository makes git start, when neither a sandbox nor the user's trust protects against them. */
  gitRuns?: string | undefined;
  /** What git could print or restore from the repository's history. */
  hiddenInGit?: HiddenHistory;
  /** Names and addresses of the remotes configured where git works; undefined if they were not read. */
  remotes?: ReadonlySet<string> | undefined;
  /** Rules or lines of .toolignore hide files here. */
  guarded?: boolean;
  /** Absent: only rules allow anything, read-only commands included. */
  unasked?: {
    /** Whether the program of that name is in a place where agents or repositories can put programs. */
    isWithin: (program: string) => boolean;
    /** The command runs in the sandbox, without a network. */
    isConfined: boolean;
    /** Programs that git would start, if no sandbox confines them. */
    gitRuns?: string | undefined;
    /** Files below this place, or matching this glob, that need a question. */
    askedBelow: (use: FileUse & { path: string }) => string[];
    /** Files tracked by git, at or below these places, that need a question; an empty list means everywhere. */
    trackedBelow: (places: string[]) => string[];
    /** Whether removing the file loses nothing. */
    isKept: (use: FileUse & { path: string }) => boolean;
    /** Links in this place whose targets need a question. */
    linksBelow: (use: FileUse & { path: string }) => { path: string; target: string }[];
  };
  /**
   * Whether names that are split (`SimpleCommand.splits`) may expand to something other than plain names inside the tree. `isGiven`:
   * whether a path could be one of the names.
   */
  maySplit?: (command: SimpleCommand, isGiven: (path: string) => boolean) => boolean;
  /** Other agents work in the same tree. */
  sharedTree?: boolean | undefined;
  /** Set if the sandbox is trusted to contain commands, so that all that stays inside is allowed. */
  contained?: Containment;
  /** Judges one `FileUse` whose path is known. */
  judgeFile: (use: FileUse & { path: string }) => FileRuling;
  /** Whether rules hide or restrict files that a search below this folder, or a glob, would reach. Absent: there are none. */
  isOpenBelow?: (use: FileUse & { path: string }) => boolean;
};

/** It needs no rule, either next to a part that has one or alone. */
export type Judged = FileRuling & { harmless?: "beside" | "alone" };

export function ruling(decision: "ask" | "deny", rule: ShellRule, reason: string): Judged {
  return { decision, by: "rule", rule: rule.text, ...(rule.file !== undefined && { file: rule.file }), reason };
}

export function allowedBy({ text, file }: ShellRule, by: "rule" | "grant"): Judged {
  return { decision: "allow", by, rule: text, ...(file !== undefined && { file }), reason: `The rule ${text} allows it` };
}
