// A question about a command, and what a rule makes of a part of it.
import type { HiddenHistory } from "../../permissions/paths/hidden-history.ts";
import type { PermissionMode } from "../../permissions/policy.ts";
import type { Containment } from "../uses/stays-inside.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import type { BashPattern } from "./bash-pattern.ts";

/** A rule about Bash as the settings have it: `text` as it was written, `file` where it stands. */
export type ShellRule = { text: string; file?: string; pattern: BashPattern };

export type Ruling = "allow" | "ask" | "deny";
export type By = "limit" | "rule" | "grant" | "built-in" | "mode" | "default";

/** What the rules about paths say of one file. */
export type FileRuling = { decision: Ruling; by: By; rule?: string; file?: string; reason: string };

export type ShellQuestion = {
  analysis: Analysis;
  rules: { deny: ShellRule[]; ask: ShellRule[]; allow: ShellRule[]; grants: ShellRule[] };
  mode: PermissionMode;
  /** What git would start because the repository says so, where neither a sandbox nor a person's trust stands behind that. */
  gitRuns?: string | undefined;
  /** What git could print or bring back out of the repository's history. */
  hiddenInGit?: HiddenHistory;
  /** Names and addresses of the repositories that are configured where git works; undefined if nobody has looked. */
  remotes?: ReadonlySet<string> | undefined;
  /** Rules or lines of .toolignore stand against files. */
  guarded?: boolean;
  /** Absent: rules alone count, and what only looks has none by itself. */
  unasked?: {
    /** Whether the program of that name is one that lies where agents or repositories can put programs. */
    isWithin: (program: string) => boolean;
    /** The sandbox stands around the command, and is offline. */
    isConfined: boolean;
    /** What git would start, where nothing shuts it in. */
    gitRuns?: string | undefined;
    /** Files that would be asked for, in the place that a search or a pattern of names is about. */
    askedBelow: (use: FileUse & { path: string }) => string[];
    /** Files that would be asked for and that git has, at or below these places; without a place all. */
    trackedBelow: (places: string[]) => string[];
    /** Whether nothing is lost when the file is removed. */
    isKept: (use: FileUse & { path: string }) => boolean;
    /** Links there that lead to what would be asked for. */
    linksBelow: (use: FileUse & { path: string }) => { path: string; target: string }[];
  };
  /** Whether names that are split (`SimpleCommand.splits`) may become other words than plain names inside. `isGiven`: by its own name it may be one of them. */
  maySplit?: (command: SimpleCommand, isGiven: (path: string) => boolean) => boolean;
  /** Others work in the same tree. */
  sharedTree?: boolean | undefined;
  /** Set where everything that stays in the sandbox is allowed. */
  contained?: Containment;
  /** Judges one path of `FileUse.path`, which is known when this is called. */
  judgeFile: (use: FileUse & { path: string }) => FileRuling;
  /** Whether a rule stands against files that a search below this folder, or a pattern of names, would come to. Absent: none does. */
  isOpenBelow?: (use: FileUse & { path: string }) => boolean;
};

/** It needs no rule: beside a part that has one, or by itself. */
export type Judged = FileRuling & { harmless?: "beside" | "alone" };

export function ruling(decision: "ask" | "deny", rule: ShellRule, reason: string): Judged {
  return { decision, by: "rule", rule: rule.text, ...(rule.file !== undefined && { file: rule.file }), reason };
}

export function allowedBy({ text, file }: ShellRule, by: "rule" | "grant"): Judged {
  return { decision: "allow", by, rule: text, ...(file !== undefined && { file }), reason: `The rule ${text} allows it` };
}
