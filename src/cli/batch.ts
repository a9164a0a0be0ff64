// `tool batch`: the arguments and flags of a batch.
import { Command, Option } from "commander";
import type { BatchFlags } from "../app/batch/batch-flags.ts";
import type { Finish, World } from "../app/world.ts";
import { addAgentOptions, positiveInteger } from "./agent-options.ts";
import { type Known, refuseBareWord, refuseUnquoted } from "./bare-word.ts";
import { knownWords } from "./session.ts";

export function batchCommand(world: World, finish: Finish): Command {
  const command = new Command("batch")
    .description(
      "Make one change across the whole repository: plan 5 to 30 units, run an agent for each in a git worktree, open pull requests.",
    )
    .argument("[instruction]", "the change")
    .option("--plan-only", "make and print the plan, and change nothing")
    .option("--plan <file>", "carry out the plan in this file; - for standard input")
    .option("--yes", "approve the plan without a question; this allows no test command, so give rules: --allow 'Bash(npm test)'")
    .option("--json", "print JSON")
    .option("--concurrency <n>", "how many units run at once (default: as many as there are cores, at most 8)", positiveInteger)
    .option("--places <list>", "where the units' hands work, places of your settings, each with how many at once: slurm:30,gpu:4")
    .option("--no-pr", "only leave branches; open no pull requests")
    .addOption(
      new Option("--stack <choice>", "whether a later phase's pull requests are opened against the branch of the phase before")
        .choices(["yes", "no"])
        .default("yes"),
    )
    .option("--resume <id>", "continue a batch that was interrupted")
    .option("--retry <id>", "retry the failed units of a batch in their worktrees; takes --max-turns, --allow and the like")
    .option("--again", "start it although the same batch is running in this repository")
    .option("--list", "list all batches")
    .option("--gc", "remove worktrees, branches and records of finished batches if nothing is lost");
  return addAgentOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  tool batch "Replace the logger with pino"
  tool batch "Replace the logger with pino" --plan-only
  tool batch "Replace the logger with pino" --places slurm:30,gpu:4
  tool batch --retry 7f3a1c --max-turns 60
  tool batch --plan plan.json --yes --allow 'Bash(npm test:*)' --budget-usd 5`,
    )
    .action(async (instruction: string | undefined, flags: BatchFlags) => {
      refuseUnquoted(command.args, "tool batch", []);
      refuseBareWord(instruction, batchWords(command), { argv: world.argv, of: "tool batch" });
      const { startBatch } = await import("../app/batch/start-batch.ts");
      const { terminalQuestions: terminalDesk } = await import("../app/batch/terminal-questions.ts");
      finish(await startBatch(world, { instruction, flags, questions: terminalDesk(world, flags) }));
    });
}

/** Its flags, which people type as commands, then the commands of tool. */
function batchWords(command: Command): Known[] {
  const flags = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : long.slice(2)));
  return [
    ...flags.map((name) => ({ name, as: `tool batch --${name}` })),
    { name: "status", as: "tool batch --list" },
    ...(command.parent ? knownWords(command.parent) : []),
  ];
}
