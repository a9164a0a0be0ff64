import { parse } from "unbash";
import { parseBashPattern } from "../../src/shell/judge/bash-pattern.ts";
import type { ShellRule } from "../../src/shell/judge/judge-part.ts";
import { judgeShell } from "../../src/shell/judge/judge-shell.ts";
import { analyseCommand } from "../../src/shell/walk/analyse-command.ts";
import { policyCases } from "../policy-cases.ts";
import { ms, type Part, quantile, type Row } from "./row.ts";

/** Needs the repository's root as working directory. */
export const permissionsBench: Part = async (report) => {
  const cases = policyCases("everyday");
  const rules = cases[0]!.settings.permissions.allow.flatMap(bashRule);
  const everyday = cases.map(({ call }) => call.input.command);
  const long = [
    "git status; ",
    "cat a | grep -v x | ",
    "cat src/a.ts | grep -n foo && ",
    'for f in a b; do wc -l "$f"; done; ',
    'echo "$(git log -1)"; ',
  ].map((part) => `${part.repeat(Math.floor(10_000 / part.length))}pwd`);
  const mixed = everyday.filter((command) => !command.includes("\n")).join("; ");
  report(row("a decision about an everyday command, median", { commands: everyday, rules, share: 0.5, targetMs: 0.2, rounds: 40 }));
  report(row("a decision about a command of 10 KB, p99", { commands: long, rules, share: 0.99, targetMs: 5, rounds: 100 }));
  const different = mixed.repeat(2).slice(0, mixed.lastIndexOf("; ", 10_000));
  report(row("the same, no two of its commands alike, p99", { commands: [different], rules, share: 0.99, targetMs: 5, rounds: 200 }));
};

function bashRule(text: string): ShellRule[] {
  const inner = /^Bash\((.*)\)$/s.exec(text)?.[1];
  const parsed = inner === undefined ? undefined : parseBashPattern(inner);
  return parsed?.ok ? [{ text, pattern: parsed.pattern }] : [];
}

type Order = { commands: string[]; rules: ShellRule[]; share: number; targetMs: number; rounds: number };

function row(name: string, { commands, rules, share, targetMs, rounds }: Order): Row {
  const judgeFile = () => ({ decision: "allow" as const, by: "default" as const, reason: "" });
  const decision = (command: string) =>
    judgeShell({
      analysis: analyseCommand(command),
      rules: { deny: [], ask: [], allow: rules, grants: [] },
      mode: "default",
      judgeFile,
    });
  const ours = quantile(times(commands, rounds, decision), share);
  const bare = quantile(times(commands, rounds, parse), share);
  const ratio = (ours / bare).toFixed(1);
  return {
    name: `permissions: ${name}`,
    ours: precise(ours),
    beside: `${precise(bare)} for parsing it`,
    ratio,
    target: `< ${targetMs} ms`,
    met: ours < targetMs,
  };
}

const precise = (value: number) => (value < 0.1 ? `${(value * 1000).toFixed(0)} µs` : value < 1 ? `${value.toFixed(2)} ms` : ms(value));

function times(commands: string[], rounds: number, judge: (command: string) => unknown): number[] {
  const all: number[] = [];
  for (let round = -5; round < rounds; round++) {
    for (const command of commands) {
      const begin = performance.now();
      judge(command);
      if (round >= 0) all.push(performance.now() - begin); // the first rounds warm up the compiler
    }
  }
  return all;
}
