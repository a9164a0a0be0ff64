// `tool batch`: the arguments and flags of a batch.
import { Command, Option } from "commander";
import type { BatchFlags } from "../app/batch/batch-flags.ts";
import type { Finish, World } from "../app/world.ts";
import { addAgentOptions, positiveInteger } from "./agent-options.ts";

export function batchCommand(world: World, finish: Finish): Command {
  const command = new Command("batch")
    .description(
      "Carry one change through the whole repository: plan 5 to 30 units, run an agent for each in a git worktree, open pull requests.",
    )
    .argument("[instruction]", "the change")
    .option("--plan-only", "research and print the plan, and change nothing")
    .option("--plan <file>", "carry out the plan in this file; - for standard input")
    .option("--yes", "approve the plan without a question; this grants no test command, so give rules: --allow 'Bash(npm test)'")
    .option("--json", "print JSON")
    .option("--concurrency <n>", "how many units run at once (default: as many as there are cores, at most 8)", positiveInteger)
    .option("--no-pr", "leave branches, and open no pull requests")
    .addOption(
      new Option("--stack <choice>", "whether a later phase's pull requests are for the branch of the phase before")
        .choices(["yes", "no"])
        .default("yes"),
    )
    .option("--resume <id>", "go on with a batch that was interrupted")
    .option("--retry <id>", "try the failed units of a batch once more, where they are; with --max-turns, --allow and the like")
    .option("--list", "list the batches that there are")
    .option("--gc", "remove worktrees, branches and records of finished batches, where nothing is lost by it");
  return addAgentOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  tool batch "Replace the logger with pino"
  tool batch "Replace the logger with pino" --plan-only
  tool batch --retry 7f3a1c --max-turns 60
  tool batch --plan plan.json --yes --allow 'Bash(npm test:*)' --budget-usd 5`,
    )
    .action(async (instruction: string | undefined, flags: BatchFlags) => {
      const { startBatch } = await import("../app/batch/start-batch.ts");
      const { terminalDesk } = await import("../app/batch/terminal-desk.ts");
      finish(await startBatch(world, { instruction, flags, desk: terminalDesk(world, flags) }));
    });
}
