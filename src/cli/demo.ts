// `tool demo [what]`: scripted demonstrations, each a subcommand that works on a scratch copy of a small repository.
import { Command } from "commander";
import type { BatchDemoFlags } from "../app/batch/run-batch-demo.ts";
import type { CoordinatorDemoFlags } from "../app/session/agents/run-coordinator-demo.ts";
import { type Finish, UsageError, type World } from "../app/world.ts";
import { addTeamStart } from "./team/start.ts";

/** The first is the default. */
const demos = [teamDemo, coordinatorDemo, batchDemo, placesDemo];

export function demoCommand(world: World, finish: Finish): Command {
  const demo = new Command("demo").description(
    "Show what this program does, with scripted replies: no key, no network. Works on a scratch copy.",
  );
  const all = demos.map((make) => make(world, finish));
  for (const [at, command] of all.entries()) demo.addCommand(command, { isDefault: at === 0 });
  const names = all.map((command) => command.name());
  // A word that names no demo would be taken as an argument of the first demo; demos have no arguments.
  demo.hook("preAction", (_demo, { args }) => {
    if (args[0] !== undefined) throw new UsageError(`there is no demo "${args[0]}". There are: ${names.join(", ")}. Nothing was started.`);
  });
  return demo.addHelpText(
    "after",
    `
Without a name the team is shown, with its options, such as --print and --display: tool demo team --help

Examples:
  tool demo --print
  tool demo coordinator`,
  );
}

function teamDemo(world: World, finish: Finish): Command {
  const team = new Command("team").description("a lead and three teammates repair a program");
  addTeamStart(team, world, finish);
  return team.setOptionValue("demo", true).addHelpText("after", "\nExample:\n  tool demo team --display in-process");
}

function placesDemo(world: World, finish: Finish): Command {
  const team = new Command("places").description(
    "the same team, with the hands of two teammates at places: over ssh where sshd is installed",
  );
  addTeamStart(team, world, finish);
  return team.setOptionValue("demo", "places").addHelpText("after", "\nExample:\n  tool demo places --print");
}

function coordinatorDemo(world: World, finish: Finish): Command {
  return new Command("coordinator")
    .description("a coordinator and six workers move a program to one logger, in three phases; one of them fails")
    .option("-p, --print", "no screen: one line per event, then the report")
    .option("--script <file>", "another script for the scripted model")
    .addHelpText("after", "\nExample:\n  tool demo coordinator --print")
    .action(async (flags: CoordinatorDemoFlags) => {
      const { runCoordinatorDemo } = await import("../app/session/agents/run-coordinator-demo.ts");
      finish(await runCoordinatorDemo(world, flags));
    });
}

function batchDemo(world: World, finish: Finish): Command {
  return new Command("batch")
    .description("one change in six units: worktrees, tests, five pull requests at a forge on this machine, one failure")
    .addHelpText("after", "\nExample:\n  tool demo batch")
    .option("-p, --print", "no questions: the plan is carried out, one line per event")
    .option("--script <file>", "another script for the scripted model")
    .action(async (flags: BatchDemoFlags) => {
      const { runBatchDemo } = await import("../app/batch/run-batch-demo.ts");
      finish(await runBatchDemo(world, flags));
    });
}
