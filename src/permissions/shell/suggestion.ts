// The narrowest rule that spares the next question of the same kind.
import type { Analysis, SimpleCommand } from "./analysis.ts";
import { changesNothing } from "./read-only.ts";
import { subcommandAt } from "./subcommand.ts";

/** What stands between the brackets of Bash(…). `decisions` are those of the parts; without a sandbox a prefix may cover nothing. */
export function suggestionFor(
  { text, commands, unclear }: Analysis,
  { decisions, confined, gitRuns }: { decisions: string[]; confined: boolean; gitRuns?: string | undefined },
): string | undefined {
  const whole = text.trim();
  const asked = commands.filter((_, index) => decisions[index] === "ask");
  const [only] = asked;
  if (
    unclear !== undefined ||
    asked.length !== 1 ||
    !only ||
    only.unclear !== undefined ||
    only.hazards.length > 0 ||
    only.parent !== undefined
  )
    return whole || undefined;
  return (
    (confined || changesNothing(only, gitRuns) ? prefixOf(only) : undefined) ??
    (only.words.every(({ value }) => value !== undefined) ? only.text.trim() : whole)
  );
}

/** A few words, where any others behind them are of the same kind; else the command as it is. */
function prefixOf({ words, readOnly, files }: SimpleCommand): string | undefined {
  if (files.some(({ access, mention }) => access === "write" && !mention)) return undefined;
  const values = words.map(({ value }) => value);
  const [program, second, third] = values;
  if (program === undefined || !/^[\w.+-]+$/.test(program)) return undefined;
  const runner = ["npm", "pnpm", "yarn", "bun"].includes(program);
  if (runner && second === "run" && third && /^[\w:.-]+$/.test(third)) return `${program} run ${third}:*`;
  if (runner && (second === "test" || second === "t")) return `${program} ${second}:*`;
  if (building[program]?.includes(second ?? "")) return `${program} ${second}:*`;
  if (!readOnly) return undefined;
  const sub = subcommandAt(program, words);
  if (sub === undefined) return `${program}:*`;
  return sub === 1 ? `${program} ${second}:*` : undefined;
}

const building: Record<string, string[]> = {
  cargo: ["test", "build", "check", "clippy", "fmt"],
  go: ["test", "build", "vet"],
  node: ["--test"],
  git: ["add", "commit"],
  npx: ["tsc", "vitest", "jest", "eslint", "biome"],
};
