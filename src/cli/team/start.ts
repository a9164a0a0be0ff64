// `tool team [prompt]`: the arguments and flags for starting a team.
import { type Command, InvalidArgumentError } from "commander";
import type { Flags } from "../../app/team/team-run.ts";
import type { Finish } from "../../app/world.ts";
import { UsageError, type World } from "../../app/world.ts";
import { displayModes } from "../../team/display/display.ts";
import type { NamedTeammate } from "../../team/launch.ts";
import { addAgentOptions, outputFormatOption, positiveInteger } from "../agent-options.ts";
import { didYouMean, isBareWord, type Known, refuseUnquoted, suggestions } from "../bare-word.ts";

/** Adds the arguments and the action to `tool team` itself. */
export function addTeamStart(team: Command, world: World, finish: Finish): void {
  team
    .argument("[prompt]", "what the team is to do")
    .option("--teammates <n>", "how many teammates the lead starts (2 to 4 are recommended)", positiveInteger)
    .option(
      "--teammate <name=role@place>",
      "start a teammate with this agent definition (tool agents list), or a program of yours (members in your settings), or on another machine (a place that your settings name); may be repeated",
      named,
    )
    .option(
      "--places <list>",
      "with --worktrees: where teammates' hands work, places of your settings, each with how many at once: gpu:4,slurm:20",
    )
    .option("--display <mode>", `where teammates are shown: ${displayModes.join(", ")}`)
    .option("--resume [team]", "resume a team that ended or was killed; without a name, the newest of this folder")
    .option("-p, --print", "no screen: one line per event, then the summary; exits when the work is done")
    .addOption(outputFormatOption())
    .option("--json", "the same as --output-format json: the summary as JSON on standard output, the lines on standard error")
    .option("--demo", "a scripted team on a scratch copy of a small program; no key, no network")
    .option("--lead-may-edit", "the lead may also write files and run commands")
    .option("--worktrees", "each teammate works in its own git worktree; completed tasks are merged into a branch of the team")
    .option("--test <command>", "with --worktrees: one program with its arguments, run on the merged work; what fails becomes a task");
  addAgentOptions(team).action(async (prompt: string | undefined, flags: Flags) => {
    const { startTeam } = await import("../../app/team/start-team.ts");
    finish(await startTeam(world, { prompt, flags: flags.json ? { ...flags, outputFormat: "json" } : flags }));
  });
}

export const teamExamples = `
Examples:
  tool team "Port the report module to the new parser"
  tool team --print --allow Edit --allow 'Bash(npm test)' "Fix the failing tests" > team.log
  tool team --demo`;

/** Parses `ada=reviewer`, `rita@gpu` and `ada=reviewer@gpu`. */
function named(value: string, before: NamedTeammate[] = []): NamedTeammate[] {
  const [, name, role, place] = /^\s*([^=@\s]+)\s*(?:=\s*([^@]*[^@\s])\s*)?(?:@\s*(\S+)\s*)?$/s.exec(value) ?? [];
  if (name === undefined || (role === undefined && place === undefined))
    throw new InvalidArgumentError("It must be a name with a definition or a place, such as ada=reviewer, rita@gpu or ada=reviewer@gpu.");
  return [...before, { name, ...(role !== undefined && { role }), ...(place !== undefined && { place }) }];
}

/** Throws UsageError for words without quotes, and for a single word, which is more likely a typo than a task for a team. */
export function refuseTypo(team: Command, { argv }: World): void {
  const [prompt] = team.args;
  refuseUnquoted(team.args, "tool team", teamWords(team));
  if (!prompt || !isBareWord(prompt) || argv.includes("--")) return;
  const known = teamWords(team);
  const meant = didYouMean(suggestions(prompt, known));
  const names = known.map(({ name }) => name);
  throw new UsageError(
    `"${prompt}" is not a command of tool team (${names.join(", ")}). ${meant ? `${meant} ` : ""}To give a team this one word: tool team -- ${prompt}`,
  );
}

const teamWords = ({ commands }: Command): Known[] =>
  commands.map((command) => ({ name: command.name(), as: `tool team ${command.name()}` }));
